"""Lists whose items are told apart: as values (sets) or by keys (maps)."""

from collections.abc import Iterator
from typing import Any

import orjson

from virtdeck.basis.errors import Cause

Schema = dict[str, Any]


def key_of_item(schema: Schema, item: Any) -> bytes | None:
    """What tells an item of a list of type map from the others; None in other lists."""
    if schema.get("x-kubernetes-list-type") != "map" or not isinstance(item, dict):
        return None
    properties = (schema.get("items") or {}).get("properties") or {}
    names = schema.get("x-kubernetes-list-map-keys") or ()
    return orjson.dumps([item.get(name, (properties.get(name) or {}).get("default")) for name in names])


def items_by_key(schema: Schema, items: Any) -> dict[bytes | None, Any]:
    """The items of a list of type map by their keys; empty for what is none."""
    if not isinstance(items, list) or schema.get("x-kubernetes-list-type") != "map":
        return {}
    return {key: item for item in items if (key := key_of_item(schema, item)) is not None}


def causes_of_lists(value: Any, schema: Schema, path: str = "") -> list[Cause]:
    """Every item that stands twice where it may stand once."""
    return list(_walk(value, schema, path))


def _walk(value: Any, schema: Schema, path: str) -> Iterator[Cause]:
    if isinstance(value, list):
        yield from _repeated(value, schema, path)
        if isinstance(items := schema.get("items"), dict):
            for index, item in enumerate(value):
                yield from _walk(item, items, f"{path}[{index}]")
    elif isinstance(value, dict):
        properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
        for name, item in value.items():
            below = properties.get(name, others)
            if isinstance(below, dict) and isinstance(item, list | dict):
                shown = f"{path}.{name}" if path else name
                yield from _walk(item, below, shown if name in properties else f"{path}[{name}]")


def _repeated(value: list[Any], schema: Schema, path: str) -> Iterator[Cause]:
    kind = schema.get("x-kubernetes-list-type")
    if kind not in ("set", "map"):
        return
    seen = set()
    for index, item in enumerate(value):
        mark = key_of_item(schema, item) if kind == "map" else orjson.dumps(item, option=orjson.OPT_SORT_KEYS)
        if mark is not None and mark in seen:
            yield Cause(f"{path}[{index}]", f"Duplicate value: {_shown(schema, item)}", "FieldValueDuplicate")
        seen.add(mark)


def _shown(schema: Schema, item: Any) -> str:
    names = schema.get("x-kubernetes-list-map-keys")
    if names and isinstance(item, dict):
        item = {name: item[name] for name in names if name in item}
    return orjson.dumps(item).decode()
