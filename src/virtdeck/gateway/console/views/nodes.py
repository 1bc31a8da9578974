"""Nodes: whether they can run machines, how, and how full they are."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from virtdeck.basis.errors import Invalid
from virtdeck.crds.core.node import Node
from virtdeck.crds.quantity import parse_bytes, parse_milli
from virtdeck.gateway.console.views.detail import ConditionView, condition_view
from virtdeck.gateway.console.views.machine import Machine, size, when
from virtdeck.gateway.console.views.state import State
from virtdeck.web.words import mark

SCHEDULABLE = "kubevirt.io/schedulable"
GOOD_WHEN_FALSE = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")


@dataclass(frozen=True)
class NodeView:
    """One node. hardware: whether KVM works there; why_not: if not, what was found when it was tried."""

    name: str
    state: State
    hardware: bool | None
    why_not: str
    cpus: str
    memory: str
    machines: int
    vcpus_used: int
    memory_used: str
    share_used: float
    system: str
    kernel: str
    architecture: str
    address: str
    created: datetime | None
    conditions: tuple[ConditionView, ...]


READY = State("Ready", mark("Ready"), "good", "run")
NOT_READY = State("NotReady", mark("Not ready"), "bad", "bad")
NO_AGENT = State("NoAgent", mark("Runs no machines"), "warn", "warn")
UNKNOWN = State("Unknown", mark("Unknown"), "warn", "unknown")


def node_views(nodes: Iterable[Node], machines: Iterable[Machine]) -> tuple[NodeView, ...]:
    """All nodes by name."""
    placed: dict[str, list[Machine]] = {}
    for machine in machines:
        if machine.node and machine.has_vmi:
            placed.setdefault(machine.node, []).append(machine)
    views = (node_view(node, placed.get(node.metadata.name or "", [])) for node in nodes)
    return tuple(sorted(views, key=lambda view: view.name))


def node_view(node: Node, machines: list[Machine]) -> NodeView:
    status = node.status
    info = status.node_info if status else None
    capacity = (status and status.capacity) or {}
    total, used = _bytes(capacity.get("memory")), sum(machine.memory for machine in machines)
    works, why_not = kvm(node)
    return NodeView(
        name=node.metadata.name or "",
        state=_state(node),
        hardware=works,
        why_not=why_not,
        cpus=_cpus(capacity.get("cpu")),
        memory=size(total) if total else "",
        machines=len(machines),
        vcpus_used=sum(machine.vcpus for machine in machines),
        memory_used=size(used),
        share_used=min(1.0, used / total) if total else 0.0,
        system=(info and info.os_image) or "",
        kernel=(info and info.kernel_version) or "",
        architecture=(info and info.architecture) or "",
        address=next(
            (one.address for one in (status and status.addresses) or () if one.type == "InternalIP"), ""
        ),
        created=when(node.metadata.creation_timestamp),
        conditions=_conditions(node),
    )


def _bytes(amount: str | int | float | None) -> int:
    try:
        return parse_bytes(amount) if amount is not None else 0
    except Invalid:
        return 0


def _cpus(amount: str | int | float | None) -> str:
    try:
        return f"{parse_milli(amount) / 1000:g}" if amount is not None else ""
    except Invalid:
        return ""


def _answer(node: Node, kind: str) -> tuple[str, str]:
    """Status and message of a condition; empty when nobody says."""
    found = next((one for one in (node.status and node.status.conditions) or () if one.type == kind), None)
    return (found.status, found.message or "") if found else ("", "")


def _state(node: Node) -> State:
    ready, message = _answer(node, "Ready")
    if ready == "False":
        return State(NOT_READY.key, NOT_READY.word, NOT_READY.kind, NOT_READY.shape, message)
    if ready != "True":
        return UNKNOWN
    return NO_AGENT if (node.metadata.labels or {}).get(SCHEDULABLE) == "false" else READY


def kvm(node: Node) -> tuple[bool | None, str]:
    """Whether hardware virtualization works there, and if not, what was found; None: nobody has said."""
    for kind in ("KvmUsable", "KVMUsable", "HardwareVirtualization"):
        status, message = _answer(node, kind)
        if status in ("True", "False"):
            return status == "True", message
    amount = ((node.status and node.status.allocatable) or {}).get("devices.kubevirt.io/kvm")
    return (None, "") if amount is None else (_bytes(amount) > 0, "")


def _conditions(node: Node) -> tuple[ConditionView, ...]:
    found = []
    for one in (node.status and node.status.conditions) or ():
        good = (one.status == "False") == (one.type in GOOD_WHEN_FALSE)
        kind = "good" if good else "bad" if one.type in ("Ready", *GOOD_WHEN_FALSE) else "warn"
        found.append(condition_view(one, kind))
    return tuple(found)
