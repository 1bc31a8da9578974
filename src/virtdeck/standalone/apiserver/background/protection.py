"""Claims and volumes in use stay until nobody uses them: their finalizer is taken away then."""

from collections.abc import Iterator
from typing import Any

from virtdeck.standalone.apiserver.background.internal import change, without_finalizer
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.resources.kinds.storage import CLAIM_FINALIZER, VOLUME_FINALIZER
from virtdeck.standalone.apiserver.storage.rows import Key, Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

Obj = dict[str, Any]
Place = tuple[str, Key]

_CLAIMS, _VOLUMES, _PODS = "/persistentvolumeclaims", "/persistentvolumes", "/pods"
_OVER = ("Succeeded", "Failed")


class Protection(Worker[Place]):
    """Looks at what is being deleted, and again when a pod ends or a volume is set free."""

    def start(self) -> None:
        for shelf in (_CLAIMS, _VOLUMES):
            for row in self.store.shelf(shelf).in_order(None):
                self._look(shelf, row)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if event.change is not Change.DELETED and shelf.resource in (_CLAIMS, _VOLUMES):
            self._look(shelf.resource, event.row)
        elif shelf.resource == _PODS and event.change is not Change.ADDED:
            for row in self.store.shelf(_CLAIMS).in_order(event.row.namespace):
                self._look(_CLAIMS, row)

    def _look(self, shelf: str, row: Row) -> None:
        if row.terminating:
            self.due((shelf, row.key))

    async def handle(self, key: Place) -> None:
        shelf = self.store.shelf(key[0])
        row = shelf.get(key[1])
        if row is None or not row.terminating:
            return
        if key[0] == _CLAIMS and not self._is_mounted(row):
            await change(self.store, shelf, row, without_finalizer(CLAIM_FINALIZER))
        elif key[0] == _VOLUMES and (row.decode().get("status") or {}).get("phase") != "Bound":
            await change(self.store, shelf, row, without_finalizer(VOLUME_FINALIZER))

    def _is_mounted(self, claim: Row) -> bool:
        return any(
            claim.name in _claims_of(pod.decode())
            for pod in self.store.shelf(_PODS).in_order(claim.namespace)
        )


def _claims_of(pod: Obj) -> Iterator[str]:
    """The claims that a pod uses while it is not over."""
    if (pod.get("status") or {}).get("phase") in _OVER:
        return
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        if source := volume.get("persistentVolumeClaim"):
            yield source.get("claimName", "")
        elif volume.get("ephemeral"):
            yield f"{pod['metadata']['name']}-{volume.get('name')}"
