"""Objects in other shapes: tables, and metadata alone."""

from datetime import UTC, datetime
from typing import Any

from virtdeck.standalone.apiserver.printing.builtin import printer_of
from virtdeck.standalone.apiserver.printing.columns import Cells
from virtdeck.standalone.apiserver.printing.custom import custom_printer
from virtdeck.standalone.apiserver.resources.resource import Resource

Obj = dict[str, Any]


def partial_object(obj: Obj) -> Obj:
    """The object's metadata as PartialObjectMetadata."""
    return {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": obj["metadata"]}


def partial_list(objects: list[Obj], meta: Obj) -> Obj:
    """The objects' metadata as PartialObjectMetadataList."""
    return {
        "kind": "PartialObjectMetadataList",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": meta,
        "items": [partial_object(obj) for obj in objects],
    }


def table_of(resource: Resource, objects: list[Obj], revision: str, include: str = "") -> Obj:
    """The objects as kubectl prints them. include: None, Metadata (default) or Object, for each row."""
    printer = custom_printer(resource) if resource.is_custom else printer_of(resource)
    now = datetime.now(UTC)
    return {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": revision},
        "columnDefinitions": [column.to_dict() for column in printer.columns],
        "rows": [_row(printer.cells(obj, now), obj, include) for obj in objects],
    }


def _row(cells: Cells, obj: Obj, include: str) -> Obj:
    row: Obj = {"cells": cells}
    if include == "Object":
        row["object"] = obj
    else:
        row["object"] = None if include == "None" else partial_object(obj)
    return row
