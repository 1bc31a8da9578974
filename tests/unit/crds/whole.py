"""Objects with every field set, made from a schema, and fixtures made to fit one."""

from typing import Any

Plain = dict[str, Any]

_BITS = {"int32": 31, "int64": 63}
_TIME = "2026-01-31T12:00:00Z"


def whole(schema: Plain, name: str = "value") -> Any:
    """A value with all that the schema allows, one entry in each list and map. name: what texts say."""
    if schema.get("x-kubernetes-int-or-string"):
        return "1Gi"
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return _object(schema)
    if schema["type"] == "array":
        return [whole(schema["items"], name)]
    text = _TIME if schema.get("format") == "date-time" else f"{name}Value"
    number = max(1, schema.get("minimum", 1))
    return {"string": text, "boolean": True, "integer": number, "number": 1.5}[schema["type"]]


def _object(schema: Plain) -> Plain:
    if "properties" in schema:
        return {field: whole(part, field) for field, part in schema["properties"].items()}
    if "additionalProperties" in schema:
        return {"key": whole(schema["additionalProperties"])}
    return {"kept": [{"as": "it is"}, 0, False, ""]} if _is_open(schema) else {}


def _is_open(schema: Plain) -> bool:
    return bool(schema.get("x-kubernetes-preserve-unknown-fields")) and not schema.get("nullable")


def fitted(value: Any, schema: Plain) -> Any:
    """The value, with a word or a number that is allowed where its own is not.

    KubeVirt's fixtures have any word where few are allowed, and numbers as large as its unsigned ones.
    """
    if "enum" in schema:
        return value if value in schema["enum"] else schema["enum"][0]
    if isinstance(value, list):
        return [fitted(item, schema.get("items", {})) for item in value]
    if isinstance(value, dict):
        parts, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        return {name: fitted(item, parts.get(name, rest)) for name, item in value.items()}
    bits = _BITS.get(schema.get("format", ""))
    return value % 1000 if bits and not -(2**bits) <= value < 2**bits else value
