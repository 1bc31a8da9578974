"""Validates an object by its structural schema, with Kubernetes' field paths and sentences."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import orjson

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.schema.formats import has_format

Schema = dict[str, Any]

_INT_BOUNDS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_MOST_CAUSES = 100  # an object with more faults is told the first hundred


def validate(value: Any, schema: Schema, path: str = "") -> list[Cause]:
    """What is wrong with the value, in the order of its fields."""
    causes: list[Cause] = []
    for cause in _check(value, schema, path):
        causes.append(cause)
        if len(causes) == _MOST_CAUSES:
            break
    return causes


def show(value: Any) -> str:
    """A value as messages quote it."""
    return orjson.dumps(value).decode()


def _invalid(path: str, value: Any, text: str) -> Cause:
    return Cause(path or "<nil>", f"Invalid value: {show(value)}: {path or '<nil>'} in body {text}")


def _check(value: Any, schema: Schema, path: str) -> Iterator[Cause]:
    if value is None and schema.get("nullable"):
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
        yield from _check_map(value, schema, path)
    elif isinstance(value, list):
        yield from _check_list(value, schema, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _check_number(value, schema, path)
    yield from _check_combinations(value, schema, path)


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
    if "pattern" in schema and not _matches(schema["pattern"], value):
        yield _invalid(path, value, f"should match '{schema['pattern']}'")
    if "format" in schema and not has_format(value, schema["format"]):
        yield _invalid(path, value, f"must be of type {schema['format']}: {show(value)}")


def _matches(pattern: str, value: str) -> bool:
    return _compile(pattern).search(value) is not None


@lru_cache(maxsize=512)
def _compile(pattern: str) -> re.Pattern[str]:
    # Go's \z is Python's \Z; otherwise the common part of both languages is what schemas use.
    return re.compile(pattern.replace(r"\z", r"\Z"))


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


def _check_map(value: dict[str, Any], schema: Schema, path: str) -> Iterator[Cause]:
    for name in schema.get("required") or ():
        if name not in value:
            yield Cause(_join(path, name), "Required value", "FieldValueRequired")
    if "maxProperties" in schema and len(value) > schema["maxProperties"]:
        yield _too_many(path, len(value), schema["maxProperties"])
    if "minProperties" in schema and len(value) < schema["minProperties"]:
        yield _invalid(path, value, f"should have at least {schema['minProperties']} properties")
    properties = schema.get("properties") or {}
    others = schema.get("additionalProperties")
    for name, item in value.items():
        below = properties.get(name, others)
        if isinstance(below, dict):
            yield from _check(item, below, _join(path, name))


def _too_many(path: str, found: int, most: int) -> Cause:
    return Cause(path or "<nil>", f"Too many: {found}: must have at most {most} items", "FieldValueTooMany")


def _check_list(value: list[Any], schema: Schema, path: str) -> Iterator[Cause]:
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        yield _too_many(path, len(value), schema["maxItems"])
    if "minItems" in schema and len(value) < schema["minItems"]:
        yield _invalid(path, len(value), f"should have at least {schema['minItems']} items")
    items = schema.get("items")
    if isinstance(items, dict):
        for index, item in enumerate(value):
            yield from _check(item, items, f"{path}[{index}]")
    yield from _check_unique(value, schema, path)


def _check_unique(value: list[Any], schema: Schema, path: str) -> Iterator[Cause]:
    kind = schema.get("x-kubernetes-list-type")
    if kind not in ("set", "map"):
        return
    keys = schema.get("x-kubernetes-list-map-keys") or ()
    defaults = {
        name: below["default"]
        for name, below in ((schema.get("items") or {}).get("properties") or {}).items()
        if "default" in below
    }
    seen = set()
    for index, item in enumerate(value):
        if kind == "map":
            if not isinstance(item, dict):
                continue
            item = {name: item.get(name, defaults.get(name)) for name in keys}  # noqa: PLW2901
        mark = orjson.dumps(item, option=orjson.OPT_SORT_KEYS)
        if mark in seen:
            yield Cause(f"{path}[{index}]", f"Duplicate value: {show(item)}", "FieldValueDuplicate")
        seen.add(mark)


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
