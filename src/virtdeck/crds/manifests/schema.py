"""Structural OpenAPI schemas, as CustomResourceDefinitions need them, from Structs.

A structural schema has no references, so a type that is used twice is spelled out twice.
"""

import inspect as python_inspect
from typing import Any, cast

from msgspec import inspect

from virtdeck.crds.kinds import Kind
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model

Schema = dict[str, Any]

_FREE_FORM = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
# Go's clients write "metadata: {creationTimestamp: null}" into templates.
_EMBEDDED_METADATA = {**_FREE_FORM, "nullable": True}
_INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}


def openapi_schema(kind: Kind[Any], *, described: bool = True) -> Schema:
    """The schema of an object of this kind. Shape: ``type``, ``description``, ``properties`` …"""
    schema = type_schema(kind.type)
    schema["properties"]["metadata"] = {"type": "object"}
    return schema if described else without_descriptions(schema)


def type_schema(cls: type[Model]) -> Schema:
    """The schema of a value of this type."""
    schema = _struct(cast("inspect.StructType", inspect.type_info(cls)))
    return {"description": python_inspect.getdoc(cls) or "", **schema}


def without_descriptions(schema: Schema) -> Schema:
    """The same schema, silent."""
    plain = {key: value for key, value in schema.items() if key != "description"}
    if "properties" in plain:
        plain["properties"] = {name: without_descriptions(prop) for name, prop in plain["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in plain:
            plain[key] = without_descriptions(plain[key])
    return plain


def _schema(node: inspect.Type) -> Schema:
    match node:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            extra = extra or {}
            return dict(_INT_OR_STRING) if "x-kubernetes-int-or-string" in extra else _schema(inner) | extra
        case inspect.UnionType(types=types):
            return _schema(_without_null(types))
        case inspect.StructType():
            return _struct(node)
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            bounds = _given(minItems=least, maxItems=most)
            return {"type": "array", "items": _schema(item)} | bounds
        case inspect.DictType(value_type=value):
            return _map(value)
        case _:
            return _scalar(node)


def _scalar(node: inspect.Type) -> Schema:
    match node:
        case inspect.StrType(min_length=least, max_length=most, pattern=pattern):
            return {"type": "string"} | _given(minLength=least, maxLength=most, pattern=pattern)
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.IntType(ge=least, le=most):
            return {"type": "integer", "format": "int64"} | _given(minimum=least, maximum=most)
        case inspect.FloatType():
            return {"type": "number"}
        case _:
            raise TypeError(f"no structural schema for {node!r}")


def _map(value: inspect.Type) -> Schema:
    if isinstance(value, inspect.AnyType):
        return dict(_FREE_FORM)
    return {"type": "object", "additionalProperties": _schema(value)}


def _struct(node: inspect.StructType) -> Schema:
    if node.cls is ObjectMeta:
        return dict(_EMBEDDED_METADATA)
    schema: Schema = {"type": "object"}
    if node.fields:
        schema["properties"] = {field.encode_name: _field(field.type) for field in node.fields}
    required = [field.encode_name for field in node.fields if field.required]
    return schema | ({"required": required} if required else {})


def _field(node: inspect.Type) -> Schema:
    """The field's schema, its own description first."""
    schema, description = _schema(node), _description(node)
    schema.pop("description", None)
    return {"description": description, **schema} if description else schema


def _description(node: inspect.Type) -> str:
    """What the field says of itself, else what its type says."""
    match node:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            return str((extra or {}).get("description") or _description(inner))
        case inspect.UnionType(types=types):
            return " ".join(filter(None, map(_description, types)))
        case inspect.StructType(cls=cls):
            return python_inspect.getdoc(cls) or ""
        case _:
            return ""


def _without_null(types: tuple[inspect.Type, ...]) -> inspect.Type:
    """The one type that is left: an API field has one type, or is an int-or-string (handled by its Meta)."""
    (left,) = (kind for kind in types if not isinstance(kind, inspect.NoneType))
    return left


def _given(**values: Any) -> Schema:
    return {key: value for key, value in values.items() if value is not None}
