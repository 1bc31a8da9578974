"""From a CustomResourceDefinition to the resources that it defines, one for each served version."""

from typing import Any

from virtdeck.standalone.apiserver.default_definitions import KEPT
from virtdeck.standalone.apiserver.objects.ca_bundle import decode_bundle
from virtdeck.standalone.apiserver.resources.custom import CustomRules
from virtdeck.standalone.apiserver.resources.kept_schema import KeptSchema
from virtdeck.standalone.apiserver.resources.preference import version_rank
from virtdeck.standalone.apiserver.resources.resource import Column, Conversion, Resource, ScalePaths

Obj = dict[str, Any]


def resources_of(definition: Obj, data: bytes) -> list[Resource]:
    """What a valid CRD serves. data: the CRD as it is stored."""
    spec = definition["spec"]
    stored = next(version["name"] for version in spec["versions"] if version.get("storage"))
    return [
        _resource(definition, data, version, f"{spec['group']}/{stored}")
        for version in spec["versions"]
        if version.get("served")
    ]


def stored_resource(definition: Obj, data: bytes) -> Resource:
    """The version that objects are stored in, served or not. data: the CRD as it is stored."""
    spec = definition["spec"]
    stored = next(version for version in spec["versions"] if version.get("storage"))
    return _resource(definition, data, stored, f"{spec['group']}/{stored['name']}")


def _resource(definition: Obj, data: bytes, version: Obj, stored_api_version: str) -> Resource:
    spec = definition["spec"]
    names = spec["names"]
    subresources = version.get("subresources") or {}
    schema = KeptSchema(data, version["name"])
    selectable = frozenset(
        field["jsonPath"].removeprefix(".") for field in version.get("selectableFields") or ()
    )
    return Resource(
        group=spec["group"],
        version=version["name"],
        plural=names["plural"],
        kind=names["kind"],
        namespaced=spec["scope"] == "Namespaced",
        singular=names.get("singular") or names["kind"].lower(),
        short_names=tuple(names.get("shortNames") or ()),
        categories=tuple(names.get("categories") or ()),
        subresources=tuple(name for name in ("scale", "status") if name in subresources),
        rules=CustomRules(schema, "status" in subresources, selectable, KEPT.get(spec["group"], "")),
        stored_api_version=stored_api_version,
        kept_schema=schema,
        columns=tuple(_column(one) for one in version.get("additionalPrinterColumns") or ()),
        scale=_scale(subresources.get("scale")),
        conversion=_conversion(definition),
        deprecation=_deprecation(version, spec),
        crd=definition["metadata"]["name"],
    )


def _conversion(definition: Obj) -> Conversion | None:
    given = definition["spec"].get("conversion") or {}
    if given.get("strategy") != "Webhook":
        return None
    client = (given.get("webhook") or {}).get("clientConfig") or {}
    ca = decode_bundle(client.get("caBundle") or "")
    return Conversion(client, ca, definition["metadata"].get("generation", 1))


def _column(given: Obj) -> Column:
    return Column(
        name=given["name"],
        json_path=given["jsonPath"],
        type=given["type"],
        format=given.get("format", ""),
        description=given.get("description", ""),
        priority=given.get("priority", 0),
    )


def _scale(given: Obj | None) -> ScalePaths | None:
    if not given:
        return None
    return ScalePaths(given["specReplicasPath"], given["statusReplicasPath"], given.get("labelSelectorPath"))


def _deprecation(version: Obj, spec: Obj) -> str:
    """What a client of a deprecated version is told; by default also which version to use instead."""
    if not version.get("deprecated"):
        return ""
    group, kind = spec["group"], spec["names"]["kind"]
    newer = [
        one["name"]
        for one in spec["versions"]
        if one.get("served")
        and not one.get("deprecated")
        and version_rank(one["name"]) < version_rank(version["name"])
    ]
    default = f"{group}/{version['name']} {kind} is deprecated"
    if newer:
        default += f"; use {group}/{min(newer, key=version_rank)} {kind}"
    return str(version.get("deprecationWarning") or default)
