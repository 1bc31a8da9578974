"""Pools and machines as tests want them: plain values, no logic."""

from typing import Any

from tests.unit.controllers.builders import NOW, at

from virtdeck.controllers.pool.observed import Machine, Seen
from virtdeck.controllers.pool.render import render_machine
from virtdeck.controllers.pool.revision import pool_revision_facts, render_revision
from virtdeck.crds.codec import decode
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.pool.pool import VirtualMachinePool

LABELS = {"app": "web"}


def pool(**over: Any) -> VirtualMachinePool:
    """over: spec, status, generation, memory (of the guests), strategy (of running), machine (spec)."""
    guest = {
        "domain": {"devices": {}, "memory": {"guest": over.get("memory", "64Mi")}},
        **over.get("guest", {}),
    }
    machine = {
        "runStrategy": over.get("strategy", "Always"),
        "template": {"metadata": {"labels": LABELS}, "spec": guest},
        **over.get("machine", {}),
    }
    body = {
        "apiVersion": "pool.kubevirt.io/v1beta1",
        "kind": "VirtualMachinePool",
        "metadata": {
            "name": "web",
            "namespace": "ns",
            "uid": "pool-1",
            "resourceVersion": "5",
            "generation": over.get("generation", 1),
            **over.get("metadata", {}),
        },
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": LABELS},
            "virtualMachineTemplate": {"metadata": {"labels": LABELS}, "spec": machine},
            **over.get("spec", {}),
        },
        "status": over.get("status", {}),
    }
    return decode(body, VirtualMachinePool)


def machine(of: VirtualMachinePool, index: int, guest: str | None = "ready", **over: Any) -> Machine:
    """One machine of the pool. guest: ready, starting, ended or None. over: revision, deleted, status …"""
    revision = over.get("revision", "web-1")
    made = render_machine(of, index, revision)
    made["metadata"] |= {
        "uid": f"vm-{index}",
        "resourceVersion": "7",
        "creationTimestamp": at(over.get("born", index)),
    }
    if over.get("deleted"):
        made["metadata"]["deletionTimestamp"] = at(-1)
    made["status"] = over.get("status", {})
    vm = decode(made, VirtualMachine)
    return Machine(vm=vm, index=index, vmi=_guest(vm, guest, over.get("guest_revision", revision)))


def _guest(vm: VirtualMachine, guest: str | None, revision: str) -> VirtualMachineInstance | None:
    if guest is None:
        return None
    phase = {"ready": "Running", "starting": "Scheduling", "ended": "Succeeded"}[guest]
    ready = {"type": "Ready", "status": "True" if guest == "ready" else "False"}
    labels = {"kubevirt.io/vm-pool-revision-name": revision}
    body = {
        "metadata": {"name": vm.metadata.name, "namespace": "ns", "uid": "vmi", "labels": labels},
        "spec": {"domain": {"devices": {}}},
        "status": {"phase": phase, "conditions": [ready]},
    }
    return decode(body, VirtualMachineInstance)


def kept(of: VirtualMachinePool, name: str = "web-1") -> ControllerRevision:
    return pool_revision_facts(render_revision(of, name))


def seen(of: VirtualMachinePool, *machines: Machine, **over: Any) -> Seen:
    """The pool with these machines, its revision kept."""
    wanted = over.pop("free", tuple(range(len(machines), len(machines) + 10)))
    revisions = over.pop("revisions", (kept(of),))
    return Seen(pool=of, now=NOW, machines=machines, free=wanted, revisions=revisions, **over)
