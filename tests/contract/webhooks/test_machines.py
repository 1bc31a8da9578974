"""Machines as users meet admission: every fault told at once, what is fixed, what is protected."""

import json
import time
from typing import Any

import pytest

from virtdeck.kube.client import Client

pytestmark = pytest.mark.anyio

Plain = dict[str, Any]
_PROTECTED = "kubevirt.io/vm-delete-protection"


def _vm(name: str, **spec: Any) -> Plain:
    template = {
        "domain": {"memory": {"guest": "64Mi"}, "devices": {}},
        "volumes": [{"name": "root", "emptyDisk": {"capacity": "1Gi"}}],
    }
    body = {"runStrategy": "Halted", "template": {"spec": template}, **spec}
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": name},
        "spec": body,
    }


async def _ask(client: Client, method: str, path: str, body: Any = None) -> tuple[int, Plain]:
    code, answer = await client.request(method, f"/apis/kubevirt.io/v1/{path}", body=body)
    return code, json.loads(answer)


async def test_eight_faults_get_eight_causes(client: Client, namespace: str) -> None:
    vm = _vm("faulty", runStrategy="Sometimes")
    vm["spec"]["template"]["spec"] |= {
        "hostname": "No",
        "evictionStrategy": "Panic",
        "domain": {
            "memory": {"guest": "128"},
            "cpu": {"cores": 600},
            "devices": {
                "disks": [{"name": "gone", "disk": {"bus": "floppy"}, "serial": "a b"}],
            },
        },
    }
    del vm["spec"]["template"]["spec"]["volumes"]
    code, status = await _ask(client, "POST", f"namespaces/{namespace}/virtualmachines", vm)
    template = "spec.template.spec"
    disk = f"{template}.domain.devices.disks[0]"
    assert code == 422
    assert {cause["field"] for cause in status["details"]["causes"]} == {
        "spec.runStrategy",
        f"{template}.hostname",
        f"{template}.evictionStrategy",
        f"{template}.domain.memory.guest",
        f"{template}.domain.cpu",
        f"{disk}.name",
        f"{disk}.disk.bus",
        f"{disk}.serial",
    }
    assert status["reason"] == "Invalid"


async def test_a_protected_machine_is_not_deleted(client: Client, namespace: str) -> None:
    machines = f"namespaces/{namespace}/virtualmachines"
    vm = _vm("kept")
    vm["metadata"]["labels"] = {_PROTECTED: "True"}
    code, made = await _ask(client, "POST", machines, vm)
    assert code == 201, made
    code, status = await _ask(client, "DELETE", f"{machines}/kept")
    assert code == 403, status
    assert [cause["field"] for cause in status["details"]["causes"]] == [f"metadata.labels[{_PROTECTED}]"]
    made["metadata"]["labels"] = {_PROTECTED: "False"}
    code, changed = await _ask(client, "PUT", f"{machines}/kept", made)
    assert code == 200, changed
    code, _ = await _ask(client, "DELETE", f"{machines}/kept")
    assert code == 200


async def test_a_request_for_a_volume_is_checked_in_the_status(client: Client, namespace: str) -> None:
    machines = f"namespaces/{namespace}/virtualmachines"
    code, made = await _ask(client, "POST", machines, _vm("asked"))
    assert code == 201, made
    claim = {"persistentVolumeClaim": {"claimName": "c"}}
    disk = {"name": "more", "disk": {"bus": "sata"}}
    made["status"] = {
        "volumeRequests": [{"addVolumeOptions": {"name": "more", "disk": disk, "volumeSource": claim}}]
    }
    code, status = await _ask(client, "PUT", f"{machines}/asked/status", made)
    assert code == 422, status
    field = "status.volumeRequests[0].addVolumeOptions.disk.disk.bus"
    assert [cause["field"] for cause in status["details"]["causes"]] == [field]


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
async def test_a_large_or_deep_object_is_refused_at_once(client: Client, namespace: str) -> None:
    machines = f"namespaces/{namespace}/virtualmachines"
    large = _vm("large")
    large["metadata"]["annotations"] = {"note": "x" * (3 * 2**20)}
    deep: Any = "x"
    for _ in range(900):
        deep = {"a": deep}
    kernel = _vm("many-words")
    kernel["spec"]["template"]["spec"]["domain"]["firmware"] = {
        "kernelBoot": {"kernelArgs": "x" * (2 * 2**20)}
    }
    nested = _vm("deep")
    nested["spec"]["template"]["spec"]["domain"]["devices"]["rng"] = deep
    for body, expected in ((large, 413), (kernel, 422), (nested, 400)):
        started = time.monotonic()
        code, status = await client.request("POST", f"/apis/kubevirt.io/v1/{machines}", body=body)
        assert (code, time.monotonic() - started < 5.0) == (expected, True), status[:200]


@pytest.mark.parametrize("content_type", ["application/apply-patch+yaml", "application/merge-patch+json"])
async def test_what_is_written_twice_is_written_once(
    client: Client, namespace: str, content_type: str
) -> None:
    """Defaults that came with the first write are no change at the second."""
    name = f"twice-{content_type[12]}"
    path = f"namespaces/{namespace}/virtualmachines/{name}"
    code, made = await _ask(client, "POST", f"namespaces/{namespace}/virtualmachines", _vm(name))
    assert code == 201, made
    versions = set()
    for _ in range(2):
        code, answer = await client.request(
            "PATCH",
            f"/apis/kubevirt.io/v1/{path}",
            query={"fieldManager": "ann", **({"force": "true"} if "apply" in content_type else {})},
            body=_vm(name),
            content_type=content_type,
        )
        assert code == 200, answer
        versions.add(json.loads(answer)["metadata"]["resourceVersion"])
    assert len(versions) == 1
    code, made = await _ask(client, "GET", path)
    code, again = await _ask(client, "PUT", path, made)
    assert (code, again["metadata"]["resourceVersion"]) == (200, made["metadata"]["resourceVersion"])
