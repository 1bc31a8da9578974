"""CRDs that a real kube-apiserver takes: structural schemas, small, with KubeVirt's columns."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from virtdeck.crds import kinds
from virtdeck.crds.kinds import CUSTOM, Kind, find_kind
from virtdeck.crds.manifests import crd_manifest, openapi_schema

FIXTURES = Path(__file__).parents[2] / "data" / "kubevirt" / "api-fixtures"
CUSTOM_KINDS = pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.kind)


def _walk(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    yield path, schema
    for name, prop in schema.get("properties", {}).items():
        yield from _walk(prop, f"{path}.{name}")
    for key in ("items", "additionalProperties"):
        if key in schema:
            yield from _walk(schema[key], f"{path}[]")


def _unknown(value: Any, schema: dict[str, Any], path: str) -> Iterator[str]:
    if schema.get("x-kubernetes-preserve-unknown-fields") or path == ".metadata":
        return
    if isinstance(value, list):
        for item in value:
            yield from _unknown(item, schema["items"], f"{path}[]")
    elif isinstance(value, dict):
        for name, item in value.items():
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if inner is None:
                yield f"{path}.{name}"
            else:
                yield from _unknown(item, inner, f"{path}.{name}")


@CUSTOM_KINDS
def test_every_node_of_a_schema_has_one_type(kind: Kind[Any]) -> None:
    for path, schema in _walk(openapi_schema(kind)):
        assert "$ref" not in schema, path
        if schema.get("x-kubernetes-int-or-string"):
            assert "type" not in schema, path
        else:
            assert schema["type"] in {"object", "array", "string", "integer", "number", "boolean"}, path
        assert not ("properties" in schema and "additionalProperties" in schema), path


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_field_of_the_fixtures_is_known(path: Path) -> None:
    doc = yaml.safe_load(path.read_text())
    kind = find_kind(doc["apiVersion"], doc["kind"])
    assert kind is not None
    assert list(_unknown(doc, openapi_schema(kind), "")) == []


@CUSTOM_KINDS
def test_a_manifest_fits_where_kubectl_apply_keeps_its_copy(kind: Kind[Any]) -> None:
    assert len(json.dumps(crd_manifest(kind))) < 256 * 1024


@pytest.mark.parametrize(
    ("kind", "columns", "subresources"),
    [
        (kinds.VM, ["Age", "Status", "Ready"], {"status": {}}),
        (kinds.VMI, ["Age", "Phase", "IP", "NodeName", "Ready", "Live-Migratable", "Paused"], None),
        (kinds.KUBEVIRT, ["Age", "Phase"], {"status": {}}),
    ],
    ids=["VirtualMachine", "VirtualMachineInstance", "KubeVirt"],
)
def test_kubectl_shows_what_kubevirt_shows(kind: Kind[Any], columns: list[str], subresources: Any) -> None:
    spec = crd_manifest(kind)["spec"]
    for version in spec["versions"]:
        assert [column["name"] for column in version["additionalPrinterColumns"]] == columns
        assert version.get("subresources") == subresources
    assert [(v["name"], v["storage"], v.get("deprecated", False)) for v in spec["versions"]] == [
        ("v1", True, False),
        ("v1alpha3", False, True),
    ]


def test_quantities_and_ports_may_be_numbers_or_text() -> None:
    spec = openapi_schema(kinds.VMI)["properties"]["spec"]["properties"]
    memory = spec["domain"]["properties"]["memory"]["properties"]["guest"]
    port = spec["readinessProbe"]["properties"]["httpGet"]["properties"]["port"]
    for schema in (memory, port):
        assert schema["x-kubernetes-int-or-string"] is True
        assert schema["anyOf"] == [{"type": "integer"}, {"type": "string"}]


def test_a_template_may_carry_what_go_writes_into_metadata() -> None:
    template = openapi_schema(kinds.VM)["properties"]["spec"]["properties"]["template"]["properties"]
    assert template["metadata"]["nullable"] is True
    assert template["metadata"]["x-kubernetes-preserve-unknown-fields"] is True


@CUSTOM_KINDS
def test_every_field_says_what_it_means(kind: Kind[Any]) -> None:
    standard = {".apiVersion", ".kind", ".metadata"}
    silent = [
        f"{path}.{name}"
        for path, schema in _walk(openapi_schema(kind))
        for name, prop in schema.get("properties", {}).items()
        if not prop.get("description") and f"{path}.{name}" not in standard
    ]
    assert [path for path in silent if ".conditions[]" not in path] == []
