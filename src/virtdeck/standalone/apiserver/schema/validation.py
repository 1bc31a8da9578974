"""Validates an object by its structural schema, with Kubernetes' field paths and sentences."""

from collections.abc import Iterator
from typing import Any

import orjson

from virtdeck.basis.errors import Cause
from virtdeck.crds.formats import has_format
from virtdeck.standalone.apiserver.schema.list_types import items_by_key, key_of_item
from virtdeck.standalone.apiserver.schema.patterns import matches

Schema = dict[str, Any]

_INT_BOUNDS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_PLAIN = {str: "string", bool: "boolean", int: "integer"}
_COMBINED = frozenset({"allOf", "anyOf", "oneOf", "not"})
_MOST_CAUSES = 100  # an object with more faults is told the first hundred


# Stands for "there was none", since an old value may be null.
_NONE = object()


def validate(value: Any, schema: Schema, path: str = "", old: Any = None) -> list[Cause]:
    """What is wrong with the value, in the order of its fields.

    old: the value before, None when it is new. What has not changed is not judged again: a schema that became
    stricter does not keep anybody from changing something else.
    """
    causes: list[Cause] = []
    for cause in _check(value, schema, path, _NONE if old is None else old):
        causes.append(cause)
        if len(causes) == _MOST_CAUSES:
            break
    return causes


def show(value: Any) -> str:
    """A value as messages quote it."""
    return orjson.dumps(value).decode()


def _invalid(path: str, value: Any, text: str) -> Cause:
    return Cause(path or "<nil>", f"Invalid value: {show(value)}: {path or '<nil>'} in body {text}")


def _check(value: Any, schema: Schema, path: str, old: Any = _NONE) -> Iterator[Cause]:
    if (value is None and schema.get("nullable")) or value == old:
        return
    wrong = _type_fault(value, schema, path)
    if wrong is not None:
        yield wrong
        return
    if "enum" in schema and value not in schema["enum"]:
        shown = ", ".join(show(one) for one in schema["enum"])
        text = f"Unsupported value: {show(value)}: supported values: {shown}"
        yield Cause(path or "<nil>", text, "FieldValueNotSupported")
    if isinstance(value, str):
        yield from _check_string(value, schema, path)
    elif isinstance(value, dict):
        yield from _check_map(value, schema, path, old)
    elif isinstance(value, list):
        yield from _check_list(value, schema, path, old)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _check_number(value, schema, path)
    if not _COMBINED.isdisjoint(schema):
        yield from _check_combinations(value, schema, path)


def _fits_plainly(value: Any, schema: Schema) -> bool:
    """Whether the schema asks for nothing but a type, and that is right: so it is with most fields."""
    kind = _PLAIN.get(type(value))
    if kind is None or kind != schema.get("type"):
        return False
    return len(schema) == 1 or (len(schema) == 2 and "description" in schema)


def json_type(value: Any) -> str:  # noqa: PLR0911 - a table
    """The JSON type's name as messages say it."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"


def _type_fault(value: Any, schema: Schema, path: str) -> Cause | None:
    found = json_type(value)
    if schema.get("x-kubernetes-int-or-string"):
        return None if found in ("integer", "string") else _wrong_type(path, "integer,string", found)
    wanted = schema.get("type")
    if wanted is None or wanted == found:
        return None
    if wanted == "number" and found == "integer":
        return None
    if wanted == "integer" and isinstance(value, float) and value.is_integer():
        return None
    return _wrong_type(path, wanted, found)


def _wrong_type(path: str, wanted: str, found: str) -> Cause:
    named = path or "<nil>"
    text = f'Invalid value: "{found}": {named} in body must be of type {wanted}: "{found}"'
    return Cause(named, text, "FieldValueTypeInvalid")


def _check_string(value: str, schema: Schema, path: str) -> Iterator[Cause]:
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        text = f"Too long: may not be more than {schema['maxLength']} bytes"
        yield Cause(path or "<nil>", text, "FieldValueTooLong")
    if "minLength" in schema and len(value) < schema["minLength"]:
        yield _invalid(path, value, f"should be at least {schema['minLength']} chars long")
    if "pattern" in schema and not matches(schema["pattern"], value):
        yield _invalid(path, value, f"should match '{schema['pattern']}'")
    if "format" in schema and not has_format(value, schema["format"]):
        yield _invalid(path, value, f"must be of type {schema['format']}: {show(value)}")


def _check_number(value: float, schema: Schema, path: str) -> Iterator[Cause]:
    if schema.get("format") in _INT_BOUNDS and schema.get("type") == "integer":
        low, high = _INT_BOUNDS[schema["format"]]
        if not low <= value <= high:
            yield _invalid(path, value, f"must be of type {schema['format']}: {show(str(value))}")
    if "minimum" in schema:
        bound, open_end = schema["minimum"], schema.get("exclusiveMinimum")
        if value < bound or (open_end and value == bound):
            words = "greater than" if open_end else "greater than or equal to"
            yield _invalid(path, value, f"should be {words} {show(bound)}")
    if "maximum" in schema:
        bound, open_end = schema["maximum"], schema.get("exclusiveMaximum")
        if value > bound or (open_end and value == bound):
            words = "less than" if open_end else "less than or equal to"
            yield _invalid(path, value, f"should be {words} {show(bound)}")
    if schema.get("multipleOf") and value % schema["multipleOf"]:
        yield _invalid(path, value, f"should be a multiple of {show(schema['multipleOf'])}")


def _check_map(value: dict[str, Any], schema: Schema, path: str, old: Any) -> Iterator[Cause]:
    for name in schema.get("required") or ():
        if name not in value:
            yield Cause(_join(path, name), "Required value", "FieldValueRequired")
    if "maxProperties" in schema and len(value) > schema["maxProperties"]:
        yield _too_many(path, len(value), schema["maxProperties"])
    if "minProperties" in schema and len(value) < schema["minProperties"]:
        yield _invalid(path, value, f"should have at least {schema['minProperties']} properties")
    properties = schema.get("properties") or {}
    others = schema.get("additionalProperties")
    before = old if isinstance(old, dict) else {}
    for name, item in value.items():
        below = properties.get(name, others)
        if isinstance(below, dict) and not _fits_plainly(item, below):
            yield from _check(item, below, _join(path, name), before.get(name, _NONE))


def _too_many(path: str, found: int, most: int) -> Cause:
    return Cause(path or "<nil>", f"Too many: {found}: must have at most {most} items", "FieldValueTooMany")


def _check_list(value: list[Any], schema: Schema, path: str, old: Any) -> Iterator[Cause]:
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        yield _too_many(path, len(value), schema["maxItems"])
    if "minItems" in schema and len(value) < schema["minItems"]:
        yield _invalid(path, len(value), f"should have at least {schema['minItems']} items")
    items = schema.get("items")
    if isinstance(items, dict):
        before = items_by_key(schema, old)
        for index, item in enumerate(value):
            if _fits_plainly(item, items):
                continue
            was = before.get(key_of_item(schema, item), _NONE) if before else _NONE
            yield from _check(item, items, f"{path}[{index}]", was)


def _check_combinations(value: Any, schema: Schema, path: str) -> Iterator[Cause]:
    for one in schema.get("allOf") or ():
        yield from _check(value, one, path)
    if (several := schema.get("anyOf")) and not any(_holds(value, one, path) for one in several):
        yield _combination(path, "must validate at least one schema (anyOf)")
    if several := schema.get("oneOf"):
        count = sum(_holds(value, one, path) for one in several)
        if count != 1:
            found = "none valid" if not count else f"{count} valid alternatives"
            yield _combination(path, f"must validate one and only one schema (oneOf). Found {found}")
    if (unwanted := schema.get("not")) and _holds(value, unwanted, path):
        yield _combination(path, "must not validate the schema (not)")


def _holds(value: Any, schema: Schema, path: str) -> bool:
    return next(_check(value, schema, path), None) is None


def _combination(path: str, text: str) -> Cause:
    return Cause(path or "<nil>", f'Invalid value: "": "{path}" {text}')


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
