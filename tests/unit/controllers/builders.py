"""Objects as tests want them: plain values, no logic."""

from datetime import UTC, datetime, timedelta
from typing import Any

from virtdeck.controllers.cluster import ClusterConfig
from virtdeck.controllers.vm.observed import Seen as VmSeen
from virtdeck.controllers.vmi.observed import Seen as VmiSeen
from virtdeck.controllers.vmi.pod import LauncherSettings, render_pod
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.patches import merge_diff

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
LAUNCHER = LauncherSettings("launcher:1", 107, 107)
SPEC = {"domain": {"devices": {}, "memory": {"guest": "128Mi"}}}


def at(seconds: float) -> str:
    return (NOW + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def vmi(phase: str | None = None, **over: Any) -> VirtualMachineInstance:
    """over: deleted=seconds ago, conditions=[…], status={…}, spec={…}, metadata={…}."""
    meta = {
        "name": "v",
        "namespace": "ns",
        "uid": "vmi-1",
        "resourceVersion": "7",
        "finalizers": ["kubevirt.io/foregroundDeleteVirtualMachine"],
        **over.get("metadata", {}),
    }
    if "deleted" in over:
        meta["deletionTimestamp"] = at(-over["deleted"])
    status = {"phase": phase, "conditions": over.get("conditions"), **over.get("status", {})}
    status = {name: value for name, value in status.items() if value is not None}
    body = {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "metadata": meta}
    return decode(
        {**body, "spec": {**SPEC, **over.get("spec", {})}, "status": status}, VirtualMachineInstance
    )


def ran(phase: str, **over: Any) -> VirtualMachineInstance:
    """A VMI that reached Running before it came to this phase."""
    stamps = [{"phase": "Running", "phaseTransitionTimestamp": at(-60)}]
    status = {"phaseTransitionTimestamps": stamps, **over.pop("status", {})}
    return vmi(phase, status=status, **over)


def pod(owner: VirtualMachineInstance, state: str = "running", **over: Any) -> Pod:
    """state: pending, running, succeeded, failed. over: deleted, conditions, node, age, waiting, status …"""
    made = to_dict(render_pod(owner, LAUNCHER, ClusterConfig()))
    made["metadata"] |= {
        "uid": over.get("uid", "pod-1"),
        "resourceVersion": "9",
        "creationTimestamp": at(-over.get("age", 0)),
    }
    if over.get("deleted"):
        made["metadata"]["deletionTimestamp"] = at(-1)
    if state != "pending" or over.get("node"):
        made["spec"]["nodeName"] = over.get("node", "n1")
    container: dict[str, Any] = {"name": "compute", "ready": state == "running", "state": {}}
    if state == "running":
        container["state"] = {"running": {"startedAt": at(0)}}
    if over.get("waiting"):
        container["state"] = {"waiting": {"reason": over["waiting"], "message": "why it waits"}}
    if state in ("succeeded", "failed"):
        ended = {"exitCode": 0 if state == "succeeded" else 1, "finishedAt": at(-over.get("ended", 10))}
        container["state"] = {"terminated": ended}
    made["status"] = {
        "phase": state.capitalize(),
        "conditions": over.get("conditions", []),
        "containerStatuses": [container],
        **over.get("status", {}),
    }
    return decode(made, Pod)


def vmi_seen(found: VirtualMachineInstance, its_pod: Pod | None = None, **over: Any) -> VmiSeen:
    return VmiSeen(vmi=found, pod=its_pod, launcher=LAUNCHER, now=NOW, **over)


def vm(strategy: str | None = "Always", **over: Any) -> VirtualMachine:
    """over: deleted, status, spec, metadata, template."""
    meta = {
        "name": "v",
        "namespace": "ns",
        "uid": "vm-1",
        "generation": 3,
        "resourceVersion": "5",
        "finalizers": ["kubevirt.io/virtualMachineControllerFinalize"],
        **over.get("metadata", {}),
    }
    if over.get("deleted"):
        meta["deletionTimestamp"] = at(-1)
    spec = {"template": over.get("template", {"spec": SPEC}), **over.get("spec", {})}
    if strategy:
        spec["runStrategy"] = strategy
    body = {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": meta, "spec": spec}
    return decode({**body, "status": over.get("status", {})}, VirtualMachine)


def vm_seen(found: VirtualMachine, its_vmi: VirtualMachineInstance | None = None, **over: Any) -> VmSeen:
    return VmSeen(vm=found, vmi=its_vmi, now=NOW, **over)


def changed(plan: Any, before: Any) -> dict[str, Any]:
    """What the plan writes into the object, as a merge patch."""
    return merge_diff(to_dict(before), to_dict(plan.wanted)) if plan.wanted is not None else {}


def kinds_of(plan: Any) -> list[str]:
    return [type(action).__name__ for action in plan.actions]


def reasons_of(plan: Any) -> list[str]:
    return [note.reason for note in plan.events]
