"""Binds pods that no node has yet; says on the pod why it cannot."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import anyio
import structlog

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.basis.errors import Absent, Conflict, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.core.node import Node
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.meta import Condition
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.kube.errors import error_from_reply
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.plans import EventNote
from virtdeck.kube.snapshot import Change
from virtdeck.standalone.runner.fit import misfits, unschedulable_message
from virtdeck.standalone.runner.pod_loop import BY_NODE

NAMES = frozenset({None, "", "default-scheduler", "virtdeck"})
_ENDED = frozenset({"Succeeded", "Failed"})
_RETRY_SECONDS = 1.0
_CONDITION = "PodScheduled"

_log = structlog.get_logger()


@dataclass(frozen=True)
class Scheduler:
    """One at a time, the oldest first; looks again whenever a pod or a node changes."""

    client: Client
    clock: Clock
    pods: Cache[Pod]
    nodes: Cache[Node]
    recorder: EventRecorder

    async def run(self) -> None:
        """Schedules until cancelled."""
        await self.pods.wait_synced()
        await self.nodes.wait_synced()
        wake = _Wake()
        with self.pods.listening(wake.pod_changed), self.nodes.listening(wake.node_changed):
            while True:
                wake.clear()
                pause = None if await self._round() else _RETRY_SECONDS
                with anyio.move_on_after(pause):
                    await wake.event.wait()

    async def _round(self) -> bool:
        """Every waiting pod is bound or told why not; False when some write failed."""
        done = True
        for pod in sorted(filter(waits, self.pods.find(BY_NODE, "")), key=_age):
            try:
                await self._schedule(pod)
            except (Absent, Conflict):
                continue  # it changed meanwhile, which wakes us
            except VirtdeckError as fault:
                _log.warning("pod_not_scheduled", pod=pod.metadata.name, problem=fault.message)
                done = False
        return done

    async def _schedule(self, pod: Pod) -> None:
        reasons: dict[str, list[str]] = {}
        for node in self.nodes.all():
            found = misfits(pod, node, alive(self.pods.find(BY_NODE, node.metadata.name)))
            if not found:
                await self._bind(pod, node.metadata.name)
                return
            reasons[node.metadata.name] = found
        await self._explain(pod, unschedulable_message(reasons))

    async def _bind(self, pod: Pod, node: str) -> None:
        meta = pod.metadata
        binding = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": meta.name, "namespace": meta.namespace, "uid": meta.uid},
            "target": {"apiVersion": "v1", "kind": "Node", "name": node},
        }
        path = f"/api/v1/namespaces/{meta.namespace}/pods/{meta.name}/binding"
        status, body = await self.client.request("POST", path, body=binding)
        if status >= 400:
            raise error_from_reply(status, body)
        text = f"Successfully assigned {meta.namespace}/{meta.name} to {node}"
        self.recorder.record(kinds.POD, pod, EventNote("Normal", "Scheduled", text))

    async def _explain(self, pod: Pod, message: str) -> None:
        found = _scheduled(pod)
        if found is not None and (found.status, found.message) == ("False", message):
            return
        meta = pod.metadata
        condition = {
            "type": _CONDITION,
            "status": "False",
            "reason": "Unschedulable",
            "message": message,
            "lastTransitionTime": rfc3339(self.clock.now()),
        }
        patch: dict[str, Any] = {"metadata": {"uid": meta.uid}, "status": {"conditions": [condition]}}
        written = await self.client.strategic_patch(kinds.POD, meta.name, meta.namespace, patch, "status")
        self.pods.absorb(written)
        self.recorder.record(kinds.POD, pod, EventNote("Warning", "FailedScheduling", message))


class _Wake:
    """Is set when something may have made room, or a pod waits."""

    def __init__(self) -> None:
        self.event = anyio.Event()

    def clear(self) -> None:
        self.event = anyio.Event()

    def pod_changed(self, change: Change[Pod]) -> None:
        old, new = change.old, change.new
        if new is not None and waits(new):
            # What the scheduler itself wrote on a waiting pod is no news.
            if old is None or old.spec != new.spec:
                self.event.set()
        elif new is None or (new.status.phase in _ENDED) != (old is not None and old.status.phase in _ENDED):
            self.event.set()

    def node_changed(self, change: Change[Node]) -> None:
        old, new = change.old, change.new
        if old is None or new is None or _matters(old) != _matters(new):
            self.event.set()


def waits(pod: Pod) -> bool:
    """The pod wants a node from this scheduler."""
    meta, spec = pod.metadata, pod.spec
    bound = spec.node_name or meta.deletion_timestamp or pod.status.phase in _ENDED
    return not bound and spec.scheduler_name in NAMES


def alive(pods: Iterable[Pod]) -> list[Pod]:
    """The pods that still use what they asked for."""
    return [pod for pod in pods if pod.status.phase not in _ENDED]


def _matters(node: Node) -> tuple[object, ...]:
    """The part of a node that decides whether a pod fits; heartbeats are not in it."""
    allocatable = node.status.allocatable if node.status is not None else None
    return (node.metadata.labels, node.spec, allocatable)


def _scheduled(pod: Pod) -> Condition | None:
    return next((found for found in pod.status.conditions or () if found.type == _CONDITION), None)


def _age(pod: Pod) -> tuple[str, str]:
    return (pod.metadata.creation_timestamp or "", pod.metadata.name)
