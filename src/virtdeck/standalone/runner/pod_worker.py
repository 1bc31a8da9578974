"""One look at one pod: what is wanted, what is there, and the one step in between."""

import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import structlog
from anyio.abc import TaskGroup

from virtdeck.basis.clock import Clock, parse_rfc3339
from virtdeck.basis.errors import Absent as NotInApi
from virtdeck.basis.errors import Conflict, HostFault, Invalid
from virtdeck.crds import kinds
from virtdeck.crds.core.pod import Pod
from virtdeck.kube.client import Client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.plans import EventNote
from virtdeck.safety.paths import one_component
from virtdeck.standalone.runner import container_state as seen
from virtdeck.standalone.runner.containers import Containers
from virtdeck.standalone.runner.launch import read_launch
from virtdeck.standalone.runner.networks import Networks
from virtdeck.standalone.runner.pod_starter import PodStarter
from virtdeck.standalone.runner.pod_status import (
    Place,
    Status,
    changed,
    ended_status,
    refused_status,
    running_status,
    waiting_status,
)
from virtdeck.standalone.runner.probes import Probes, Target
from virtdeck.standalone.runner.processes import handles, signal_process, wait_ended
from virtdeck.standalone.runner.pulls import Waiting
from virtdeck.standalone.runner.volumes import remove_volumes

_CONMON_SECONDS = 3.0
_NOW = 0.0
_HANDLER_SECONDS = 0.1  # a launcher that has just begun is not yet able to end

_log = structlog.get_logger()


@dataclass
class PodWorker:
    """Carries one pod a step further at each ``sync``; safe to repeat at any time, one at a time a pod.

    look_again: puts a pod's uid back in the queue. host_ip: the node's address.
    image: what containers are made of.
    """

    client: Client
    containers: Containers
    networks: Networks
    starter: PodStarter
    recorder: EventRecorder
    clock: Clock
    tasks: TaskGroup
    probes: Probes
    look_again: Callable[[str, float], None]
    absorb: Callable[[Pod], None]
    host_ip: str
    image: str
    _watched: set[str] = field(default_factory=set)

    async def sync(self, uid: str, pod: Pod | None) -> None:
        """The pod is a step further. pod: None when the API has none with this uid.

        Raises: VirtdeckError; then it is tried again later.
        """
        one_component(uid)  # it is part of paths: an empty one would mean all pods
        container = self.containers.observe(uid)
        if pod is None:
            await self._forget(uid, container)
        elif pod.metadata.deletion_timestamp:
            await self._delete(pod, container)
        elif pod.status.phase in {"Succeeded", "Failed"}:
            await self._tear_down(uid)
        else:
            await self._keep(pod, container)

    async def _keep(self, pod: Pod, container: seen.Container) -> None:
        match container:
            case seen.Running():
                await self._report_running(pod, container)
            case seen.Ended():
                await self._report_ended(pod, container)
                await self._tear_down(pod.metadata.uid)
            case seen.Absent() if pod.status.phase == "Running":
                moment = self.clock.now().timestamp()
                await self._report_ended(pod, seen.Ended(None, moment, moment, out_of_memory=False))
                await self._tear_down(pod.metadata.uid)
            case seen.Absent():
                await self._start(pod)

    async def _start(self, pod: Pod) -> None:
        try:
            launch = read_launch(pod, self.starter.settings.launcher_image)
        except Invalid as fault:
            await self._refuse(pod, fault)
            return
        try:
            answer = await self.starter.start(pod, launch, self.tasks)
        except (HostFault, Invalid) as fault:
            self._tell(pod, "Warning", "Failed", fault.message)
            await self._write(pod, self._waiting(pod, "CreateContainerError", fault.message))
            raise
        if isinstance(answer, Waiting):
            status = self._waiting(pod, answer.reason, answer.message)
            if answer.reason != "ContainerCreating" and changed(pod, status):
                self._tell(pod, "Warning", "Failed", answer.message)
            await self._write(pod, status)
            if answer.again_after is not None:
                self.look_again(pod.metadata.uid, answer.again_after)
            return
        self._tell(pod, "Normal", "Started", f"Started container {launch.container}")
        await self._report_running(pod, answer.container)

    async def _refuse(self, pod: Pod, fault: Invalid) -> None:
        self._tell(pod, "Warning", fault.reason, fault.message)
        status = refused_status(pod, self.host_ip, fault.reason, fault.message, self._now())
        await self._write(pod, status)

    async def _report_running(self, pod: Pod, running: seen.Running) -> None:
        uid = pod.metadata.uid
        if uid not in self._watched:
            self._watched.add(uid)
            self.tasks.start_soon(self._watch, uid, running)
        place = await self._place(uid)
        address = place.addresses[0] if place.addresses else "127.0.0.1"
        ready = self.probes.is_ready(Target(uid, pod.spec.containers[0], address, running.process))
        await self._write(pod, running_status(pod, place, running.started_at, self._now(), ready=ready))

    async def _report_ended(self, pod: Pod, ended: seen.Ended) -> None:
        if pod.status.phase not in {"Succeeded", "Failed"}:
            _log.info("container_ended", pod=pod.metadata.name, code=ended.exit_code, oom=ended.out_of_memory)
            await self._write(pod, ended_status(pod, await self._place(pod.metadata.uid), ended, self._now()))

    async def _delete(self, pod: Pod, container: seen.Container) -> None:
        uid = pod.metadata.uid
        if isinstance(container, seen.Running):
            self._end(pod, container)
            return
        if isinstance(container, seen.Ended):
            with suppress(NotInApi, Conflict):
                await self._report_ended(pod, container)
        await self._tear_down(uid)
        await self._remove_files(uid)
        self.starter.remove_logs(uid)
        if not (pod.metadata.finalizers and pod.metadata.deletion_grace_period_seconds == 0):
            with suppress(NotInApi, Conflict):
                await self.client.delete(
                    kinds.POD, pod.metadata.name, pod.metadata.namespace, uid=uid, grace_seconds=0
                )

    def _end(self, pod: Pod, running: seen.Running) -> None:
        """The container is asked to end, and made to when its grace is over."""
        uid = pod.metadata.uid
        if uid not in self._watched:
            self._watched.add(uid)
            self.tasks.start_soon(self._watch, uid, running)
        deadline = parse_rfc3339(pod.metadata.deletion_timestamp or "")
        left = (deadline - self._now()).total_seconds()
        if left <= 0:
            self.containers.signal(running, signal.SIGKILL)
            return
        if not handles(running.process, signal.SIGTERM):
            self.look_again(uid, min(left, _HANDLER_SECONDS))
            return
        if self.containers.note_terminating(uid):
            self._tell(pod, "Normal", "Killing", f"Stopping container {pod.spec.containers[0].name}")
            self.containers.signal(running, signal.SIGTERM)
        self.look_again(uid, left)

    async def _forget(self, uid: str, container: seen.Container) -> None:
        """The API knows no such pod: it was deleted without grace, or while nobody looked."""
        if isinstance(container, seen.Running):
            _log.info("orphan_ended", uid=uid, pid=container.process.pid)
            self.containers.signal(container, signal.SIGKILL)
            with anyio.move_on_after(_CONMON_SECONDS):
                await wait_ended(container.process)
        await self._tear_down(uid)
        await self._remove_files(uid)
        self.starter.remove_logs(uid)

    async def _tear_down(self, uid: str) -> None:
        """What the container used on the host is free; what tells how it ended stays."""
        await self.containers.release(uid)
        await self.networks.release(uid)
        self._watched.discard(uid)
        self.probes.forget(uid)

    async def _remove_files(self, uid: str) -> None:
        pods = Path(self.starter.settings.kubelet_dir) / "pods"
        await anyio.to_thread.run_sync(remove_volumes, pods, uid)
        await self.containers.remove(uid)

    async def _watch(self, uid: str, running: seen.Running) -> None:
        """Looks again when the container has ended and conmon has noted how."""
        await wait_ended(running.process)
        if running.conmon is not None:
            with anyio.move_on_after(_CONMON_SECONDS):
                await wait_ended(running.conmon)
            signal_process(running.conmon, signal.SIGKILL)  # one that hangs would hide the end for ever
        self._watched.discard(uid)
        self.look_again(uid, _NOW)

    async def _place(self, uid: str) -> Place:
        known = uid in self.networks.pods()
        addresses = (await self.networks.acquire(uid)).addresses if known else ()
        return Place(self.host_ip, addresses, self.image)

    def _waiting(self, pod: Pod, reason: str, message: str) -> Status:
        return waiting_status(pod, Place(self.host_ip, (), self.image), reason, message, self._now())

    async def _write(self, pod: Pod, status: Status) -> None:
        if not changed(pod, status):
            return
        meta = pod.metadata
        # The uid guards against a namesake made in the meantime.
        patch: dict[str, Any] = {"metadata": {"uid": meta.uid}, "status": status}
        self.absorb(await self.client.strategic_patch(kinds.POD, meta.name, meta.namespace, patch, "status"))

    def _tell(self, pod: Pod, kind: Any, reason: str, message: str) -> None:
        self.recorder.record(kinds.POD, pod, EventNote(kind, reason, message))

    def _now(self) -> datetime:
        return self.clock.now()
