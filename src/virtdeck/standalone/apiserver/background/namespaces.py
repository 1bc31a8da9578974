"""Namespaces that are being deleted: their content goes, then they do."""

from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Unready
from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.background.namespace_conditions import deletion_conditions
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.deletion import DeleteOptions

Obj = dict[str, Any]

CONTROLLER = User("system:serviceaccount:kube-system:namespace-controller", ("system:masters",))
_NAMESPACES = "/namespaces"
_LAST = ("/events",)  # what content says while it goes should still be stored


class Namespaces(Worker[str]):
    """Empties and finishes namespaces."""

    def start(self) -> None:
        for row in self.store.shelf(_NAMESPACES).in_order(None):
            if row.terminating:
                self.due(row.name)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf.resource == _NAMESPACES:
            if event.row.terminating and event.change is not Change.DELETED:
                self.due(event.row.name)
        elif event.change is Change.DELETED and event.row.namespace:
            namespace = self.store.shelf(_NAMESPACES).get(("", event.row.namespace))
            if namespace is not None and namespace.terminating:
                self.due(event.row.namespace)

    async def handle(self, key: str) -> None:
        row = self.store.shelf(_NAMESPACES).get(("", key))
        if row is None or not row.terminating:
            return
        faults = [fault for one in self._content(key) if (fault := await self._delete(*one))]
        left = self._content(key)
        await change(self.store, self.store.shelf(_NAMESPACES), row, self._saying(left, faults))
        if faults:
            raise Unready("; ".join(faults))
        if not left:
            await change(self.store, self.store.shelf(_NAMESPACES), row, _release)

    def _content(self, namespace: str) -> list[tuple[Shelf, Row]]:
        found = [
            (shelf, row) for shelf in self.store.shelves() for row in shelf.in_order(namespace) if namespace
        ]
        others = [one for one in found if one[0].resource not in _LAST]
        return others or found

    async def _delete(self, shelf: Shelf, row: Row) -> str:
        """The object is on its way out; if not, why."""
        if row.terminating:
            return ""
        resource = self.service.registry.of_shelf(shelf.resource)
        if resource is None:
            return f"nothing serves {shelf.resource} any more"
        attributes = Attributes(resource, "DELETE", row.namespace, row.name, user=CONTROLLER)
        try:
            await self.service.deleter.delete(attributes, DeleteOptions(propagation="Background"))
        except StatusError as fault:
            return "" if fault.code == 404 else fault.message
        return ""

    def _saying(self, left: list[tuple[Shelf, Row]], faults: list[str]) -> Any:
        said = [(shelf.resource, row.decode()["metadata"]) for shelf, row in left]
        now = rfc3339(self.service.clock.now())

        def edit(obj: Obj) -> None:
            status = obj.setdefault("status", {})
            before = status.get("conditions") or []
            status["conditions"] = deletion_conditions(said, faults, before, now)

        return edit


def _release(obj: Obj) -> None:
    obj["spec"] = {}
