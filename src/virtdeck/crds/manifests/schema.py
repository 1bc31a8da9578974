"""Structural OpenAPI schemas, as CustomResourceDefinitions need them, from Structs.

A structural schema has no references, so a type that is used twice is spelled out twice.
"""

import inspect as python_inspect
from collections.abc import Iterable
from typing import Any, cast

from msgspec import inspect

from virtdeck.crds.kinds import Kind
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model

Schema = dict[str, Any]

INT_OR_STRING = "x-kubernetes-int-or-string"
FREE_FORM: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
# Go's clients write "metadata: {creationTimestamp: null}" into templates.
_EMBEDDED_METADATA = {**FREE_FORM, "nullable": True}
_INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], INT_OR_STRING: True}


def openapi_schema(kind: Kind[Any]) -> Schema:
    """The schema of an object of this kind. Shape: ``type``, ``description``, ``properties`` …"""
    return schema_of_struct(struct_of(kind.type))


def schema_of_struct(node: inspect.StructType) -> Schema:
    """The schema of an object whose type msgspec has read already."""
    schema = _described(node)
    schema["properties"]["metadata"] = {"type": "object"}
    return schema


def type_schema(cls: type[Model]) -> Schema:
    """The schema of a value of this type."""
    return _described(struct_of(cls))


def _described(node: inspect.StructType) -> Schema:
    return {"description": python_inspect.getdoc(node.cls) or "", **Writer().value(node)}


def struct_of(cls: type[Model]) -> inspect.StructType:
    """What msgspec knows of a type."""
    return cast("inspect.StructType", inspect.type_info(cls))


def structs_of(types: Iterable[type[Model]]) -> list[inspect.StructType]:
    """What msgspec knows of several types: what they share is read once, and reading is what costs."""
    return cast("list[inspect.StructType]", inspect.multi_type_info(types))


def without_descriptions(schema: Schema) -> Schema:
    """The same schema, silent."""
    plain = {key: value for key, value in schema.items() if key != "description"}
    if "properties" in plain:
        plain["properties"] = {name: without_descriptions(prop) for name, prop in plain["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in plain:
            plain[key] = without_descriptions(plain[key])
    return plain


class Writer:
    """Types to schemas; a Struct inside another one is spelled out (``struct`` decides that)."""

    def value(self, node: inspect.Type) -> Schema:
        """The schema of any value of the type."""
        match node:
            case inspect.Metadata(type=inner, extra_json_schema=extra):
                extra = extra or {}
                return self.int_or_string() if INT_OR_STRING in extra else self.value(inner) | extra
            case inspect.UnionType(types=types):
                return self.value(_without_null(types))
            case inspect.StructType():
                return self.struct(node)
            case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
                bounds = _given(minItems=least, maxItems=most)
                return {"type": "array", "items": self.value(item)} | bounds
            case inspect.DictType(value_type=value):
                return self.mapping(value)
            case _:
                return _scalar(node)

    def struct(self, node: inspect.StructType) -> Schema:
        """The schema of a Struct that is a field's value."""
        return dict(_EMBEDDED_METADATA) if node.cls is ObjectMeta else self.fields(node)

    def fields(self, node: inspect.StructType) -> Schema:
        """The schema of a Struct with its fields."""
        schema: Schema = {"type": "object"}
        if node.fields:
            schema["properties"] = {field.encode_name: self.field(field.type) for field in node.fields}
        required = [field.encode_name for field in node.fields if field.required]
        return schema | ({"required": required} if required else {})

    def field(self, node: inspect.Type) -> Schema:
        """The field's schema, its own description first."""
        schema, description = self.value(node), _description(node)
        schema.pop("description", None)
        return {"description": description, **schema} if description else schema

    def mapping(self, value: inspect.Type) -> Schema:
        """The schema of an object with any keys."""
        if isinstance(value, inspect.AnyType):
            return dict(FREE_FORM)
        return {"type": "object", "additionalProperties": self.value(value)}

    def int_or_string(self) -> Schema:
        """The schema of a number that may be a text with a unit."""
        return dict(_INT_OR_STRING)


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
