"""virt-controller and VMIs, on the real API server."""

import json
from typing import Any

import anyio
import pytest
from tests.integration.controllers.instance import NODE, Cluster
from tests.integration.controllers.kubelet import POD, VMI, Actor, condition, container_status, phase_is

from virtdeck.controllers.vmi.pod_name import pod_name
from virtdeck.crds import kinds
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio
VMI_OUTLINE: dict[str, Any] = {"spec": {"domain": {"devices": {}}}}
FINALIZER = "kubevirt.io/foregroundDeleteVirtualMachine"


async def create(actor: Actor, name: str = "v") -> str:
    made = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {"name": name, "finalizers": [FINALIZER]},
        "spec": {
            "terminationGracePeriodSeconds": 0,
            "domain": {"devices": {}, "memory": {"guest": "64Mi"}},
        },
        "status": {"phase": "Pending"},
    }
    uid: str = (await actor.client.create(VMI, made, actor.namespace))["metadata"]["uid"]
    return uid


async def test_from_creation_to_running_and_away(actor: Actor) -> None:
    uid = await create(actor)
    pod = await actor.pod_of(uid)
    assert pod["metadata"]["ownerReferences"][0]["uid"] == uid
    vmi = await actor.bring_up("v")
    assert vmi["status"]["nodeName"] == NODE
    assert vmi["metadata"]["labels"]["kubevirt.io/nodeName"] == NODE
    assert vmi["status"]["activePods"] == {pod["metadata"]["uid"]: NODE}
    gate = await actor.until(POD, pod["metadata"]["name"], lambda p: condition(p, GATE))
    assert condition(gate, GATE)["status"] == "True"
    ready = [*gate["status"]["conditions"], {"type": "Ready", "status": "True"}]
    await actor.set_pod(pod["metadata"]["name"], conditions=ready)
    await actor.until(VMI, "v", lambda v: condition(v, "Ready").get("status") == "True")
    await actor.client.delete(VMI, "v", actor.namespace)
    await actor.bring_down(vmi)
    await actor.until_gone(VMI, "v")
    await actor.until_gone(POD, pod["metadata"]["name"])


GATE = "kubevirt.io/virtual-machine-unpaused"


async def test_from_creation_to_running_takes_four_writes_at_most(actor: Actor) -> None:
    uid = await create(actor)
    path = f"/apis/kubevirt.io/v1/namespaces/{actor.namespace}/virtualmachineinstances"
    versions = []
    async with actor.client.open_response(
        "GET", path, query={"watch": "true", "timeoutSeconds": "3"}
    ) as stream:
        await actor.bring_up("v")
        async for line in stream.content:
            versions.append(json.loads(line)["object"]["status"].get("phase"))
            if versions[-1] == "Running":
                break
    assert versions == ["Pending", "Scheduled", "Running"]
    assert len(await actor.client.list(POD, actor.namespace)) == 1
    assert uid


async def test_a_pod_that_no_node_takes_is_told(actor: Actor) -> None:
    pod = await actor.pod_of(await create(actor))
    refusal = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no memory"}
    await actor.set_pod(pod["metadata"]["name"], conditions=[refusal])
    vmi = await actor.until(VMI, "v", lambda v: condition(v, "PodScheduled"))
    assert condition(vmi, "PodScheduled")["message"] == "no memory"
    assert vmi["status"]["phase"] == "Scheduling"


async def test_an_image_that_cannot_be_pulled_is_told(actor: Actor) -> None:
    pod = await actor.pod_of(await create(actor))
    state = container_status({"waiting": {"reason": "ErrImagePull", "message": "no such image"}})
    await actor.set_pod(pod["metadata"]["name"], containerStatuses=[state])
    vmi = await actor.until(VMI, "v", lambda v: condition(v, "Synchronized"))
    assert condition(vmi, "Synchronized")["reason"] == "ErrImagePull"


async def test_a_launcher_that_vanishes_fails_its_vmi(actor: Actor) -> None:
    pod = await actor.pod_of(await create(actor))
    await actor.bring_up("v")
    await actor.end_pod(pod["metadata"]["name"])
    vmi = await actor.until(VMI, "v", phase_is("Failed"))
    assert vmi["status"]["reason"] == "PodNotExists"


async def test_a_look_alike_pod_is_ignored_and_told_of(actor: Actor) -> None:
    uid = await create(actor)
    await actor.bring_up("v")
    pod = await actor.pod_of(uid)
    fake = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "look-alike",
            "labels": pod["metadata"]["labels"],
            "ownerReferences": pod["metadata"]["ownerReferences"],
        },
        "spec": {"containers": [{"name": "compute", "image": "x"}]},
    }
    await actor.client.create(POD, fake, actor.namespace)
    await actor.set_pod("look-alike", phase="Failed")
    found = await wait_event(actor, "ForeignPodIgnored")
    assert "look-alike" in found["message"]
    vmi = await actor.client.require(VMI, "v", actor.namespace)
    assert vmi["status"]["phase"] == "Running"


async def wait_event(actor: Actor, reason: str) -> dict[str, Any]:
    with anyio.fail_after(10):
        while True:
            for event in await actor.client.list(raw(kinds.EVENT), actor.namespace):
                if event["reason"] == reason:
                    return event
            await anyio.sleep(0.02)


async def test_a_vmi_deleted_before_its_pod_was_placed_leaves_nothing(actor: Actor) -> None:
    pod = await actor.pod_of(await create(actor))
    await actor.client.delete(VMI, "v", actor.namespace)
    await actor.until_gone(VMI, "v")
    assert await actor.client.get(POD, pod["metadata"]["name"], actor.namespace) is None


async def test_a_stranger_by_the_pods_name_is_told_and_left_alone(actor: Actor, cluster: Cluster) -> None:
    """With virt-controller down for a moment, somebody takes the name that the launcher pod must have."""
    cluster.controllers.kill()
    uid = await create(actor)
    name = pod_name(decode({**VMI_OUTLINE, "metadata": {"name": "v", "uid": uid}}, VirtualMachineInstance))
    stranger = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "c", "image": "x"}]},
    }
    await actor.client.create(POD, stranger, actor.namespace)
    cluster.controllers.start()
    vmi = await actor.until(VMI, "v", lambda v: condition(v, "Synchronized"))
    assert condition(vmi, "Synchronized")["reason"] == "FailedCreate"
    assert name in condition(vmi, "Synchronized")["message"]
    await actor.client.delete(POD, name, actor.namespace, grace_seconds=0)
    await actor.pod_of(uid)
    healed = await actor.until(VMI, "v", lambda v: not condition(v, "Synchronized"))
    assert healed["status"]["phase"] in ("Pending", "Scheduling")


async def test_a_label_taken_off_a_running_launcher_does_not_end_its_guest(actor: Actor) -> None:
    uid = await create(actor)
    await actor.bring_up("v")
    pod = await actor.pod_of(uid)
    labels = {"metadata": {"labels": {"kubevirt.io": None}}}
    await actor.client.merge_patch(POD, pod["metadata"]["name"], actor.namespace, labels)
    await create(actor, "later")
    await actor.bring_up("later")
    assert (await actor.client.require(VMI, "v", actor.namespace))["status"]["phase"] == "Running"
