"""Marks a node unschedulable for guests while its virt-handler is silent."""

from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import VirtdeckError
from virtdeck.controllers import names
from virtdeck.controllers.caches import Caches
from virtdeck.controllers.silence import SILENT_AFTER_SECONDS, is_silent, last_heartbeat
from virtdeck.crds import reasons
from virtdeck.crds.core.node import Node
from virtdeck.kube.objects import Key
from virtdeck.kube.plans import EventNote, Plan
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change

RECHECK_SECONDS = 60.0

NodePlan = Plan[None, Node]


@dataclass(frozen=True)
class Seen:
    """One node, as its virt-handler last wrote it."""

    node: Node
    now: datetime


def decide(seen: Seen) -> NodePlan:
    """virt-handler itself takes the mark back with its next heartbeat."""
    labels = seen.node.metadata.labels or {}
    if not is_silent(seen.node, seen.now):
        return Plan(again_after=RECHECK_SECONDS if last_heartbeat(seen.node) else None)
    if labels.get(names.SCHEDULABLE) == "false":
        return Plan()
    marked = replace(seen.node.metadata, labels={**labels, names.SCHEDULABLE: "false"})
    text = f"virt-handler has not been heard of for {SILENT_AFTER_SECONDS / 60:.0f} minutes"
    note = EventNote("Warning", reasons.NODE_UNRESPONSIVE, f"{text}; no new virtual machines are placed here")
    return Plan(wanted=replace(seen.node, metadata=marked), events=(note,))


class NodeReconciler:
    """The node controller's eyes; it has no hands but the shared write."""

    def __init__(self, caches: Caches, queue: WorkQueue[Key], clock: Clock) -> None:
        self._caches = caches
        self._queue = queue
        self._clock = clock

    def node_changed(self, change: Change[Node]) -> None:
        self._queue.add(change.key)

    def observe(self, key: Key) -> Seen | None:
        node = self._caches.nodes.get("", key.name)
        return Seen(node, self._clock.now()) if node else None

    def subject(self, seen: Seen) -> Node:
        return seen.node

    def decide(self, seen: Seen) -> NodePlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: None, error: VirtdeckError) -> NodePlan:
        return Plan()

    async def act(self, action: None) -> None:
        """There are no actions."""
