"""What is used of each quota stands in its status."""

import anyio

from virtdeck.standalone.apiserver.admission.quotas import QUOTAS, used_of
from virtdeck.standalone.apiserver.background.internal import Obj, change
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Key
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Event

_GATHER_SECONDS = 0.1  # many changes at once are one write


class QuotaStatus(Worker[Key]):
    """Keeps ``status`` of every ResourceQuota."""

    def __init__(self, service: Service) -> None:
        self._ledger = service.ledger
        self._shelf = service.store.shelf(QUOTAS)
        super().__init__(service)

    def start(self) -> None:
        for key in self._shelf.rows:
            self.due(key)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if not self._shelf.rows:
            return
        for row in self._shelf.in_order(event.row.namespace) if event.row.namespace else ():
            self.due(row.key)

    async def handle(self, key: Key) -> None:
        await anyio.sleep(_GATHER_SECONDS)
        row = self._shelf.get(key)
        if row is None:
            return

        def edit(quota: Obj) -> None:
            spec = quota.get("spec") or {}
            quota["status"] = {"hard": spec.get("hard") or {}, "used": used_of(self._ledger, key[0], spec)}

        await change(self.store, self._shelf, row, edit)
