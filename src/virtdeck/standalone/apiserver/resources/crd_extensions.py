"""The extensions of schemas: embedded resources, unknown fields, lists and maps of a kind."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.rules import Obj, required, unsupported

_LIST_TYPES, _MAP_TYPES = ("atomic", "set", "map"), ("granular", "atomic")
_SCALARS = ("boolean", "integer", "number", "string")


def causes_of_extensions(schema: Obj, path: str) -> Iterator[Cause]:
    """What is wrong with the extensions of one place of a schema."""
    yield from _causes_of_objects(schema, path)
    if (kind := schema.get("x-kubernetes-list-type")) is not None:
        yield from _causes_of_list_type(schema, kind, path)
    keys = schema.get("x-kubernetes-list-map-keys")
    if keys and kind != "map":
        text = f'Invalid value: "{kind or ""}": must be map if x-kubernetes-list-map-keys is non-empty'
        yield Cause(f"{path}.x-kubernetes-list-type", text)
    if (kind := schema.get("x-kubernetes-map-type")) is not None:
        if kind not in _MAP_TYPES:
            yield unsupported(f"{path}.x-kubernetes-map-type", str(kind), _MAP_TYPES)
        if schema.get("type") != "object":
            yield _must_be(schema, path, "object", "x-kubernetes-map-type is specified")


def _must_be(schema: Obj, path: str, wanted: str, when: str) -> Cause:
    return Cause(f"{path}.type", f'Invalid value: "{schema.get("type", "")}": must be {wanted} if {when}')


def _causes_of_objects(schema: Obj, path: str) -> Iterator[Cause]:
    keeps = schema.get("x-kubernetes-preserve-unknown-fields")
    if keeps is False:
        text = "Invalid value: false: must be true or undefined"
        yield Cause(f"{path}.x-kubernetes-preserve-unknown-fields", text)
    if keeps and schema.get("type") not in (None, "", "object"):
        yield _must_be(schema, path, "object", "x-kubernetes-preserve-unknown-fields is true")
    if schema.get("x-kubernetes-embedded-resource"):
        if schema.get("type") != "object":
            yield _must_be(schema, path, "object", "x-kubernetes-embedded-resource is true")
        if not schema.get("properties") and not keeps:
            why = "must not be empty in an embedded resource that does not keep unknown fields"
            yield Cause(f"{path}.properties", f"Required value: {why}", "FieldValueRequired")


def _causes_of_list_type(schema: Obj, kind: str, path: str) -> Iterator[Cause]:
    if kind not in _LIST_TYPES:
        yield unsupported(f"{path}.x-kubernetes-list-type", str(kind), _LIST_TYPES)
    if schema.get("type") != "array":
        yield _must_be(schema, path, "array", "x-kubernetes-list-type is specified")
        return
    items = schema.get("items")
    if not isinstance(items, dict):
        return
    if kind == "map":
        yield from _causes_of_keys(schema, items, path)
    elif kind == "set" and not _is_atomic(items):
        why = "must be atomic as item of a list with x-kubernetes-list-type=set"
        yield Cause(f"{path}.items", f'Invalid value: "{items.get("type", "")}": {why}')


def _is_atomic(items: Obj) -> bool:
    match items.get("type"):
        case "object":
            return bool(items.get("x-kubernetes-map-type") == "atomic")
        case "array":
            return bool(items.get("x-kubernetes-list-type", "atomic") == "atomic")
    return True


def _causes_of_keys(schema: Obj, items: Obj, path: str) -> Iterator[Cause]:
    keys = schema.get("x-kubernetes-list-map-keys") or []
    if not keys:
        why = "must not be empty if x-kubernetes-list-type is map"
        yield Cause(f"{path}.x-kubernetes-list-map-keys", f"Required value: {why}", "FieldValueRequired")
    if items.get("type") != "object":
        yield _must_be(items, f"{path}.items", "object", "parent is an array with x-kubernetes-list-type=map")
        return
    properties = items.get("properties") or {}
    for index, key in enumerate(keys):
        place = f"{path}.x-kubernetes-list-map-keys[{index}]"
        below = properties.get(key)
        if key in keys[:index]:
            yield Cause(place, f'Duplicate value: "{key}"', "FieldValueDuplicate")
        if below is None:
            yield Cause(place, f'Invalid value: "{key}": entries must all be names of item properties')
        elif below.get("type") not in _SCALARS:
            yield _must_be(
                below, f"{path}.items.properties[{key}]", "a scalar type", "it is a key of the list"
            )
        elif "default" not in below and key not in (items.get("required") or ()):
            yield required(f"{path}.items.properties[{key}].default")
