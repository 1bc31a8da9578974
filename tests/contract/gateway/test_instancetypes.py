"""Instance types and preferences through the real API server: webhooks, and the subresources that expand."""

from typing import Any

import orjson
import pytest
from tests.contract.gateway.machines import make_vm, read_vm

from virtdeck.basis.errors import Invalid
from virtdeck.crds import kinds
from virtdeck.crds.kinds import Kind
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio

Plain = dict[str, Any]
BASE = "/apis/subresources.kubevirt.io/v1"
CSMALL: Plain = {"kind": "VirtualMachineInstancetype", "name": "csmall"}
OVERCOMMITTED: Plain = {"cpu": {"guest": 1}, "memory": {"guest": "1Gi", "overcommitPercent": 101}}
UNKNOWN_TOPOLOGY: Plain = {"cpu": {"preferredCPUTopology": "pyramid"}}
VIRTIO: Plain = {"kind": "VirtualMachinePreference", "name": "virtio"}


async def make(
    client: Client, kind: Kind[Any], name: str, spec: Plain, namespace: str | None = None
) -> Plain:
    body = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, "spec": spec}
    return await client.create(raw(kind), body, namespace)


async def make_both(client: Client, namespace: str) -> None:
    size = {"cpu": {"guest": 2}, "memory": {"guest": "256Mi"}}
    await make(client, kinds.INSTANCETYPE, "csmall", size, namespace)
    taste = {"devices": {"preferredDiskBus": "virtio"}, "machine": {"preferredMachineType": "pc-q35-7.2"}}
    await make(client, kinds.PREFERENCE, "virtio", taste, namespace)


def machine(template: Plain | None = None, **spec: Any) -> Plain:
    volumes = [{"name": "root", "containerDisk": {"image": "registry.example.com/demo:1"}}]
    base: Plain = {"domain": {"devices": {}}, "volumes": volumes}
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "a"},
        "spec": {"runStrategy": "Halted", "template": {"spec": base | (template or {})}, **spec},
    }


async def refused(client: Client, namespace: str, body: Plain) -> dict[str, str]:
    with pytest.raises(Invalid) as caught:
        await client.create(raw(kinds.VM), body, namespace)
    return {cause.field: cause.message for cause in caught.value.causes}


async def test_only_defaults_are_stored_of_a_machine_that_names_its_size(
    client: Client, namespace: str
) -> None:
    """D2, D3"""
    await make_both(client, namespace)
    body = machine(instancetype=CSMALL, preference=VIRTIO)
    spec = (await client.create(raw(kinds.VM), body, namespace))["spec"]
    assert (spec["instancetype"], spec["preference"]) == (CSMALL, VIRTIO)
    domain = spec["template"]["spec"]["domain"]
    assert domain["machine"] == {"type": "pc-q35-7.2"}
    assert set(domain) == {"devices", "machine", "firmware"}
    assert domain["devices"] == {}


async def test_a_name_without_a_kind_is_of_the_cluster(client: Client, namespace: str) -> None:
    size = {"cpu": {"guest": 1}, "memory": {"guest": "64Mi"}}
    await make(client, kinds.CLUSTER_INSTANCETYPE, namespace, size)
    made = await client.create(raw(kinds.VM), machine(instancetype={"name": namespace}), namespace)
    assert made["spec"]["instancetype"]["kind"] == "virtualmachineclusterinstancetype"


async def test_every_conflict_is_told_at_its_field(client: Client, namespace: str) -> None:
    """V296"""
    await make_both(client, namespace)
    body = machine(
        {"domain": {"devices": {}, "cpu": {"cores": 2}, "memory": {"guest": "1Gi"}}}, instancetype=CSMALL
    )
    found = await refused(client, namespace, body)
    assert set(found) == {
        "spec.template.spec.domain.cpu.cores",
        "spec.template.spec.domain.memory.guest",
    }
    assert "csmall" in found["spec.template.spec.domain.memory.guest"]


async def test_what_is_not_there_is_refused_at_once_and_warned_of_later(
    client: Client, namespace: str
) -> None:
    """V295"""
    found = await refused(client, namespace, machine(instancetype=CSMALL, preference=VIRTIO))
    assert set(found) == {"spec.instancetype.name", "spec.preference.name"}
    await make_both(client, namespace)
    await client.create(raw(kinds.VM), machine(instancetype=CSMALL), namespace)
    await client.delete(kinds.INSTANCETYPE, "csmall", namespace)
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines/a"
    patch = {"spec": {"template": {"spec": {"subdomain": "other"}}}}
    reply = await client.request("PATCH", path, body=patch, content_type="application/merge-patch+json")
    assert reply.status == 200, reply.body


async def test_a_preference_can_require_more(client: Client, namespace: str) -> None:
    """V297–V299"""
    await make_both(client, namespace)
    needs = {"cpu": {"guest": 4}, "memory": {"guest": "1Gi"}, "architecture": "arm64"}
    await make(client, kinds.PREFERENCE, "greedy", {"requirements": needs}, namespace)
    body = machine(instancetype=CSMALL, preference=VIRTIO | {"name": "greedy"})
    with pytest.raises(Invalid) as caught:
        await client.create(raw(kinds.VM), body, namespace)
    assert [cause.field for cause in caught.value.causes] == [
        "spec.instancetype",
        "spec.instancetype",
        "spec.template.spec.architecture",
    ]


@pytest.mark.parametrize(
    ("kind", "spec", "field"),
    [
        (kinds.INSTANCETYPE, OVERCOMMITTED, "spec.memory.overcommitPercent"),
        (kinds.CLUSTER_INSTANCETYPE, OVERCOMMITTED, "spec.memory.overcommitPercent"),
        (kinds.PREFERENCE, UNKNOWN_TOPOLOGY, "spec.cpu.preferredCPUTopology"),
        (kinds.CLUSTER_PREFERENCE, UNKNOWN_TOPOLOGY, "spec.cpu.preferredCPUTopology"),
    ],
)
async def test_the_kinds_themselves_are_checked(
    client: Client, namespace: str, kind: Kind[Any], spec: Plain, field: str
) -> None:
    """V406–V410"""
    with pytest.raises(Invalid) as caught:
        await make(client, kind, "a", spec, namespace if kind.namespaced else None)
    assert [cause.field for cause in caught.value.causes] == [field]


async def test_what_infers_gets_a_name_from_its_volume(client: Client, namespace: str) -> None:
    """D1"""
    await make_both(client, namespace)
    labels = {
        "instancetype.kubevirt.io/default-instancetype": "csmall",
        "instancetype.kubevirt.io/default-instancetype-kind": "VirtualMachineInstancetype",
    }
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "disk", "labels": labels},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    await client.create(raw(kinds.CLAIM), claim, namespace)
    volume = {"name": "root", "persistentVolumeClaim": {"claimName": "disk"}}
    wish = {"inferFromVolume": "root"}
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines"
    body = machine(
        {"volumes": [volume]}, instancetype=wish, preference=wish | {"inferFromVolumeFailurePolicy": "Ignore"}
    )
    reply = await client.request("POST", path, body=body)
    answer = orjson.loads(reply.body)
    # Persistent storage is another matter: what counts here is that the size is not what was refused.
    fields = [cause["field"] for cause in answer.get("details", {}).get("causes", ())]
    assert not any(field.startswith(("spec.instancetype", "spec.preference")) for field in fields), answer
    if reply.status == 201:
        assert answer["spec"]["instancetype"] == CSMALL
        assert "preference" not in answer["spec"]


@pytest.mark.parametrize(
    ("volume", "says"),
    [
        ({"containerDisk": {"image": "registry.example.com/demo:1"}}, "neither"),
        ({"persistentVolumeClaim": {"claimName": "none"}}, "PersistentVolumeClaim none"),
        ({"dataVolume": {"name": "none"}}, "none"),
    ],
)
async def test_what_cannot_be_inferred_is_refused_with_the_reason(
    client: Client, namespace: str, volume: Plain, says: str
) -> None:
    """D1"""
    body = machine({"volumes": [{"name": "root"} | volume]}, instancetype={"inferFromVolume": "root"})
    found = await refused(client, namespace, body)
    assert says in found["spec.instancetype.inferFromVolume"]


async def test_a_data_source_where_none_are_served_is_told(client: Client, namespace: str) -> None:
    template = {
        "metadata": {"name": "disk"},
        "spec": {"sourceRef": {"kind": "DataSource", "name": "fedora"}, "storage": {}},
    }
    body = machine(
        {"volumes": [{"name": "root", "dataVolume": {"name": "disk"}}]},
        instancetype={"inferFromVolume": "root"},
        dataVolumeTemplates=[template],
    )
    found = await refused(client, namespace, body)
    assert "not served here" in found["spec.instancetype.inferFromVolume"]


async def test_a_stored_machine_expands(client: Client, namespace: str) -> None:
    await make_both(client, namespace)
    await client.create(raw(kinds.VM), machine(instancetype=CSMALL, preference=VIRTIO), namespace)
    code, body = await client.request("GET", f"{BASE}/namespaces/{namespace}/virtualmachines/a/expand-spec")
    assert code == 200, body
    answer = orjson.loads(body)
    assert not {"instancetype", "preference"} & set(answer["spec"])
    domain = answer["spec"]["template"]["spec"]["domain"]
    assert domain["cpu"] | {"model": ""} == {"sockets": 2, "cores": 1, "threads": 1, "model": ""}
    assert domain["memory"] == {"guest": "256Mi"}
    assert domain["devices"]["disks"] == [{"name": "root", "disk": {"bus": "virtio"}}]
    assert (await read_vm(client, namespace, "a"))["spec"]["instancetype"] == CSMALL, "it is only looked at"


async def test_what_is_sent_expands_and_can_be_applied(client: Client, namespace: str) -> None:
    await make_both(client, namespace)
    path = f"{BASE}/namespaces/{namespace}/expand-vm-spec"
    code, body = await client.request("PUT", path, body=machine(instancetype=CSMALL, preference=VIRTIO))
    assert code == 200, body
    expanded = orjson.loads(body)
    assert "uuid" not in expanded["spec"]["template"]["spec"]["domain"]["firmware"]
    made = await client.create(raw(kinds.VM), expanded, namespace)
    assert made["spec"]["template"]["spec"]["domain"]["memory"] == {"guest": "256Mi"}


async def test_what_cannot_expand_is_told(client: Client, namespace: str) -> None:
    path = f"{BASE}/namespaces/{namespace}/expand-vm-spec"
    code, body = await client.request("PUT", path, body=machine(instancetype=CSMALL))
    assert (code, "csmall" in orjson.loads(body)["message"]) == (400, True)
    await make_both(client, namespace)
    twice = machine({"domain": {"devices": {}, "memory": {"guest": "1Gi"}}}, instancetype=CSMALL)
    code, body = await client.request("PUT", path, body=twice)
    assert (code, "domain.memory.guest" in orjson.loads(body)["message"]) == (400, True)


async def test_a_machine_without_either_is_expanded_already(client: Client, namespace: str) -> None:
    made = await make_vm(client, namespace, "a")
    code, body = await client.request("GET", f"{BASE}/namespaces/{namespace}/virtualmachines/a/expand-spec")
    assert (code, orjson.loads(body)["spec"]) == (200, made["spec"])


async def test_a_pools_machines_are_judged_with_their_size(client: Client, namespace: str) -> None:
    await make_both(client, namespace)
    vm = machine(instancetype=CSMALL, preference=VIRTIO)
    vm["spec"]["template"]["metadata"] = {"labels": {"app": "p"}}
    spec = {
        "selector": {"matchLabels": {"app": "p"}},
        "virtualMachineTemplate": {"metadata": {"labels": {"app": "p"}}, "spec": vm["spec"]},
        "replicas": 0,
    }
    await make(client, kinds.POOL, "fits", spec, namespace)
    vm["spec"]["template"]["spec"]["domain"]["memory"] = {"guest": "1Gi"}
    with pytest.raises(Invalid) as caught:
        await make(client, kinds.POOL, "clashes", spec, namespace)
    assert [cause.field for cause in caught.value.causes] == [
        "spec.virtualMachineTemplate.spec.template.spec.domain.memory.guest"
    ]


async def freeze(client: Client, namespace: str, name: str, cpu: int, of: str = "csmall") -> None:
    """A revision as virt-controller makes them."""
    spec = {"cpu": {"guest": cpu}, "memory": {"guest": "96Mi"}}
    kept = {
        "apiVersion": "instancetype.kubevirt.io/v1beta1",
        "kind": CSMALL["kind"],
        "metadata": {"name": of},
    }
    body = {
        "apiVersion": "apps/v1",
        "kind": "ControllerRevision",
        "metadata": {"name": name, "labels": {"instancetype.kubevirt.io/object-name": of}},
        "revision": 0,
        "data": kept | {"spec": spec},
    }
    await client.create(raw(kinds.CONTROLLER_REVISION), body, namespace)


async def test_a_revision_that_is_named_counts_more_than_the_instance_type(
    client: Client, namespace: str
) -> None:
    await make_both(client, namespace)
    await freeze(client, namespace, "kept", 7)
    await client.create(raw(kinds.VM), machine(instancetype=CSMALL | {"revisionName": "kept"}), namespace)
    code, body = await client.request("GET", f"{BASE}/namespaces/{namespace}/virtualmachines/a/expand-spec")
    assert code == 200, body
    assert orjson.loads(body)["spec"]["template"]["spec"]["domain"]["cpu"]["sockets"] == 7


async def test_a_revision_must_be_there_and_of_what_is_named(client: Client, namespace: str) -> None:
    """V293–V295"""
    await make_both(client, namespace)
    found = await refused(client, namespace, machine(instancetype=CSMALL | {"revisionName": "lost"}))
    assert "lost" in found["spec.instancetype.name"]
    await freeze(client, namespace, "others", 7, of="clarge")
    found = await refused(client, namespace, machine(instancetype=CSMALL | {"revisionName": "others"}))
    assert "clarge" in found["spec.instancetype.revisionName"]
    await freeze(client, namespace, "kept", 7)
    await client.create(raw(kinds.VM), machine(instancetype=CSMALL | {"revisionName": "kept"}), namespace)
    with pytest.raises(Invalid) as caught:
        await client.merge_patch(raw(kinds.VM), "a", namespace, {"spec": {"instancetype": {"name": "other"}}})
    assert {cause.field for cause in caught.value.causes} == {"spec.instancetype.revisionName"}
    await client.merge_patch(raw(kinds.VM), "a", namespace, {"spec": {"instancetype": None}})
