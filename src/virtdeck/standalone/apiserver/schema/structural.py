"""Structural schemas of CRDs: what they drop from an object and what they add to it."""

from typing import Any

from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of

Schema = dict[str, Any]

_EMBEDDED = ("apiVersion", "kind", "metadata")


def prune(value: Any, schema: Schema, path: str = "") -> list[str]:
    """Fields that the schema does not know are gone from ``value``; their paths are answered."""
    if isinstance(value, dict):
        return _prune_map(value, schema, path)
    items = schema.get("items")
    if isinstance(value, list) and isinstance(items, dict):
        return [lost for index, item in enumerate(value) for lost in prune(item, items, f"{path}[{index}]")]
    return []


def prune_root(obj: dict[str, Any], schema: Schema) -> list[str]:
    """As ``prune`` for a whole object: its type and metadata are not the schema's."""
    return _prune_map(obj, {**schema, "x-kubernetes-embedded-resource": True}, "")


def _prune_map(value: dict[str, Any], schema: Schema, path: str) -> list[str]:
    properties = schema.get("properties") or {}
    others = schema.get("additionalProperties")
    keep_all = schema.get("x-kubernetes-preserve-unknown-fields") or others is True
    embedded = _EMBEDDED if schema.get("x-kubernetes-embedded-resource") else ()
    lost = _lose_metadata(value, path) if embedded and path else []
    for name in list(value):
        below = properties.get(name)
        if below is None and isinstance(others, dict):
            below = others
        if below is not None and name not in embedded:
            lost += prune(value[name], below, _join(path, name))
        elif below is None and not keep_all and name not in embedded:
            del value[name]
            lost.append(_join(path, name))
    return lost


def _lose_metadata(value: dict[str, Any], path: str) -> list[str]:
    """An embedded resource's metadata has the fields that metadata has, whatever the schema keeps."""
    meta = value.get("metadata")
    if not isinstance(meta, dict):
        return []
    lost = [name for name in meta if name not in fields_of("meta.v1.ObjectMeta")]
    for name in lost:
        del meta[name]
    return [f"{path}.metadata.{name}" for name in lost]


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def apply_defaults(value: Any, schema: Schema) -> None:
    """Absent fields have the schema's defaults; nulls that may not be there go, or give way to them."""
    if isinstance(value, dict):
        _default_map(value, schema)
    elif isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        for item in value:
            apply_defaults(item, items)


def _default_map(value: dict[str, Any], schema: Schema) -> None:
    properties = schema.get("properties") or {}
    for name, below in properties.items():
        if name in value and value[name] is None and not below.get("nullable"):
            del value[name]
        if name in value:
            apply_defaults(value[name], below)
        elif "default" in below:
            value[name] = copy_json(below["default"])
            apply_defaults(value[name], below)
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        for name in [name for name in value if name not in properties]:
            if value[name] is None and not others.get("nullable"):
                del value[name]
            else:
                apply_defaults(value[name], others)


def copy_json(value: Any) -> Any:
    """A deep copy of JSON data."""
    if isinstance(value, dict):
        return {name: copy_json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [copy_json(item) for item in value]
    return value


def has_rules(schema: Any) -> bool:
    """Whether a schema has ``x-kubernetes-validations`` anywhere."""
    if isinstance(schema, dict):
        return "x-kubernetes-validations" in schema or any(map(has_rules, schema.values()))
    return isinstance(schema, list) and any(map(has_rules, schema))
