"""The other kinds as clients of the API server meet them: KubeVirt's examples, and objects that must wait."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml

from virtdeck.crds import kinds
from virtdeck.crds.kinds import Kind
from virtdeck.kube.client import Client
from virtdeck.kube.paths import collection_path

pytestmark = pytest.mark.anyio

Plain = dict[str, Any]

EXAMPLES = Path(__file__).parents[2] / "data" / "kubevirt" / "examples"
_VM = {"apiGroup": "kubevirt.io", "kind": "VirtualMachine", "name": "a"}


def _example(name: str) -> Plain:
    (obj,) = yaml.safe_load_all((EXAMPLES / f"{name}.yaml").read_text())
    return dict(obj)


def _new(kind: Kind[Any], name: str, spec: Plain) -> Plain:
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, "spec": spec}


async def _create(client: Client, namespace: str, obj: Plain) -> tuple[int, Plain, str]:
    """Status code, answer, warnings."""
    kind = kinds.find_kind(obj["apiVersion"], obj["kind"])
    assert kind is not None
    path = collection_path(kind, namespace if kind.namespaced else None) + "?fieldValidation=Strict"
    async with client.open_response("POST", path, body=obj) as response:
        warnings = " ".join(response.headers.getall("Warning", ()))
        return response.status, json.loads(await response.read()), warnings


def _fields(status: Plain) -> list[str]:
    return [cause["field"] for cause in status["details"]["causes"]]


@pytest.mark.parametrize(
    "name", ["vm-pool-cirros", "vmi-replicaset-cirros", "vmi-preset-small", "example-migration-policy"]
)
async def test_kubevirts_examples_are_taken(client: Client, namespace: str, name: str) -> None:
    obj = _example(name)
    if obj["kind"] == "MigrationPolicy":
        obj["metadata"]["name"] = namespace
    code, made, _ = await _create(client, namespace, obj)
    assert code == 201, made


async def test_a_migration_needs_a_guest_that_can_move(client: Client, namespace: str) -> None:
    job = _example("migration-job")
    code, status, _ = await _create(client, namespace, job)
    assert (code, _fields(status)) == (422, ["spec.vmiName"])
    assert "no VirtualMachineInstance" in status["message"]

    vmi = _example("vmi-masquerade")
    vmi["metadata"]["name"] = job["spec"]["vmiName"]
    assert (await _create(client, namespace, vmi))[0] == 201
    code, made, warnings = await _create(client, namespace, job)
    assert code == 201, made
    assert made["metadata"]["labels"]["kubevirt.io/vmi-name"] == job["spec"]["vmiName"]
    assert "does not act on it yet" in warnings

    job["metadata"]["name"] = "second"
    code, status, _ = await _create(client, namespace, job)
    assert (code, _fields(status)) == (422, ["spec.vmiName"])
    assert made["metadata"]["name"] in status["message"], "the one that is under way is named"


async def test_a_restore_waits_for_another_of_the_same_target(client: Client, namespace: str) -> None:
    spec = {"target": _VM, "virtualMachineSnapshotName": "s"}
    code, made, _ = await _create(client, namespace, _new(kinds.RESTORE, "one", spec))
    assert code == 201, made
    assert made["spec"]["targetReadinessPolicy"] == "WaitGracePeriod", "a default of the schema"
    code, status, _ = await _create(client, namespace, _new(kinds.RESTORE, "two", spec))
    assert (code, _fields(status)) == (422, ["spec.target"])


async def test_a_snapshot_is_of_a_machine_and_stays_as_it_is(client: Client, namespace: str) -> None:
    pod = {"kind": "Pod", "name": "a"}
    code, status, _ = await _create(client, namespace, _new(kinds.SNAPSHOT, "s", {"source": pod}))
    assert code == 422
    assert set(_fields(status)) == {"spec.source.apiGroup", "spec.source.kind"}
    code, _, warnings = await _create(client, namespace, _new(kinds.SNAPSHOT, "s", {"source": _VM}))
    assert (code, "nothing is saved" in warnings) == (201, True)
    path = f"{collection_path(kinds.SNAPSHOT, namespace)}/s"
    patch = {"spec": {"failureDeadline": "1m"}}
    code, body = await client.request("PATCH", path, body=patch, content_type="application/merge-patch+json")
    assert (code, _fields(json.loads(body))) == (422, ["spec"])


async def test_a_clone_is_given_a_name_for_its_copy(client: Client, namespace: str) -> None:
    code, made, _ = await _create(client, namespace, _new(kinds.CLONE, "c", {"source": _VM}))
    assert code == 201, made
    assert made["spec"]["target"]["name"].startswith("clone-a-")


async def test_a_gate_that_is_off_is_named(client: Client, namespace: str) -> None:
    for kind, spec, gate in (
        (kinds.BACKUP, {"source": _VM, "pvcName": "p"}, "IncrementalBackup"),
        (kinds.BACKUP_TRACKER, {"source": _VM}, "IncrementalBackup"),
        (kinds.PLUGIN, {}, "Plugins"),
    ):
        code, status, _ = await _create(client, namespace, _new(kind, "x", spec))
        assert (code, _fields(status)) == (422, ["spec"])
        assert gate in status["message"]


async def test_what_no_rule_is_about_says_that_it_is_only_stored(client: Client, namespace: str) -> None:
    request = {"virtualMachineRef": {"name": "a", "namespace": namespace}}
    code, _, warnings = await _create(client, namespace, _new(kinds.TEMPLATE_REQUEST, "t", request))
    assert (code, "no template is made" in warnings) == (201, True)


async def test_a_template_is_a_machine_once_its_parameters_have_values(
    client: Client, namespace: str
) -> None:
    machine = _example("vm-cirros")
    machine["metadata"]["name"] = "${NAME}"
    code, status, _ = await _create(client, namespace, _new(kinds.TEMPLATE, "t", {"virtualMachine": machine}))
    assert (code, _fields(status)) == (422, ["spec.virtualMachine.metadata.name"])
    parameter = {"name": "NAME", "generate": "expression", "from": "web-[a-z0-9]{8}"}
    spec = {"virtualMachine": machine, "parameters": [parameter]}
    code, _, warnings = await _create(client, namespace, _new(kinds.TEMPLATE, "t", spec))
    assert (code, "no machine is made of it" in warnings) == (201, True)


async def test_a_preset_gives_a_new_instance_its_values(client: Client, namespace: str) -> None:
    spec = {"selector": {"matchLabels": {"size": "small"}}, "domain": {"devices": {}, "cpu": {"cores": 2}}}
    code, made, warnings = await _create(client, namespace, _new(kinds.PRESET, "small", spec))
    assert code == 201, made
    assert "deprecated" in warnings
    vmi = _example("vmi-masquerade")
    vmi["metadata"]["labels"] = {"size": "small"}
    with anyio.fail_after(10):
        while not await _is_known(client, namespace, vmi):
            await anyio.sleep(0.02)
    code, made, _ = await _create(client, namespace, vmi)
    assert code == 201, made
    assert made["spec"]["domain"]["cpu"]["cores"] == 2
    assert made["metadata"]["annotations"]["virtualmachinepreset.kubevirt.io/small"] == "kubevirt.io/v1"


async def _is_known(client: Client, namespace: str, vmi: Plain) -> bool:
    """True when virt-api has heard of the preset."""
    path = collection_path(kinds.VMI, namespace) + "?dryRun=All"
    _, body = await client.request("POST", path, body=vmi)
    return any("preset" in key for key in json.loads(body)["metadata"].get("annotations") or {})


async def test_a_guest_that_must_not_stop_keeps_its_pod(client: Client, namespace: str) -> None:
    """The API server asks about evictions, and tells the one who evicts to come back."""
    vmi = _example("vmi-masquerade") | {"metadata": {"name": "guest"}}
    vmi["spec"]["evictionStrategy"] = "LiveMigrate"
    assert (await _create(client, namespace, vmi))[0] == 201
    pods = f"/api/v1/namespaces/{namespace}/pods"
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "launcher",
            "labels": {"kubevirt.io": "virt-launcher"},
            "annotations": {"kubevirt.io/domain": "guest"},
        },
        "spec": {"containers": [{"name": "compute", "image": "virtdeck/launcher:1"}]},
    }
    controller = client.as_user("system:serviceaccount:kubevirt:kubevirt-controller", ["system:masters"])
    assert (await controller.request("POST", pods, body=pod))[0] == 201
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "launcher"}}
    code, body = await client.request("POST", f"{pods}/launcher/eviction", body=eviction)
    assert code == 429, body
    assert "cannot" in json.loads(body)["message"]
    path = f"{collection_path(kinds.VMI, namespace)}/guest"
    patch = [{"op": "replace", "path": "/spec/evictionStrategy", "value": "None"}]
    code, body = await controller.request(
        "PATCH", path, body=patch, content_type="application/json-patch+json"
    )
    assert code == 200, body
    code, body = await client.request("POST", f"{pods}/launcher/eviction", body=eviction)
    assert code == 201, body
