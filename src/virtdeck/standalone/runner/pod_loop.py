"""Keeps every pod of this node as the API wants it: a queue of uids and a few workers."""

from dataclasses import dataclass
from pathlib import Path

import anyio
import structlog

from virtdeck.basis.errors import Absent, Conflict, Unready, VirtdeckError
from virtdeck.crds.core.pod import Pod
from virtdeck.kube.cache import Cache
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change
from virtdeck.standalone.runner.containers import Containers
from virtdeck.standalone.runner.networks import Networks
from virtdeck.standalone.runner.pod_worker import PodWorker

BY_UID = "by_uid"
BY_NODE = "by_node"
_LATER_SECONDS = 2.0

_log = structlog.get_logger()


def uid_of(pod: Pod) -> list[str]:
    """Index of pods by uid."""
    return [pod.metadata.uid]


def node_of(pod: Pod) -> list[str]:
    """Index of pods by the node they are bound to."""
    return [pod.spec.node_name or ""]


@dataclass(frozen=True)
class PodLoop:
    """Feeds the worker with the pods that changed."""

    node_name: str
    pods: Cache[Pod]
    queue: WorkQueue[str]
    worker: PodWorker
    workers: int

    async def run(self) -> None:
        """Works until cancelled, from the first list of pods on."""
        with self.pods.listening(self._changed):
            await self.pods.wait_synced()
            for pod in self.pods.find(BY_NODE, self.node_name):
                self.queue.add(pod.metadata.uid)
            async with anyio.create_task_group() as tasks:
                for _ in range(self.workers):
                    tasks.start_soon(self._work)

    def queue_leftovers(self, containers: Containers, networks: Networks, pods: Path) -> None:
        """Whatever lies on the host is looked at, also what the API knows nothing of."""
        folders = [path.name for path in pods.iterdir()] if pods.is_dir() else []
        for uid in {*containers.uids(), *networks.pods(), *folders}:
            self.queue.add(uid)

    def _changed(self, change: Change[Pod]) -> None:
        for pod in (change.old, change.new):
            if pod is not None and pod.spec.node_name == self.node_name:
                self.queue.add(pod.metadata.uid)

    async def _work(self) -> None:
        while True:
            uid = await self.queue.get()
            try:
                await self._attempt(uid)
            finally:
                self.queue.done(uid)

    async def _attempt(self, uid: str) -> None:
        """One sync; the process boundary for its faults."""
        pod = next(iter(self.pods.find(BY_UID, uid)), None)
        if pod is None and not (self.pods.synced and self.pods.connected):
            self.queue.add_after(uid, _LATER_SECONDS)  # not seeing a pod now does not mean that there is none
            return
        try:
            await self.worker.sync(uid, pod)
        except (Absent, Conflict):
            self.queue.retry(uid)  # what we saw is old
        except VirtdeckError as fault:
            least = fault.after_seconds if isinstance(fault, Unready) else 0.0
            wait = self.queue.retry(uid, least)
            _log.warning(
                "pod_retried", uid=uid, reason=fault.reason, problem=fault.message, wait=round(wait, 2)
            )
        except Exception:
            self.queue.retry(uid, _LATER_SECONDS)
            _log.exception("pod_sync_broke", uid=uid)
        else:
            self.queue.forget(uid)
