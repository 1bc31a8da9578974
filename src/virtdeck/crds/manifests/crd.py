"""CustomResourceDefinitions around the schemas."""

from collections.abc import Sequence
from typing import Any

from virtdeck.crds.kinds import Column, Kind, Version
from virtdeck.crds.manifests.schema import (
    Schema,
    openapi_schema,
    schema_of_struct,
    structs_of,
    without_descriptions,
)


def crd_manifest(kind: Kind[Any]) -> dict[str, Any]:
    """The CustomResourceDefinition (apiextensions.k8s.io/v1) of a kind."""
    return _manifest(kind, openapi_schema(kind))


def crd_manifests(kinds: Sequence[Kind[Any]]) -> list[dict[str, Any]]:
    """The CustomResourceDefinitions of many kinds, in their order; faster than one by one."""
    structs = structs_of(kind.type for kind in kinds)
    return [_manifest(kind, schema_of_struct(node)) for kind, node in zip(kinds, structs, strict=True)]


def _manifest(kind: Kind[Any], schema: Schema) -> dict[str, Any]:
    label = "operator.kubevirt.io" if kind.kind == "KubeVirt" else "kubevirt.io"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{kind.group}", "labels": {label: ""}},
        "spec": {
            "group": kind.group,
            "scope": kind.scope,
            "names": _names(kind),
            "conversion": {"strategy": "None"},
            "versions": _versions(kind, schema),
        },
    }


def _names(kind: Kind[Any]) -> dict[str, Any]:
    names: dict[str, Any] = {
        "plural": kind.plural,
        "singular": kind.singular,
        "kind": kind.kind,
        "listKind": kind.list_kind,
    }
    if kind.short_names:
        names["shortNames"] = list(kind.short_names)
    if kind.categories:
        names["categories"] = list(kind.categories)
    return names


def _versions(kind: Kind[Any], schema: Schema) -> list[dict[str, Any]]:
    """The version that virtdeck speaks first; the others repeat its schema without descriptions,
    for they would double the manifest."""
    newest = _served(kind, Version(kind.version), schema)
    silent = without_descriptions(schema) if kind.older else {}
    return [newest, *(_served(kind, version, silent) for version in kind.older)]


def _served(kind: Kind[Any], version: Version, schema: Schema) -> dict[str, Any]:
    stored = kind.stored or kind.version
    served: dict[str, Any] = {"name": version.name, "served": True, "storage": version.name == stored}
    if kind.deprecation or version.deprecated:
        served |= {"deprecated": True, "deprecationWarning": _warning(kind, version)}
    served["schema"] = {"openAPIV3Schema": schema}
    if kind.subresources:
        served["subresources"] = {name: _subresource(kind, name) for name in kind.subresources}
    if kind.columns:
        served["additionalPrinterColumns"] = [_column(column) for column in kind.columns]
    return served


def _warning(kind: Kind[Any], version: Version) -> str:
    """The sentence that a client of this version is shown; at most 256 characters, without a line break."""
    if kind.deprecation:
        return f"{kind.group}/{version.name} {kind.kind} is deprecated: {kind.deprecation}"
    same = f"use {kind.api_version}, which has the same fields"
    return version.warning or f"{kind.group}/{version.name} is deprecated; {same}"


def _subresource(kind: Kind[Any], name: str) -> dict[str, str]:
    if name != "scale":
        return {}
    scale = kind.scale
    return {
        "specReplicasPath": scale.spec_path,
        "statusReplicasPath": scale.status_path,
        "labelSelectorPath": scale.selector_path,
    }


def _column(column: Column) -> dict[str, Any]:
    shape: dict[str, Any] = {"name": column.name, "type": column.type, "jsonPath": column.json_path}
    if column.description:
        shape["description"] = column.description
    if column.priority:
        shape["priority"] = column.priority
    return shape
