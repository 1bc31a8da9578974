"""virt-controller and pools, on the real API server."""

from typing import Any

import anyio
import pytest
from tests.integration.controllers.instance import Cluster
from tests.integration.controllers.kubelet import POD, VM, VMI, Actor, condition, is_deleted, shows

from virtdeck.crds import kinds
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio
POOL, REVISIONS = raw(kinds.POOL), raw(kinds.CONTROLLER_REVISION)
REVISION = "kubevirt.io/vm-pool-revision-name"


async def create(actor: Actor, replicas: int, strategy: str = "Halted", **spec: Any) -> dict[str, Any]:
    labels = {"app": "web"}
    guest = {"terminationGracePeriodSeconds": 0, "domain": {"devices": {}, "memory": {"guest": "64Mi"}}}
    machine = {"runStrategy": strategy, "template": {"metadata": {"labels": labels}, "spec": guest}}
    made = {
        "apiVersion": "pool.kubevirt.io/v1beta1",
        "kind": "VirtualMachinePool",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "virtualMachineTemplate": {"metadata": {"labels": labels}, "spec": machine},
            **spec,
        },
    }
    return await actor.client.create(POOL, made, actor.namespace)


async def change(actor: Actor, **spec: Any) -> None:
    await actor.client.merge_patch(POOL, "web", actor.namespace, {"spec": spec})


async def counts(actor: Actor, replicas: int) -> dict[str, Any]:
    """The pool, once it says that it has so many machines."""
    return await actor.until(POOL, "web", lambda found: found.get("status", {}).get("replicas") == replicas)


async def machines(actor: Actor) -> list[str]:
    return sorted(found["metadata"]["name"] for found in await actor.client.list(VM, actor.namespace))


def memory(size: str) -> dict[str, Any]:
    domain = {"memory": {"guest": size}}
    return {"virtualMachineTemplate": {"spec": {"template": {"spec": {"domain": domain}}}}}


async def test_a_pool_grows_shrinks_and_goes_with_its_machines(actor: Actor) -> None:
    order = {"proactive": {"selectionPolicy": {"sortPolicy": "DescendingOrder"}}}
    await create(actor, 3, scaleInStrategy=order)
    shown = await counts(actor, 3)
    assert await machines(actor) == ["web-0", "web-1", "web-2"]
    assert (shown["status"]["labelSelector"], shown["status"]["readyReplicas"]) == ("app=web", 0)
    await actor.client.merge_patch(POOL, "web", actor.namespace, {"spec": {"replicas": 1}}, "scale")
    await counts(actor, 1)
    await actor.until_gone(VM, "web-2")
    assert await machines(actor) == ["web-0"]
    await actor.client.delete(POOL, "web", actor.namespace)
    await actor.until_gone(POOL, "web")
    for name in ("web-0", "web-1"):
        await actor.until_gone(VM, name)


async def test_a_machine_that_somebody_deletes_is_made_anew(actor: Actor) -> None:
    await create(actor, 1)
    await counts(actor, 1)
    former = await actor.client.require(VM, "web-0", actor.namespace)
    await actor.client.delete(VM, "web-0", actor.namespace)
    with anyio.fail_after(10):
        while await _uids(actor) in ([], [former["metadata"]["uid"]]):
            await anyio.sleep(0.02)
    await actor.until(POOL, "web", lambda found: found["status"]["replicas"] == 1)


async def _uids(actor: Actor) -> list[str]:
    found = await actor.client.list(VM, actor.namespace)
    return [each["metadata"]["uid"] for each in found if not is_deleted(each)]


async def test_a_name_that_somebody_else_has_is_left_out(actor: Actor) -> None:
    template = {"spec": {"domain": {"devices": {}, "memory": {"guest": "64Mi"}}}}
    other = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "web-0"},
        "spec": {"runStrategy": "Halted", "template": template},
    }
    await actor.client.create(VM, other, actor.namespace)
    await create(actor, 2)
    await counts(actor, 2)
    assert await machines(actor) == ["web-0", "web-1", "web-2"]
    left = await actor.client.require(VM, "web-0", actor.namespace)
    assert "ownerReferences" not in left["metadata"]


async def test_a_changed_template_rolls_over_guests_within_what_may_be_missed(actor: Actor) -> None:
    await create(actor, 2, "Always", maxUnavailable=1)
    guests = [await actor.bring_up(name) for name in ("web-0", "web-1")]
    for guest in guests:
        await _make_ready(actor, guest)
    await actor.until(POOL, "web", lambda found: found["status"].get("readyReplicas") == 2)
    before = await actor.client.require(VM, "web-0", actor.namespace)
    await change(actor, **memory("128Mi"))
    changed = await actor.until(VM, "web-0", lambda found: found["metadata"]["labels"][REVISION] == "web-2")
    domain = changed["spec"]["template"]["spec"]["domain"]
    assert domain["memory"]["guest"] == "128Mi"
    assert domain.get("firmware") == before["spec"]["template"]["spec"]["domain"].get("firmware")
    first = await _deleted_one(actor)
    other = "web-1" if first == "web-0" else "web-0"
    assert not is_deleted(await actor.client.require(VMI, other, actor.namespace))
    await actor.bring_down(next(found for found in guests if found["metadata"]["name"] == first))
    fresh = await actor.until(VMI, first, lambda found: found["metadata"]["labels"].get(REVISION) == "web-2")
    assert fresh["spec"]["domain"]["memory"]["guest"] == "128Mi"


async def _make_ready(actor: Actor, guest: dict[str, Any]) -> None:
    """The kubelet finds the guest's pod ready, its gate being open."""
    name = (await actor.pod_of(guest["metadata"]["uid"]))["metadata"]["name"]
    gate = "kubevirt.io/virtual-machine-unpaused"
    pod = await actor.until(POD, name, lambda found: condition(found, gate).get("status") == "True")
    ready = {"type": "Ready", "status": "True"}
    await actor.set_pod(name, conditions=[*pod["status"]["conditions"], ready])


async def _deleted_one(actor: Actor) -> str:
    """The guest that the pool asked to end."""
    shown = await actor.until(POOL, "web", lambda found: found["status"].get("readyReplicas") == 1)
    assert shown["status"]["replicas"] == 2
    guests = await actor.client.list(VMI, actor.namespace)
    (name,) = [found["metadata"]["name"] for found in guests if is_deleted(found)]
    return str(name)


async def test_a_paused_pool_waits(actor: Actor) -> None:
    await create(actor, 1)
    await counts(actor, 1)
    await change(actor, paused=True)
    await actor.until(POOL, "web", lambda found: condition(found, "ReplicaPaused"))
    await change(actor, replicas=2)
    await change(actor, paused=None)
    await counts(actor, 2)
    shown = await actor.until(POOL, "web", lambda found: not condition(found, "ReplicaPaused"))
    assert shown["status"]["replicas"] == 2


async def test_a_machine_whose_label_is_taken_away_leaves_and_is_replaced(actor: Actor) -> None:
    await create(actor, 1)
    await counts(actor, 1)
    away = {"metadata": {"labels": {"app": "mine"}}}
    await actor.client.merge_patch(VM, "web-0", actor.namespace, away)
    free = await actor.until(VM, "web-0", lambda found: "ownerReferences" not in found["metadata"])
    assert free["metadata"]["labels"]["app"] == "mine"
    await actor.until(VM, "web-1", lambda found: True)


async def test_scaling_writes_no_machine_and_keeps_one_revision(actor: Actor) -> None:
    await create(actor, 1)
    await counts(actor, 1)
    before = await actor.until(VM, "web-0", shows("Stopped"))
    await change(actor, replicas=2)
    await counts(actor, 2)
    await actor.until(VM, "web-1", shows("Stopped"))
    after = await actor.client.require(VM, "web-0", actor.namespace)
    assert after["metadata"]["resourceVersion"] == before["metadata"]["resourceVersion"]
    kept = await actor.client.list(REVISIONS, actor.namespace)
    assert [found["metadata"]["name"] for found in kept] == ["web-1"]


async def test_a_controller_killed_on_the_way_makes_no_machine_twice(actor: Actor, cluster: Cluster) -> None:
    await create(actor, 4)
    cluster.controllers.kill()
    cluster.controllers.start()
    await counts(actor, 4)
    assert await machines(actor) == ["web-0", "web-1", "web-2", "web-3"]
