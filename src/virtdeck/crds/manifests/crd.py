"""CustomResourceDefinitions around the schemas."""

from typing import Any

from virtdeck.crds.kinds import Column, Kind
from virtdeck.crds.manifests.schema import Schema, openapi_schema


def crd_manifest(kind: Kind[Any]) -> dict[str, Any]:
    """The CustomResourceDefinition (apiextensions.k8s.io/v1) of a kind."""
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
            "versions": [_version(kind), *(_older_version(kind, version) for version in kind.older_versions)],
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


def _version(kind: Kind[Any]) -> dict[str, Any]:
    return _served(kind, kind.version, openapi_schema(kind)) | {"storage": True}


def _older_version(kind: Kind[Any], version: str) -> dict[str, Any]:
    """The same schema under its old name, without descriptions, for they would double the manifest."""
    warning = f"{kind.group}/{version} is deprecated; use {kind.api_version}, which has the same fields"
    served = _served(kind, version, openapi_schema(kind, described=False))
    return served | {"storage": False, "deprecated": True, "deprecationWarning": warning}


def _served(kind: Kind[Any], version: str, schema: Schema) -> dict[str, Any]:
    served: dict[str, Any] = {"name": version, "served": True, "schema": {"openAPIV3Schema": schema}}
    if kind.subresources:
        served["subresources"] = {subresource: {} for subresource in kind.subresources}
    if kind.columns:
        served["additionalPrinterColumns"] = [_column(column) for column in kind.columns]
    return served


def _column(column: Column) -> dict[str, Any]:
    shape: dict[str, Any] = {"name": column.name, "type": column.type, "jsonPath": column.json_path}
    if column.description:
        shape["description"] = column.description
    if column.priority:
        shape["priority"] = column.priority
    return shape
