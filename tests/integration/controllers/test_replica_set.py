"""virt-controller and replica sets, on the real API server."""

from typing import Any

import anyio
import pytest
from tests.integration.controllers.instance import Cluster
from tests.integration.controllers.kubelet import VMI, Actor, condition, is_deleted

from virtdeck.crds import kinds
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio
SET, EVENTS = raw(kinds.REPLICA_SET), raw(kinds.EVENT)
LABELS = {"app": "web"}
GUEST = {"terminationGracePeriodSeconds": 0, "domain": {"devices": {}, "memory": {"guest": "64Mi"}}}


async def create(actor: Actor, replicas: int, **spec: Any) -> dict[str, Any]:
    made = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstanceReplicaSet",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": LABELS},
            "template": {"metadata": {"labels": LABELS}, "spec": GUEST},
            **spec,
        },
    }
    return await actor.client.create(SET, made, actor.namespace)


async def counts(actor: Actor, replicas: int) -> dict[str, Any]:
    """The set, once it says that it has so many VMIs."""
    return await actor.until(SET, "web", lambda found: found.get("status", {}).get("replicas") == replicas)


async def guests(actor: Actor) -> list[dict[str, Any]]:
    return [found for found in await actor.client.list(VMI, actor.namespace) if not is_deleted(found)]


async def names(actor: Actor) -> set[str]:
    return {found["metadata"]["name"] for found in await guests(actor)}


async def change(actor: Actor, **spec: Any) -> None:
    await actor.client.merge_patch(SET, "web", actor.namespace, {"spec": spec})


async def scale(actor: Actor, replicas: int) -> None:
    await actor.client.merge_patch(SET, "web", actor.namespace, {"spec": {"replicas": replicas}}, "scale")


async def test_a_set_grows_shrinks_and_goes_with_its_vmis(actor: Actor) -> None:
    await create(actor, 0)
    shown = await counts(actor, 0)
    assert (shown["status"]["labelSelector"], shown["status"]["readyReplicas"]) == ("app=web", 0)
    await scale(actor, 3)
    await counts(actor, 3)
    (owner,) = (await guests(actor))[0]["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["controller"]) == ("VirtualMachineInstanceReplicaSet", True)
    await scale(actor, 1)
    await counts(actor, 1)
    assert len(await names(actor)) == 1
    reasons = {found["reason"] for found in await actor.client.list(EVENTS, actor.namespace)}
    assert {"SuccessfulCreate", "SuccessfulDelete"} <= reasons
    await actor.client.delete(SET, "web", actor.namespace)
    await actor.until_gone(SET, "web")
    with anyio.fail_after(10):
        while await actor.client.list(VMI, actor.namespace):
            await anyio.sleep(0.02)


async def test_a_vmi_that_somebody_deletes_or_that_ends_is_replaced(actor: Actor) -> None:
    await create(actor, 1)
    await counts(actor, 1)
    (first,) = await names(actor)
    await actor.client.delete(VMI, first, actor.namespace)
    second = await _another(actor, first)
    await actor.bring_down(await actor.bring_up(second), "Failed")
    third = await _another(actor, second)
    assert third not in (first, second)
    await actor.until_gone(VMI, second)
    await counts(actor, 1)


async def _another(actor: Actor, name: str) -> str:
    with anyio.fail_after(10):
        while not (found := await names(actor) - {name}):
            await anyio.sleep(0.02)
    return found.pop()


async def test_a_vmi_is_adopted_released_and_replaced_by_its_labels(actor: Actor) -> None:
    loose = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {"name": "mine", "labels": LABELS},
        "spec": GUEST,
    }
    await actor.client.create(VMI, loose, actor.namespace)
    await create(actor, 1)
    await counts(actor, 1)
    assert await names(actor) == {"mine"}, "what is there already counts"
    await actor.client.merge_patch(VMI, "mine", actor.namespace, {"metadata": {"labels": {"app": "other"}}})
    free = await actor.until(VMI, "mine", lambda found: "ownerReferences" not in found["metadata"])
    assert not is_deleted(free)
    await _another(actor, "mine")


async def test_two_sets_do_not_quarrel_about_a_vmi_that_one_of_them_owns(actor: Actor) -> None:
    await create(actor, 1)
    await counts(actor, 1)
    other = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstanceReplicaSet",
        "metadata": {"name": "other"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": LABELS},
            "template": {"metadata": {"labels": LABELS}, "spec": GUEST},
        },
    }
    await actor.client.create(SET, other, actor.namespace)
    await actor.until(SET, "other", lambda found: found.get("status", {}).get("replicas") == 0)
    (left,) = await guests(actor)
    assert left["metadata"]["ownerReferences"][0]["name"] == "web"


async def test_a_paused_set_waits(actor: Actor) -> None:
    await create(actor, 1, paused=True)
    await actor.until(SET, "web", lambda found: condition(found, "ReplicaPaused"))
    assert await names(actor) == set()
    await change(actor, paused=None)
    shown = await counts(actor, 1)
    assert not condition(shown, "ReplicaPaused")


async def test_a_set_at_rest_is_written_once(actor: Actor) -> None:
    await create(actor, 2)
    shown = await counts(actor, 2)
    await actor.client.merge_patch(SET, "web", actor.namespace, {"metadata": {"labels": {"a": "b"}}})
    marked = await actor.client.require(SET, "web", actor.namespace)
    await create_and_see_other(actor)
    again = await actor.client.require(SET, "web", actor.namespace)
    assert again["metadata"]["resourceVersion"] == marked["metadata"]["resourceVersion"]
    assert again["status"] == shown["status"]


async def create_and_see_other(actor: Actor) -> None:
    """Another object goes all the way through the same controller."""
    selector = {"matchLabels": {"app": "db"}}
    template = {"metadata": {"labels": {"app": "db"}}, "spec": GUEST}
    other = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstanceReplicaSet",
        "metadata": {"name": "db"},
        "spec": {"replicas": 1, "selector": selector, "template": template},
    }
    await actor.client.create(SET, other, actor.namespace)
    await actor.until(SET, "db", lambda found: found.get("status", {}).get("replicas") == 1)


async def test_a_controller_killed_on_the_way_makes_no_vmi_twice(actor: Actor, cluster: Cluster) -> None:
    await create(actor, 4)
    cluster.controllers.kill()
    cluster.controllers.start()
    await counts(actor, 4)
    assert len(await names(actor)) == 4
