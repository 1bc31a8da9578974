"""virt-controller and what VMs are sized by, on the real API server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.integration.controllers.kubelet import VM, VMI, Actor, Object, condition, shows

from virtdeck.crds import kinds
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio
REVISIONS, SIZES, TASTES = raw(kinds.CONTROLLER_REVISION), raw(kinds.INSTANCETYPE), raw(kinds.PREFERENCE)
KUBEVIRT = raw(kinds.KUBEVIRT)
CSMALL = {"kind": "VirtualMachineInstancetype", "name": "csmall"}
VIRTIO = {"kind": "VirtualMachinePreference", "name": "virtio"}


async def make_size(actor: Actor, cpu: int = 2, memory: str = "96Mi") -> Object:
    spec = {"cpu": {"guest": cpu}, "memory": {"guest": memory}, "nodeSelector": {"kubernetes.io/os": "linux"}}
    body = {"apiVersion": SIZES.api_version, "kind": SIZES.kind, "metadata": {"name": "csmall"}, "spec": spec}
    return await actor.client.create(SIZES, body, actor.namespace)


async def make_taste(actor: Actor) -> Object:
    spec = {"cpu": {"preferredCPUTopology": "cores"}, "devices": {"preferredInterfaceModel": "e1000e"}}
    body = {
        "apiVersion": TASTES.api_version,
        "kind": TASTES.kind,
        "metadata": {"name": "virtio"},
        "spec": spec,
    }
    return await actor.client.create(TASTES, body, actor.namespace)


async def make_vm(actor: Actor, strategy: str = "Always", **spec: Any) -> Object:
    body = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "v"},
        "spec": {"runStrategy": strategy, "template": {"spec": {"domain": {"devices": {}}}}, **spec},
    }
    return await actor.client.create(VM, body, actor.namespace)


def frozen(which: str) -> Any:
    return lambda vm: (vm.get("status", {}).get(f"{which}Ref") or {}).get("controllerRevisionRef")


async def test_the_vmi_is_as_large_as_its_instance_type(actor: Actor) -> None:
    size = await make_size(actor)
    await make_taste(actor)
    await make_vm(actor, instancetype=CSMALL, preference=VIRTIO)
    vmi = await actor.bring_up("v")
    domain = vmi["spec"]["domain"]
    assert {key: domain["cpu"][key] for key in ("sockets", "cores", "threads")} == {
        "sockets": 1,
        "cores": 2,
        "threads": 1,
    }
    assert domain["memory"]["guest"] == "96Mi"
    assert domain["devices"]["interfaces"][0]["model"] == "e1000e"
    assert vmi["spec"]["nodeSelector"] == {"kubernetes.io/os": "linux"}
    assert vmi["metadata"]["annotations"]["kubevirt.io/instancetype-name"] == "csmall"
    assert vmi["metadata"]["annotations"]["kubevirt.io/preference-name"] == "virtio"
    vm = await actor.until(VM, "v", shows("Running"))
    assert "memory" not in vm["spec"]["template"]["spec"]["domain"], "the VM itself stays as it was written"
    name = vm["status"]["instancetypeRef"]["controllerRevisionRef"]["name"]
    assert name == f"v-csmall-v1beta1-{size['metadata']['uid']}-1"
    kept = await actor.client.require(REVISIONS, name, actor.namespace)
    assert kept["data"]["spec"] == size["spec"]
    assert kept["metadata"]["ownerReferences"][0]["name"] == "v"


async def test_a_later_change_reaches_the_vm_only_with_a_new_reference(actor: Actor) -> None:
    await make_size(actor)
    await make_vm(actor, instancetype=CSMALL)
    first = await actor.bring_up("v")
    await actor.client.merge_patch(SIZES, "csmall", actor.namespace, {"spec": {"cpu": {"guest": 4}}})
    await actor.client.delete(VMI, "v", actor.namespace)
    await actor.bring_down(first)
    again = await actor.until(VMI, "v", lambda found: found["metadata"]["uid"] != first["metadata"]["uid"])
    assert again["spec"]["domain"]["cpu"]["sockets"] == 2
    body = {"apiVersion": SIZES.api_version, "kind": SIZES.kind, "metadata": {"name": "big"}}
    spec = {"cpu": {"guest": 8}, "memory": {"guest": "128Mi"}}
    await actor.client.create(SIZES, body | {"spec": spec}, actor.namespace)
    await actor.client.merge_patch(VM, "v", actor.namespace, {"spec": {"instancetype": {"name": "big"}}})
    told = await actor.until(VM, "v", lambda vm: "v-big-" in str(frozen("instancetype")(vm)))
    assert told["status"]["instancetypeRef"]["name"] == "big"
    await actor.until(VM, "v", lambda vm: condition(vm, "RestartRequired")["status"] == "True")


async def test_a_vm_made_anew_under_its_name_has_a_revision_of_its_own(actor: Actor) -> None:
    await make_size(actor)
    for _ in range(3):
        vm = await make_vm(actor, "Halted", instancetype=CSMALL)
        kept = await actor.until(VM, "v", frozen("instancetype"))
        name = frozen("instancetype")(kept)["name"]
        revision = await actor.client.require(REVISIONS, name, actor.namespace)
        assert [owner["uid"] for owner in revision["metadata"]["ownerReferences"]] == [vm["metadata"]["uid"]]
        await actor.client.delete(VM, "v", actor.namespace)
        await actor.until_gone(VM, "v")


async def test_a_vm_waits_for_its_instance_type_and_says_so(actor: Actor) -> None:
    await make_vm(actor, instancetype=CSMALL)
    waiting = await actor.until(VM, "v", lambda vm: condition(vm, "Failure"))
    assert condition(waiting, "Failure")["reason"] == "FailedFindInstancetype"
    assert "csmall" in condition(waiting, "Failure")["message"]
    await make_size(actor)
    await actor.bring_up("v")
    running = await actor.until(VM, "v", shows("Running"))
    assert not condition(running, "Failure")


@asynccontextmanager
async def policy(actor: Actor, name: str) -> AsyncIterator[None]:
    """The installation keeps instance types so, for as long as the block."""
    wanted = {"spec": {"configuration": {"instancetype": {"referencePolicy": name}}}}
    await actor.client.merge_patch(KUBEVIRT, "kubevirt", "kubevirt", wanted)
    try:
        yield
    finally:
        usual = {"spec": {"configuration": {"instancetype": None}}}
        await actor.client.merge_patch(KUBEVIRT, "kubevirt", "kubevirt", usual)


async def test_an_installation_can_write_sizes_into_all_its_vms(actor: Actor) -> None:
    await make_size(actor)
    await make_vm(actor, "Halted", instancetype=CSMALL)
    kept = await actor.until(VM, "v", frozen("instancetype"))
    revision = frozen("instancetype")(kept)["name"]
    async with policy(actor, "expandAll"):
        vm = await actor.until(VM, "v", lambda found: "instancetype" not in found["spec"])
        await actor.until_gone(REVISIONS, revision)
    assert vm["spec"]["template"]["spec"]["domain"]["memory"]["guest"] == "96Mi"


async def test_an_installation_can_write_sizes_into_its_vms(actor: Actor) -> None:
    async with policy(actor, "expand"):
        await make_size(actor)
        await make_vm(actor, "Halted", instancetype=CSMALL)
        vm = await actor.until(VM, "v", lambda found: "instancetype" not in found["spec"])
    domain = vm["spec"]["template"]["spec"]["domain"]
    assert (domain["cpu"]["sockets"], domain["memory"]["guest"]) == (2, "96Mi")
    assert "instancetypeRef" not in vm.get("status", {})
