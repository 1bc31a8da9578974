"""Structural schemas as the types of expressions, with the sizes that values can have in one request."""

from typing import Any

from virtdeck.cel import types
from virtdeck.cel.names import escaped
from virtdeck.cel.types import Type

Schema = dict[str, Any]

_MOST_BYTES = 3 * 1024 * 1024  # a request
_MOST_TEXT = _MOST_BYTES - 2
_FORMATTED: dict[str, tuple[str, int, int]] = {  # the type's kind, its largest and its smallest size in JSON
    "duration": (types.DURATION.kind, 32, 3),
    "date": (types.TIMESTAMP.kind, 12, 12),
    "date-time": (types.TIMESTAMP.kind, 32, 21),
}
_PLAIN = {"boolean": (types.BOOL, 4), "number": (types.DOUBLE, 1), "integer": (types.INT, 1)}
_OBJECT_META: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}},
}

Sized = tuple[Type, int]  # a type and the least that a value of it takes in JSON


def type_of_schema(schema: Schema, *, root: bool = False, path: str = "self") -> Type | None:
    """The type of values of the schema; None for what expressions cannot see."""
    found = _sized(schema, root, path)
    return found[0] if found else None


def with_object_meta(schema: Schema) -> Schema:
    """The schema of a whole resource as expressions see it: with its type, name and generateName."""
    properties = {**(schema.get("properties") or {})}
    properties |= {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": _OBJECT_META}
    return {**schema, "properties": properties}


def _sized(schema: Schema, root: bool, path: str) -> Sized | None:
    if schema.get("x-kubernetes-int-or-string"):
        return Type("dyn", most=_text_limit(schema)), 1
    if root:
        schema = with_object_meta(schema)
    match schema.get("type"):
        case "array":
            return _list(schema, path)
        case "object":
            return (
                _map(schema, path)
                if isinstance(schema.get("additionalProperties"), dict)
                else _object(schema, path)
            )
        case "string":
            return _text(schema)
        case str(plain) if plain in _PLAIN:
            return _PLAIN[plain]
    return None


def _embedded(schema: Schema, path: str) -> Sized | None:
    return _sized(schema, bool(schema.get("x-kubernetes-embedded-resource")), path)


def _list(schema: Schema, path: str) -> Sized | None:
    items = schema.get("items")
    found = _embedded(items, f"{path}.@idx") if isinstance(items, dict) else None
    if found is None:
        return None
    most = max(schema.get("maxItems", _MOST_TEXT // (found[1] + 1)), 0)
    return types.list_of(found[0], most), 2


def _map(schema: Schema, path: str) -> Sized | None:
    found = _embedded(schema["additionalProperties"], f"{path}.@elem")
    if found is None:
        return None
    most = max(schema.get("maxProperties", _MOST_TEXT // (found[1] + 6)), 0)
    return types.map_of(types.STRING, found[0], most), 2


def _object(schema: Schema, path: str) -> Sized:
    fields = {}
    least = 2
    required = set(schema.get("required") or ())
    for name, below in (schema.get("properties") or {}).items():
        found = _embedded(below, f"{path}.{name}")
        if found is None:
            continue
        if spelled := escaped(name):
            fields[spelled] = found[0]
        if name in required and "default" not in below:
            least += len(name) + found[1] + 4
    return types.object_of(path, fields), least


def _text(schema: Schema) -> Sized:
    given = schema.get("format", "")
    if given in _FORMATTED:
        kind, most, least = _FORMATTED[given]
        return Type(kind, most=most), least
    if given == "byte":
        return Type("bytes", most=schema.get("maxLength", _MOST_TEXT)), 2
    return Type("string", most=_text_limit(schema)), 2


def _text_limit(schema: Schema) -> int:
    if "maxLength" in schema:
        return max(int(schema["maxLength"]), 0) * 4  # characters of up to four bytes
    if enum := [len(one) for one in schema.get("enum") or () if isinstance(one, str)]:
        return max(enum)
    return _MOST_TEXT
