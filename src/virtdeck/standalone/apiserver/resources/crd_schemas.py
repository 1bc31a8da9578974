"""What a CRD's schema must be like to be structural: every field has its place and one type."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.crd_defaults import causes_of_default
from virtdeck.standalone.apiserver.resources.crd_extensions import causes_of_extensions
from virtdeck.standalone.apiserver.resources.rules import Obj, required, unsupported
from virtdeck.standalone.apiserver.schema.patterns import fault_of_pattern

_TYPES = ("array", "boolean", "integer", "number", "object", "string")
_NOT_SUPPORTED = ("$ref", "additionalItems", "definitions", "dependencies", "id", "patternProperties")
# What only the spine of a schema may say, not allOf, anyOf, oneOf and not.
_OF_THE_SPINE = (
    "type",
    "default",
    "nullable",
    "additionalProperties",
    "title",
    "description",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
)
_EITHER = [{"type": "integer"}, {"type": "string"}]
_STRUCTURAL = "must be empty to be structural"


def causes_of_schema(schema: Any, path: str) -> list[Cause]:
    """Where the schema of a whole object is not structural."""
    if not isinstance(schema, dict):
        return [Cause(path, "Invalid value: must be an object", "FieldValueTypeInvalid")]
    if schema.get("type") != "object":
        if not schema.get("type"):
            return [
                Cause(f"{path}.type", "Required value: must not be empty at the root", "FieldValueRequired")
            ]
        return [Cause(f"{path}.type", f'Invalid value: "{schema["type"]}": must be object at the root')]
    causes = [*_causes_of_root(schema, path), *_walk(schema, path, "")]
    return causes or list(causes_of_default(schema, path))


def _causes_of_root(schema: Obj, path: str) -> Iterator[Cause]:
    properties = schema.get("properties") or {}
    for name, wanted in (("apiVersion", "string"), ("kind", "string"), ("metadata", "object")):
        below = properties.get(name)
        if isinstance(below, dict) and below.get("type") != wanted:
            yield Cause(
                f"{path}.properties[{name}].type",
                f'Invalid value: "{below.get("type", "")}": must be {wanted}',
            )
    meta = properties.get("metadata")
    if isinstance(meta, dict):
        allowed = {"type", "description", "properties"}
        if set(meta) - allowed or set(meta.get("properties") or {}) - {"name", "generateName"}:
            why = "must not specify anything but name and generateName: metadata is implicitly specified"
            yield _forbidden(f"{path}.properties[metadata]", why)
    for name in ("x-kubernetes-embedded-resource", "nullable"):
        if schema.get(name):
            yield _forbidden(f"{path}.{name}", "must be undefined at the root")


def _forbidden(path: str, why: str) -> Cause:
    return Cause(path, f"Forbidden: {why}", "FieldValueForbidden")


def _walk(schema: Any, path: str, place: str) -> Iterator[Cause]:
    """place: where in its parent a schema stands, for the sentence about its type."""
    if not isinstance(schema, dict):
        yield Cause(path, "Invalid value: must be an object", "FieldValueTypeInvalid")
        return
    yield from _causes_of_type(schema, path, place)
    yield from _causes_of_words(schema, path)
    yield from causes_of_extensions(schema, path)
    for name, below in (schema.get("properties") or {}).items():
        yield from _walk(below, f"{path}.properties[{name}]", "object fields")
    if isinstance(below := schema.get("items"), dict):
        yield from _walk(below, f"{path}.items", "array items")
    if isinstance(below := schema.get("additionalProperties"), dict):
        yield from _walk(below, f"{path}.additionalProperties", "object fields")
    yield from _causes_of_parts(schema, schema, path)


def _causes_of_type(schema: Obj, path: str, place: str) -> Iterator[Cause]:
    given = schema.get("type")
    if schema.get("x-kubernetes-int-or-string"):
        if given:
            yield Cause(
                f"{path}.type",
                f'Invalid value: "{given}": must be empty if x-kubernetes-int-or-string is true',
            )
    elif not given:
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            text = f"Required value: must not be empty for specified {place}"
            yield Cause(f"{path}.type", text, "FieldValueRequired")
    elif given not in _TYPES:
        yield unsupported(f"{path}.type", str(given), _TYPES)


def _causes_of_words(schema: Obj, path: str) -> Iterator[Cause]:
    for name in _NOT_SUPPORTED:
        if schema.get(name):
            yield _forbidden(f"{path}.{name}", f"{name} is not supported")
    if schema.get("uniqueItems"):
        yield _forbidden(
            f"{path}.uniqueItems", "uniqueItems cannot be set to true: use x-kubernetes-list-type set"
        )
    others = schema.get("additionalProperties")
    if others is False:
        yield _forbidden(f"{path}.additionalProperties", "additionalProperties cannot be set to false")
    if schema.get("properties") and others not in (None, False):
        yield _forbidden(
            f"{path}.additionalProperties", "additionalProperties and properties are mutual exclusive"
        )
    if isinstance(schema.get("items"), list):
        yield _forbidden(f"{path}.items", "items must be a schema object and not an array")
    if schema.get("type") == "array" and not schema.get("items"):
        yield required(f"{path}.items")
    if (pattern := schema.get("pattern")) and (fault := fault_of_pattern(pattern)):
        why = f"must be a valid regular expression, but isn't: {fault}"
        yield Cause(f"{path}.pattern", f'Invalid value: "{pattern}": {why}')


def _causes_of_parts(schema: Obj, spine: Obj, path: str) -> Iterator[Cause]:
    """allOf, anyOf, oneOf and not: they add conditions, and know no field that the spine does not."""
    for word in ("allOf", "anyOf", "oneOf"):
        for index, part in enumerate(schema.get(word) or ()):
            if isinstance(part, dict) and not (
                spine.get("x-kubernetes-int-or-string") and _is_either(part, word)
            ):
                yield from _causes_of_part(part, spine, f"{path}.{word}[{index}]")
    if isinstance(part := schema.get("not"), dict):
        yield from _causes_of_part(part, spine, f"{path}.not")


def _is_either(part: Obj, word: str) -> bool:
    """The form in which a number or text is also said without the extension."""
    return part in _EITHER if word == "anyOf" else word == "allOf" and part.get("anyOf") == _EITHER


def _causes_of_part(part: Obj, spine: Obj, path: str) -> Iterator[Cause]:
    for name in _OF_THE_SPINE:
        if part.get(name):
            yield _forbidden(f"{path}.{name}", _STRUCTURAL)
    if (pattern := part.get("pattern")) and (fault := fault_of_pattern(pattern)):
        yield Cause(
            f"{path}.pattern", f'Invalid value: "{pattern}": must be a valid regular expression: {fault}'
        )
    for name, below in (part.get("properties") or {}).items():
        typed = (spine.get("properties") or {}).get(name)
        if typed is None and isinstance(spine.get("additionalProperties"), dict):
            typed = spine["additionalProperties"]
        if typed is None:
            text = f"Required value: because it is defined in {path}.properties[{name}]"
            yield Cause(f"{path.partition('.schema')[0]}.schema.openAPIV3Schema", text, "FieldValueRequired")
        elif isinstance(below, dict):
            yield from _causes_of_part(below, typed, f"{path}.properties[{name}]")
    if isinstance(below := part.get("items"), dict):
        yield from _causes_of_part(below, spine.get("items") or {}, f"{path}.items")
    yield from _causes_of_parts(part, spine, path)
