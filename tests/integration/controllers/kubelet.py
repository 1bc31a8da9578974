"""A test that plays the scheduler, the kubelet and virt-handler: it writes what they would write."""

from collections.abc import Callable
from typing import Any

import anyio
from tests.integration.controllers.instance import NODE

from virtdeck.basis.errors import Absent
from virtdeck.crds import kinds
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw

POD, VM, VMI = raw(kinds.POD), raw(kinds.VM), raw(kinds.VMI)
Object = dict[str, Any]
NOW = "2026-01-01T00:00:00Z"


class Actor:
    """One namespace in which a test plays its parts."""

    def __init__(self, client: Client, namespace: str) -> None:
        self.client = client
        self.namespace = namespace

    async def until(self, kind: Any, name: str, holds: Callable[[Object], object]) -> Object:
        """The object, once ``holds`` answers what is true. Raises: TimeoutError with what it was."""
        seen: Object | None = None
        with anyio.move_on_after(10):
            while True:
                seen = await self.client.get(kind, name, self.namespace)
                if seen is not None and holds(seen):
                    return seen
                await anyio.sleep(0.02)
        raise TimeoutError(f"{kind.kind} {name} stayed {seen}")

    async def until_gone(self, kind: Any, name: str) -> None:
        seen: Object | None = None
        with anyio.move_on_after(10):
            while True:
                seen = await self.client.get(kind, name, self.namespace)
                if seen is None:
                    return
                await anyio.sleep(0.02)
        raise TimeoutError(f"{kind.kind} {name} stayed {seen}")

    async def pod_of(self, vmi_uid: str) -> Object:
        """The launcher pod of the VMI, once it is there."""
        with anyio.fail_after(10):
            while True:
                selector = f"kubevirt.io/created-by={vmi_uid}"
                found = await self.client.list(POD, self.namespace, label_selector=selector)
                if found:
                    return found[0]
                await anyio.sleep(0.02)

    async def run_pod(self, pod: Object) -> None:
        """The scheduler binds the pod, the kubelet starts it."""
        name = pod["metadata"]["name"]
        binding = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": name},
            "target": {"kind": "Node", "name": NODE},
        }
        path = f"/api/v1/namespaces/{self.namespace}/pods/{name}/binding"
        code, body = await self.client.request("POST", path, body=binding)
        assert code < 300, body
        state = container_status({"running": {"startedAt": NOW}})
        await self.set_pod(name, phase="Running", qosClass="Burstable", containerStatuses=[state])

    async def set_pod(self, name: str, **status: Any) -> None:
        await self.client.merge_patch(POD, name, self.namespace, {"status": status}, "status")

    async def end_pod(self, name: str) -> None:
        """The kubelet has ended the containers of a deleted pod."""
        try:
            await self.client.delete(POD, name, self.namespace, grace_seconds=0)
        except Absent:
            return

    async def set_phase(self, name: str, phase: str) -> None:
        """virt-handler tells how the guest is."""
        vmi = await self.client.require(VMI, name, self.namespace)
        stamps = vmi["status"].get("phaseTransitionTimestamps", [])
        stamps = [*stamps, {"phase": phase, "phaseTransitionTimestamp": NOW}]
        status = {"phase": phase, "phaseTransitionTimestamps": stamps}
        await self.client.merge_patch(VMI, name, self.namespace, {"status": status})

    async def bring_up(self, name: str) -> Object:
        """Everybody else's part from a new VMI to a running guest; answers the VMI."""
        vmi = await self.until(VMI, name, lambda found: True)
        await self.run_pod(await self.pod_of(vmi["metadata"]["uid"]))
        await self.until(VMI, name, phase_is("Scheduled"))
        await self.set_phase(name, "Running")
        return await self.until(VMI, name, phase_is("Running"))

    async def bring_down(self, vmi: Object, phase: str = "Succeeded") -> None:
        """The guest ends, and the kubelet lets its pod go."""
        await self.set_phase(vmi["metadata"]["name"], phase)
        pod = await self.pod_of(vmi["metadata"]["uid"])
        await self.until(POD, pod["metadata"]["name"], is_deleted)
        await self.end_pod(pod["metadata"]["name"])


def container_status(state: Object) -> Object:
    """The launcher's container as a kubelet reports it."""
    known = {"name": "compute", "image": "launcher", "imageID": "launcher@1", "restartCount": 0}
    return {**known, "ready": "running" in state, "state": state}


def phase_is(phase: str) -> Callable[[Object], bool]:
    return lambda found: found.get("status", {}).get("phase") == phase


def shows(word: str) -> Callable[[Object], bool]:
    return lambda found: found.get("status", {}).get("printableStatus") == word


def is_deleted(found: Object) -> bool:
    return "deletionTimestamp" in found["metadata"]


def condition(found: Object, type_: str) -> Object:
    conditions = found.get("status", {}).get("conditions", [])
    return next((entry for entry in conditions if entry["type"] == type_), {})
