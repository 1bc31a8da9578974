"""An OpenAPI v2 document in gnostic's protobuf form, which is the only one that older kubectl asks for.

Field numbers: gnostic's openapiv2 messages Document, Schema, PathItem, Operation and those below them.
"""

from typing import Any

import orjson

Obj = dict[str, Any]

_TEXT_FIELDS = {"$ref": 1, "format": 2, "title": 3, "description": 4, "pattern": 13}
_DOUBLE_FIELDS = {"multipleOf": 6, "maximum": 7, "minimum": 9}
_INT_FIELDS = {
    "maxLength": 11,
    "minLength": 12,
    "maxItems": 14,
    "minItems": 15,
    "maxProperties": 17,
    "minProperties": 18,
}
_BOOL_FIELDS = {"exclusiveMaximum": 8, "exclusiveMinimum": 10, "uniqueItems": 16}
_METHODS = {"get": 2, "put": 3, "post": 4, "delete": 5, "patch": 8}


def encode_document(document: Obj) -> bytes:
    """The document's info, paths and definitions."""
    info = _text(1, document["info"]["title"]) + _text(2, document["info"]["version"])
    paths = b"".join(_named(2, name, _path_item(item)) for name, item in document["paths"].items())
    definitions = b"".join(_named(1, name, _schema(one)) for name, one in document["definitions"].items())
    return _text(1, "2.0") + _bytes(2, info) + _bytes(8, paths) + _bytes(9, definitions)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _text(number: int, text: str) -> bytes:
    return _bytes(number, text.encode())


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(int(value))


def _double(number: int, value: float) -> bytes:
    # Imported here: few schemas have bounds.
    import struct

    return _varint(number << 3 | 1) + struct.pack("<d", value)


def _named(number: int, name: str, value: bytes) -> bytes:
    return _bytes(number, _text(1, name) + _bytes(2, value))


def _any(value: Any) -> bytes:
    """JSON is YAML."""
    return _text(2, orjson.dumps(value).decode())


def _extensions(number: int, given: Obj) -> bytes:
    return b"".join(
        _named(number, name, _any(value)) for name, value in given.items() if name.startswith("x-")
    )


def _schema(schema: Obj) -> bytes:
    out = b"".join(
        _text(number, str(schema[name])) for name, number in _TEXT_FIELDS.items() if name in schema
    )
    out += b"".join(
        _double(number, schema[name]) for name, number in _DOUBLE_FIELDS.items() if name in schema
    )
    out += b"".join(_number(number, schema[name]) for name, number in _INT_FIELDS.items() if name in schema)
    out += b"".join(
        _number(number, schema[name]) for name, number in _BOOL_FIELDS.items() if schema.get(name)
    )
    out += b"".join(_text(19, name) for name in schema.get("required") or ())
    out += b"".join(_bytes(20, _any(value)) for value in schema.get("enum") or ())
    if "default" in schema:
        out += _bytes(5, _any(schema["default"]))
    return out + _children(schema) + _extensions(31, schema)


def _children(schema: Obj) -> bytes:
    out = b""
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        out += _bytes(21, _bytes(1, _schema(others)))
    elif isinstance(others, bool):
        out += _bytes(21, _number(2, others))
    if "type" in schema:
        out += _bytes(22, _text(1, schema["type"]))
    if isinstance(schema.get("items"), dict):
        out += _bytes(23, _bytes(1, _schema(schema["items"])))
    if schema.get("properties"):
        out += _bytes(
            25, b"".join(_named(1, name, _schema(one)) for name, one in schema["properties"].items())
        )
    return out


def _path_item(item: Obj) -> bytes:
    return b"".join(_bytes(_METHODS[method], _operation(one)) for method, one in item.items())


def _operation(operation: Obj) -> bytes:
    out = _text(5, operation["operationId"])
    out += b"".join(_bytes(8, _query_parameter(one)) for one in operation["parameters"])
    responses = _named(1, "200", _bytes(1, _text(1, "OK")))
    return out + _bytes(9, responses) + _extensions(13, operation)


def _query_parameter(parameter: Obj) -> bytes:
    inner = _text(2, "query") + _text(4, parameter["name"]) + _text(6, parameter["type"])
    # ParametersItem.parameter > Parameter.non_body_parameter > NonBodyParameter.query_parameter_sub_schema
    return _bytes(1, _bytes(2, _bytes(3, inner)))
