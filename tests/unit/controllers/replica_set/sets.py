"""Replica sets and their VMIs as tests want them: plain values, no logic."""

from typing import Any

from tests.unit.controllers.builders import NOW, at, vmi

from virtdeck.controllers.replica_set.observed import Seen
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

LABELS = {"app": "web"}


def replica_set(**over: Any) -> VirtualMachineInstanceReplicaSet:
    """over: spec, status, metadata."""
    template = {
        "metadata": {"labels": LABELS, **over.get("template", {})},
        "spec": {"domain": {"devices": {}}},
    }
    body = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstanceReplicaSet",
        "metadata": {
            "name": "web",
            "namespace": "ns",
            "uid": "set-1",
            "resourceVersion": "5",
            **over.get("metadata", {}),
        },
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": LABELS},
            "template": template,
            **over.get("spec", {}),
        },
        "status": over.get("status", {}),
    }
    return decode(body, VirtualMachineInstanceReplicaSet)


def guest(name: str, state: str = "ready", **over: Any) -> VirtualMachineInstance:
    """state: ready, starting, ended, failed, unknown, gone. over: born, ended (seconds from now)."""
    phase = {"ready": "Running", "starting": "Scheduling", "failed": "Failed", "unknown": "Unknown"}
    found = phase.get(state, "Succeeded" if state == "ended" else "Running")
    conditions = [{"type": "Ready", "status": "True" if state == "ready" else "False"}]
    stamp = {"phase": found, "phaseTransitionTimestamp": at(over.get("ended", -1))}
    meta = {"name": name, "uid": name, "labels": LABELS, "creationTimestamp": at(over.get("born", -600))}
    if state == "gone":
        meta["deletionTimestamp"] = at(-1)
    placed = {"nodeName": "n"} if state == "ready" else {}
    status = {"phaseTransitionTimestamps": [stamp], **placed}
    return vmi(found, metadata=meta, conditions=conditions, status=status)


def seen(of: VirtualMachineInstanceReplicaSet, *members: VirtualMachineInstance, **over: Any) -> Seen:
    """The set with these VMIs, and names that nobody has."""
    free = over.pop("free", tuple(f"web-new{number}" for number in range(9)))
    return Seen(replica_set=of, now=NOW, members=members, free=free, **over)
