"""The rules as clients of the API server meet them: real API server, real virt-api, KubeVirt's examples."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from virtdeck.kube.client import Client

pytestmark = pytest.mark.anyio

Plain = dict[str, Any]

EXAMPLES = Path(__file__).parents[2] / "data" / "kubevirt" / "examples"
_KIND = {"VirtualMachine": "virtualmachines", "VirtualMachineInstance": "virtualmachineinstances"}


def _example(name: str) -> Plain:
    (obj,) = yaml.safe_load_all((EXAMPLES / f"{name}.yaml").read_text())
    return dict(obj)


async def _create(client: Client, namespace: str, obj: Plain, *, strict: bool = True) -> tuple[int, Plain]:
    version = obj["apiVersion"]
    query = "?fieldValidation=Strict" if strict else ""
    path = f"/apis/{version}/namespaces/{namespace}/{_KIND[obj['kind']]}{query}"
    code, body = await client.request("POST", path, body=obj)
    return code, json.loads(body)


def _fields(status: Plain) -> list[str]:
    return [cause["field"] for cause in status["details"]["causes"]]


@pytest.mark.parametrize(
    "name",
    [
        "vm-cirros",
        "vm-cirros-sata",
        "vmi-kernel-boot",
        "vmi-ephemeral",
        "vmi-nocloud",
        "vmi-masquerade",
        "vmi-sata",
    ],
)
async def test_kubevirts_examples_are_taken(client: Client, namespace: str, name: str) -> None:
    code, made = await _create(client, namespace, _example(name))
    assert code == 201, made
    spec = made["spec"] if made["kind"] == "VirtualMachineInstance" else made["spec"]["template"]["spec"]
    assert spec["domain"]["machine"] == {"type": "q35"}
    assert spec["domain"]["firmware"]["uuid"]
    if made["kind"] == "VirtualMachineInstance":
        assert made["status"]["phase"] == "Pending"
        assert made["metadata"]["finalizers"] == ["kubevirt.io/foregroundDeleteVirtualMachine"]


@pytest.mark.parametrize("version", ["kubevirt.io/v1alpha3", "kubevirt.io/v1"])
async def test_the_older_version_is_checked_as_well(client: Client, namespace: str, version: str) -> None:
    vmi = _example("vmi-masquerade") | {"apiVersion": version}
    vmi["spec"]["domain"]["devices"]["interfaces"][0]["model"] = "ne2000"
    code, status = await _create(client, namespace, vmi)
    assert (code, _fields(status)) == (422, ["spec.domain.devices.interfaces[0].model"])


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("vmi-pvc", "spec.volumes[0].persistentVolumeClaim"),
        ("vmi-host-disk", "spec.volumes[0].hostDisk"),
        ("vmi-sriov", "spec.domain.devices.interfaces[1].sriov"),
        ("vm-alpine-multipvc", "spec.template.spec.volumes[0].persistentVolumeClaim"),
    ],
)
async def test_what_cannot_run_yet_is_refused_with_a_reason(
    client: Client, namespace: str, name: str, field: str
) -> None:
    code, status = await _create(client, namespace, _example(name))
    assert code == 422
    assert field in _fields(status)
    assert "this release" in status["message"]


async def test_a_missing_volume_a_wrong_type_and_an_unknown_field_are_named(
    client: Client, namespace: str
) -> None:
    missing = _example("vmi-ephemeral")
    missing["spec"]["volumes"] = []
    code, status = await _create(client, namespace, missing)
    assert (code, _fields(status)) == (422, ["spec.domain.devices.disks[0].name"])

    wrong = _example("vmi-ephemeral")
    wrong["spec"]["domain"]["cpu"] = {"cores": "two"}
    code, status = await _create(client, namespace, wrong)
    assert code == 422
    assert any("spec.domain.cpu.cores" in field for field in _fields(status))

    unknown = _example("vmi-ephemeral")
    unknown["spec"]["domain"]["devcies"] = {}
    code, status = await _create(client, namespace, unknown)
    assert code == 400
    assert "devcies" in status["message"]


async def test_a_name_that_is_too_long_is_refused(client: Client, namespace: str) -> None:
    vm = _example("vm-cirros")
    vm["metadata"]["name"] = "a" * 64
    code, status = await _create(client, namespace, vm)
    assert (code, _fields(status)) == (422, ["metadata.name"])


async def test_status_and_reserved_labels_cannot_be_forged(client: Client, namespace: str) -> None:
    vmi = _example("vmi-masquerade")
    vmi["status"] = {"nodeName": "elsewhere", "phase": "Running"}
    code, made = await _create(client, namespace, vmi)
    assert code == 201, made
    assert made["status"]["phase"] == "Pending"
    assert "nodeName" not in made["status"]

    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachineinstances/{made['metadata']['name']}"
    patch = "application/merge-patch+json"
    code, body = await client.request(
        "PATCH", path, body={"status": {"nodeName": "elsewhere"}}, content_type=patch
    )
    assert code == 200
    assert "nodeName" not in json.loads(body)["status"]
    code, body = await client.request(
        "PATCH", path, body={"spec": {"terminationGracePeriodSeconds": 1}}, content_type=patch
    )
    assert (code, _fields(json.loads(body))) == (403, ["spec.terminationGracePeriodSeconds"])
    labels = {"metadata": {"labels": {"kubevirt.io/nodeName": "elsewhere"}}}
    code, body = await client.request("PATCH", path, body=labels, content_type=patch)
    assert (code, _fields(json.loads(body))) == (403, ["metadata.labels[kubevirt.io/nodeName]"])


async def test_nobody_else_makes_launcher_pods(client: Client, namespace: str) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "look-alike", "labels": {"kubevirt.io": "virt-launcher"}},
        "spec": {"containers": [{"name": "compute", "image": "virtdeck/launcher:1"}]},
    }
    path = f"/api/v1/namespaces/{namespace}/pods"
    code, body = await client.request("POST", path, body=pod)
    assert (code, _fields(json.loads(body))) == (403, ["metadata.labels[kubevirt.io]"])
    pod["metadata"] = {"name": "look-alike", "labels": {"kubevirt.io/created-by": "somebody"}}
    code, _ = await client.request("POST", path, body=pod)
    assert code == 403


async def test_a_vm_that_exists_can_be_stopped_whatever_was_switched_off(
    client: Client, namespace: str
) -> None:
    code, made = await _create(client, namespace, _example("vm-cirros"))
    assert code == 201, made
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines/{made['metadata']['name']}"
    before = made["spec"]["template"]["spec"]["domain"]["firmware"]
    for running in ({"runStrategy": "Halted", "running": None}, {"runStrategy": "Manual", "running": None}):
        code, body = await client.request(
            "PATCH", path, body={"spec": running}, content_type="application/merge-patch+json"
        )
        assert code == 200, body
    assert json.loads(body)["spec"]["template"]["spec"]["domain"]["firmware"] == before, "its identity stays"


async def test_a_second_installation_is_refused(client: Client, namespace: str) -> None:
    kubevirt = {"apiVersion": "kubevirt.io/v1", "kind": "KubeVirt", "metadata": {"name": "other"}, "spec": {}}
    code, body = await client.request(
        "POST", f"/apis/kubevirt.io/v1/namespaces/{namespace}/kubevirts", body=kubevirt
    )
    assert (code, _fields(json.loads(body))) == (422, ["metadata.name"])


async def test_deprecations_and_what_is_not_heeded_are_warned_about(client: Client, namespace: str) -> None:
    """The API server passes warnings on as headers, which kubectl prints."""
    vm = _example("vm-cirros")
    vm["spec"] = {"running": False, "template": vm["spec"]["template"]}
    vm["spec"]["template"]["spec"]["readinessProbe"] = {"tcpSocket": {"port": 22}}
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines"
    async with client.open_response("POST", path, body=vm) as response:
        assert response.status == 201
        warnings = " ".join(response.headers.getall("Warning"))
    assert "runStrategy: Halted" in warnings
    assert "spec.template.spec.readinessProbe" in warnings
