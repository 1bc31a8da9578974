"""virt-controller and VMs, on the real API server."""

import signal
from typing import Any

import pytest
from tests.integration.controllers.instance import Cluster
from tests.integration.controllers.kubelet import VM, VMI, Actor, condition, is_deleted, phase_is, shows

from virtdeck.crds import kinds
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio
REVISIONS = raw(kinds.CONTROLLER_REVISION)


async def create(actor: Actor, strategy: str, name: str = "v") -> dict[str, Any]:
    domain = {"devices": {}, "memory": {"guest": "64Mi"}}
    template = {
        "metadata": {"labels": {"app": "a"}},
        "spec": {"terminationGracePeriodSeconds": 0, "domain": domain},
    }
    made = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": name},
        "spec": {"runStrategy": strategy, "template": template},
    }
    return await actor.client.create(VM, made, actor.namespace)


async def request(actor: Actor, *requests: dict[str, Any]) -> None:
    """What virt-api does for start, stop and restart."""
    status = {"stateChangeRequests": list(requests)}
    await actor.client.merge_patch(VM, "v", actor.namespace, {"status": status}, "status")


async def set_strategy(actor: Actor, strategy: str) -> None:
    await actor.client.merge_patch(VM, "v", actor.namespace, {"spec": {"runStrategy": strategy}})


def uid(obj: dict[str, Any]) -> str:
    found: str = obj["metadata"]["uid"]
    return found


async def another(actor: Actor, former: dict[str, Any]) -> dict[str, Any]:
    return await actor.until(VMI, "v", lambda found: uid(found) != uid(former))


async def test_always_runs_restarts_and_stops(actor: Actor) -> None:
    vm = await create(actor, "Always")
    first = await actor.bring_up("v")
    shown = await actor.until(VM, "v", shows("Running"))
    assert shown["status"]["created"]
    assert first["metadata"]["ownerReferences"][0]["uid"] == uid(vm)
    revision = first["status"]["virtualMachineRevisionName"]
    kept = await actor.client.require(REVISIONS, revision, actor.namespace)
    assert kept["data"]["spec"]["runStrategy"] == "Always"
    await actor.bring_down(first)
    second = await another(actor, first)
    assert second["spec"]["domain"]["firmware"] == first["spec"]["domain"]["firmware"]
    await actor.bring_up("v")
    await set_strategy(actor, "Halted")
    await actor.until(VMI, "v", is_deleted)
    await actor.until(VM, "v", shows("Stopping"))
    await actor.bring_down(second)
    await actor.until_gone(VMI, "v")
    off = await actor.until(VM, "v", shows("Stopped"))
    assert condition(off, "Ready")["reason"] == "VMINotExists"


async def test_a_restart_replaces_the_guest(actor: Actor) -> None:
    await create(actor, "Always")
    first = await actor.bring_up("v")
    await actor.until(VM, "v", shows("Running"))
    await request(actor, {"action": "Stop", "uid": uid(first)}, {"action": "Start"})
    await actor.until(VMI, "v", is_deleted)
    await actor.bring_down(first)
    await another(actor, first)
    await actor.until(VM, "v", lambda found: "stateChangeRequests" not in found["status"])


async def test_rerun_on_failure_comes_back_after_a_crash_and_stays_off_after_a_shutdown(actor: Actor) -> None:
    await create(actor, "RerunOnFailure")
    first = await actor.bring_up("v")
    await actor.bring_down(first, "Failed")
    second = await another(actor, first)
    await actor.bring_up("v")
    await actor.bring_down(second, "Succeeded")
    await actor.until_gone(VMI, "v")
    await actor.until(VM, "v", shows("Stopped"))


async def test_manual_does_as_it_is_told(actor: Actor) -> None:
    await create(actor, "Manual")
    await actor.until(VM, "v", shows("Stopped"))
    await request(actor, {"action": "Start"})
    first = await actor.bring_up("v")
    await actor.until(VM, "v", shows("Running"))
    await actor.bring_down(first)
    await actor.until(VM, "v", shows("Stopped"))
    assert await actor.client.get(VMI, "v", actor.namespace) is not None
    await request(actor, {"action": "Stop", "uid": uid(first)}, {"action": "Start"})
    await another(actor, first)


async def test_once_runs_once(actor: Actor) -> None:
    await create(actor, "Once")
    first = await actor.bring_up("v")
    await actor.bring_down(first)
    await actor.until(VM, "v", shows("Stopped"))
    assert uid(await actor.client.require(VMI, "v", actor.namespace)) == uid(first)


async def test_a_halted_vm_that_is_asked_to_start_paused_is_switched_on(actor: Actor) -> None:
    await create(actor, "Halted")
    await actor.until(VM, "v", shows("Stopped"))
    await request(actor, {"action": "Start", "data": {"paused": "true"}})
    vmi = await actor.until(VMI, "v", lambda found: True)
    assert vmi["spec"]["startStrategy"] == "Paused"
    assert (await actor.client.require(VM, "v", actor.namespace))["spec"]["runStrategy"] == "Always"


async def test_a_guest_that_never_comes_up_is_backed_off(actor: Actor) -> None:
    await create(actor, "Always")
    vmi = await actor.until(VMI, "v", lambda found: True)
    pod = await actor.pod_of(uid(vmi))
    await actor.set_pod(pod["metadata"]["name"], phase="Failed", reason="OOMKilled", message="too small")
    await actor.until(VM, "v", lambda found: "startFailure" in found.get("status", {}))
    await actor.end_pod(pod["metadata"]["name"])
    shown = await actor.until(VM, "v", shows("CrashLoopBackOff"))
    failure = shown["status"]["startFailure"]
    assert (failure["consecutiveFailCount"], failure["lastFailedVMIUID"]) == (1, uid(vmi))
    await actor.until_gone(VMI, "v")


async def test_a_changed_template_asks_for_a_restart(actor: Actor) -> None:
    await create(actor, "Always")
    await actor.bring_up("v")
    change = {"spec": {"template": {"spec": {"domain": {"memory": {"guest": "128Mi"}}}}}}
    await actor.client.merge_patch(VM, "v", actor.namespace, change)
    shown = await actor.until(VM, "v", lambda found: condition(found, "RestartRequired"))
    assert shown["status"]["desiredGeneration"] == shown["status"]["observedGeneration"] + 1


async def test_a_deleted_vm_takes_its_guest_along(actor: Actor) -> None:
    await create(actor, "Always")
    vmi = await actor.bring_up("v")
    await actor.client.delete(VM, "v", actor.namespace)
    await actor.until(VM, "v", shows("Terminating"))
    await actor.until(VMI, "v", is_deleted)
    await actor.bring_down(vmi)
    await actor.until_gone(VMI, "v")
    await actor.until_gone(VM, "v")


async def test_a_controller_killed_at_every_step_comes_to_the_same_end(
    actor: Actor, cluster: Cluster
) -> None:
    """kill -9 after each thing that happens: the next one to start goes on where the last one stopped."""

    def again() -> None:
        cluster.controllers.kill()
        cluster.controllers.start()

    await create(actor, "Always")
    again()
    vmi = await actor.until(VMI, "v", lambda found: True)
    again()
    pod = await actor.pod_of(uid(vmi))
    again()
    await actor.run_pod(pod)
    again()
    await actor.until(VMI, "v", phase_is("Scheduled"))
    again()
    await actor.set_phase("v", "Running")
    await actor.until(VM, "v", shows("Running"))
    assert uid(await actor.pod_of(uid(vmi))) == uid(pod)
    await set_strategy(actor, "Halted")
    again()
    await actor.until(VMI, "v", is_deleted)
    again()
    await actor.bring_down(vmi)
    again()
    await actor.until_gone(VMI, "v")
    await actor.until(VM, "v", shows("Stopped"))


async def test_sigterm_ends_the_controller_cleanly(actor: Actor, cluster: Cluster) -> None:
    await create(actor, "Halted")
    await actor.until(VM, "v", shows("Stopped"))
    assert cluster.controllers.kill(signal.SIGTERM) == 0
    cluster.controllers.start()


async def test_a_vm_deleted_while_its_guest_is_being_placed_leaves_nothing(actor: Actor) -> None:
    await create(actor, "Always")
    vmi = await actor.until(VMI, "v", lambda found: True)
    await actor.pod_of(uid(vmi))
    await actor.client.delete(VM, "v", actor.namespace)
    await actor.until_gone(VMI, "v")
    await actor.until_gone(VM, "v")
