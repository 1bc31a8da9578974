"""The columns of kinds from CRDs."""

from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson

from virtdeck.standalone.apiserver.printing.columns import AGE, NAME, Cells, Obj, Printer, TableColumn, age
from virtdeck.standalone.apiserver.printing.json_path import find
from virtdeck.standalone.apiserver.resources.resource import Column, Resource


@lru_cache(maxsize=256)
def custom_printer(resource: Resource) -> Printer:
    """The printer that the CRD describes; name and age when it describes none."""
    given = resource.columns or (Column("Age", ".metadata.creationTimestamp", "date"),)
    columns = tuple(
        TableColumn(one.name, one.type, one.format, one.description, one.priority) for one in given
    )
    if not resource.columns:
        columns = (AGE,)

    def cells(obj: Obj, now: datetime) -> Cells:
        return [obj["metadata"].get("name", ""), *(_cell(obj, one, now) for one in given)]

    return Printer((NAME, *columns), cells)


def _cell(obj: Obj, column: Column, now: datetime) -> Any:
    try:
        found = find(obj, column.json_path)
    except ValueError:
        return None
    if not found or found[0] is None:
        return None
    value = found[0] if len(found) == 1 else ",".join(_text(one) for one in found)
    if column.type == "date":
        return age(value, now)
    if column.type == "string":
        return _text(value)
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else orjson.dumps(value).decode()
