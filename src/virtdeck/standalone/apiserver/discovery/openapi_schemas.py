"""The schemas of OpenAPI documents: from built-in types and from CRDs. Pure."""

from collections.abc import Callable, Iterable
from typing import Any

from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.kubernetes_types import (
    all_types,
    fields_of,
    is_type,
    item_type,
    required_of,
)
from virtdeck.standalone.apiserver.schema.merging import is_set, merge_keys

Obj = dict[str, Any]
Name = Callable[[str], str]  # a definition's name to a reference to it

_META = "io.k8s.apimachinery.pkg.apis.meta.v1"
_PACKAGES = {
    "meta.v1": _META,
    "apiregistration.v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
    "apiextensions.v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
}
_QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
_INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
_RAW = "io.k8s.apimachinery.pkg.runtime.RawExtension"
_PLAIN: dict[str, Obj] = {
    "s": {"type": "string"},
    "i": {"type": "integer", "format": "int64"},
    "b": {"type": "boolean"},
    "f": {"type": "number", "format": "double"},
    "t": {"type": "string", "format": "date-time"},
    "y": {"type": "string", "format": "byte"},
}
_SPECIAL: dict[str, Obj] = {
    _QUANTITY: {"type": "string", "description": "An amount with an optional suffix, such as 250m or 2Gi"},
    _INT_OR_STRING: {"type": "string", "format": "int-or-string", "description": "A number or a text"},
    _RAW: {"type": "object", "description": "Any object"},
}
_RETAIN = {("core.v1.PodSpec", "volumes")}


def definition_name(type_name: str) -> str:
    """How a built-in type is called in OpenAPI documents."""
    package, _, kind = type_name.rpartition(".")
    return f"{_PACKAGES.get(package) or 'io.k8s.api.' + package}.{kind}"


def custom_name(resource: Resource) -> str:
    """How a CRD's kind is called: its group backwards, version, kind."""
    return ".".join([*reversed(resource.group.split(".")), resource.version, resource.kind])


def resource_name(resource: Resource) -> str:
    """The definition of a resource's kind."""
    return custom_name(resource) if resource.is_custom else definition_name(resource.type_name)


def gvk(resource: Resource) -> Obj:
    """The extension's value that ties a definition or an operation to a kind."""
    return {"group": resource.group, "kind": resource.kind, "version": resource.version}


def schemas_of(resources: Iterable[Resource], ref: Name, adapt: Callable[[Obj], Obj]) -> dict[str, Obj]:
    """All definitions that the resources need. adapt: what a CRD's schema becomes in this document."""
    found: dict[str, Obj] = {name: dict(value) for name, value in _SPECIAL.items()}
    _collect("meta.v1.ObjectMeta", ref, found)
    _collect("policy.v1.DeleteOptions", ref, found)
    for resource in resources:
        if resource.schema is None:
            _collect(resource.type_name, ref, found)
            definition = found[definition_name(resource.type_name)]
        else:
            definition = found[custom_name(resource)] = _custom(adapt(resource.schema), ref)
        definition["x-kubernetes-group-version-kind"] = [gvk(resource)]
    return found


def _custom(schema: Obj, ref: Name) -> Obj:
    properties = {
        **(schema.get("properties") or {}),
        "apiVersion": {"type": "string", "description": "The group and version of this object"},
        "kind": {"type": "string", "description": "What this object is"},
        "metadata": {"$ref": ref(f"{_META}.ObjectMeta")},
    }
    return {**schema, "properties": properties}


def _collect(type_name: str, ref: Name, found: dict[str, Obj]) -> None:
    name = definition_name(type_name)
    if name in found or type_name not in all_types():
        return
    definition = found[name] = {"type": "object", "properties": {}}
    for field, kind in fields_of(type_name).items():
        definition["properties"][field] = {**_field(kind, ref, found), **_merging(type_name, field)}
    if needed := required_of(type_name):
        definition["required"] = list(needed)


def _field(kind: str, ref: Name, found: dict[str, Obj]) -> Obj:
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if kind in "qno":
        return {"$ref": ref({"q": _QUANTITY, "n": _INT_OR_STRING, "o": _RAW}[kind])}
    if kind[0] == "[":
        return {"type": "array", "items": _field(item_type(kind), ref, found)}
    if kind[0] == "{":
        return {"type": "object", "additionalProperties": _field(item_type(kind), ref, found)}
    if is_type(kind):
        _collect(kind, ref, found)
    return {"$ref": ref(definition_name(kind))}


def _merging(type_name: str, field: str) -> Obj:
    keys = merge_keys(type_name, field)
    if keys:
        strategy = "merge,retainKeys" if (type_name, field) in _RETAIN else "merge"
        return {
            "x-kubernetes-patch-merge-key": keys[0],
            "x-kubernetes-patch-strategy": strategy,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": list(keys),
        }
    if is_set(type_name, field):
        return {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-list-type": "set"}
    return {}


_NOT_IN_V2 = ("oneOf", "anyOf", "allOf", "not", "nullable", "x-kubernetes-validations")


def to_v2(schema: Obj) -> Obj:
    """A structural schema in the older, smaller language: what it cannot say is left open."""
    if schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("x-kubernetes-int-or-string"):
        return {name: value for name, value in schema.items() if name == "description" or name[:2] == "x-"}
    made: Obj = {}
    for name, value in schema.items():
        if name == "properties":
            made[name] = {field: to_v2(below) for field, below in value.items()}
        elif name in ("items", "additionalProperties") and isinstance(value, dict):
            made[name] = to_v2(value)
        elif name not in _NOT_IN_V2:
            made[name] = value
    if schema.get("nullable"):
        made.pop("type", None)
    return made
