"""Observes the installation and what is bundled with it, and writes what differs."""

from typing import Any

import structlog

from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.controllers.bundled.decide import BundlePlan, Remove, Seen, Write, decide, is_bundled
from virtdeck.controllers.caches import Caches
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.kube.client import Client
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change

KINDS = (CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE)

_log = structlog.get_logger()


class BundleReconciler:
    """The bundle's eyes and hands; its one key is the installation's."""

    def __init__(self, client: Client, caches: Caches, queue: WorkQueue[Key]) -> None:
        self._client = client
        self._caches = caches
        self._queue = queue

    def installation_changed(self, change: Change[KubeVirt]) -> None:
        self._queue.add(change.key)

    def instancetype_changed(self, change: Change[Any]) -> None:
        """What somebody changed or removed of the bundle is put right."""
        if any(obj is not None and is_bundled(obj) for obj in (change.old, change.new)):
            for found in self._caches.installations.all():
                self._queue.add(Key(found.metadata.namespace, found.metadata.name))

    def observe(self, key: Key) -> Seen | None:
        found = {
            (kind, obj.metadata.name): obj for kind in KINDS for obj in self._caches.instancetypes[kind].all()
        }
        return Seen(self._caches.installations.get(key.namespace, key.name), found)

    def subject(self, seen: Seen) -> KubeVirt | None:
        return seen.installation

    def decide(self, seen: Seen) -> BundlePlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: Write | Remove, error: VirtdeckError) -> BundlePlan:
        """Nothing depends on the bundle, so it is only tried again."""
        return BundlePlan()

    async def act(self, action: Write | Remove) -> None:
        cache = self._caches.instancetypes[action.kind]
        match action:
            case Write():
                name = action.obj["metadata"]["name"]
                cache.absorb(await self._client.apply_patch(action.kind, name, None, action.obj))
            case Remove():
                try:
                    left = await self._client.delete(action.kind, action.name)
                except Absent:
                    return
                if left is not None:
                    cache.absorb(left)
