"""Garbage collection by owner references: background, foreground and orphan deletion."""

from typing import Any

from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.background.internal import change, without_finalizer
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.deletion import FOREGROUND, ORPHAN, DeleteOptions

Obj = dict[str, Any]

COLLECTOR = User("system:serviceaccount:kube-system:generic-garbage-collector", ("system:masters",))

Place = tuple[str, tuple[str, str]]  # shelf and key


class GarbageCollector(Worker[Place]):
    """Looks at objects whose owners went, and at owners that wait for their dependents."""

    def __init__(self, service: Service) -> None:
        self._dependents: dict[str, set[Place]] = {}
        self._uids: dict[str, Place] = {}
        super().__init__(service)

    def start(self) -> None:
        for shelf in self.store.shelves():
            for row in shelf.rows.values():
                self._learn(shelf, row)
        for shelf in self.store.shelves():
            for row in shelf.rows.values():
                if row.owners or row.terminating:
                    self.due((shelf.resource, row.key))

    def hear(self, shelf: Shelf, event: Event) -> None:
        row, place = event.row, (shelf.resource, event.row.key)
        if event.before is not None:
            self._forget(place, event.before, event.row)
        if event.change is not Change.DELETED:
            self._learn(shelf, row)
            if row.terminating or (
                row.owners and (event.before is None or event.before.owners != row.owners)
            ):
                self.due(place)
            return
        for dependent in self._dependents.get(row.uid, ()):
            self.due(dependent)
        for owner in row.owners:
            if owner in self._uids:
                self.due(self._uids[owner])

    def _learn(self, shelf: Shelf, row: Row) -> None:
        place = (shelf.resource, row.key)
        if row.uid:
            self._uids[row.uid] = place
        for owner in row.owners:
            self._dependents.setdefault(owner, set()).add(place)

    def _forget(self, place: Place, before: Row, now: Row) -> None:
        for owner in before.owners:
            found = self._dependents.get(owner)
            if found is not None and (
                owner not in now.owners or self.store.shelf(place[0]).get(place[1]) is None
            ):
                found.discard(place)
                if not found:
                    del self._dependents[owner]
        if self.store.shelf(place[0]).get(place[1]) is None:
            self._uids.pop(before.uid, None)

    async def handle(self, key: Place) -> None:
        shelf = self.store.shelf(key[0])
        row = shelf.get(key[1])
        if row is None:
            return
        if row.terminating:
            await self._finish_owner(shelf, row)
        if row.owners and not row.terminating:
            await self._check_dependent(shelf, row)

    async def _finish_owner(self, shelf: Shelf, row: Row) -> None:
        finalizers = row.decode()["metadata"].get("finalizers") or ()
        if ORPHAN in finalizers:
            for place in list(self._dependents.get(row.uid, ())):
                await self._disown(place, row.uid)
            await change(self.store, shelf, row, without_finalizer(ORPHAN))
        elif FOREGROUND in finalizers:
            waiting = [place for place in self._dependents.get(row.uid, ()) if self._blocks(place, row.uid)]
            for place in list(self._dependents.get(row.uid, ())):
                await self._delete(place, "Foreground")
            if not any(self._row(place) is not None for place in waiting):
                await change(self.store, shelf, row, without_finalizer(FOREGROUND))

    def _row(self, place: Place) -> Row | None:
        return self.store.shelf(place[0]).get(place[1])

    def _blocks(self, place: Place, owner: str) -> bool:
        row = self._row(place)
        if row is None:
            return False
        refs = row.decode()["metadata"].get("ownerReferences") or ()
        return any(ref.get("uid") == owner and ref.get("blockOwnerDeletion") for ref in refs)

    async def _disown(self, place: Place, owner: str) -> None:
        row = self._row(place)
        if row is None:
            return

        def edit(obj: Obj) -> None:
            _drop_owners(obj, {owner})

        await change(self.store, self.store.shelf(place[0]), row, edit)

    async def _check_dependent(self, shelf: Shelf, row: Row) -> None:
        """Deletes what has no living owner; takes away references to owners that are gone."""
        gone = {uid for uid in row.owners if not self._lives(uid, row.namespace)}
        if not gone:
            return
        if len(gone) == len(set(row.owners)):
            await self._delete((shelf.resource, row.key), "")
            return

        def edit(obj: Obj) -> None:
            _drop_owners(obj, gone)

        await change(self.store, shelf, row, edit)

    def _lives(self, uid: str, namespace: str) -> bool:
        """Whether an object with this uid is stored, where an owner may be: the same namespace or none.

        A cluster-wide object's owner in a namespace is a mistake of its writer: the object is left alone.
        """
        place = self._uids.get(uid)
        row = self._row(place) if place is not None else None
        if row is None or row.uid != uid:
            return False
        return not namespace or row.namespace in ("", namespace)

    async def _delete(self, place: Place, propagation: str) -> None:
        resource = self.service.registry.of_shelf(place[0])
        row = self._row(place)
        if resource is None or row is None or (row.terminating and propagation != "Foreground"):
            return
        if row.terminating and self._is_marked(row):
            return
        if propagation and not self._dependents.get(row.uid):
            propagation = "Background"
        attributes = Attributes(resource, "DELETE", row.namespace, row.name, user=COLLECTOR)
        try:
            await self.service.deleter.delete(attributes, DeleteOptions(uid=row.uid, propagation=propagation))
        except StatusError as fault:
            if fault.code not in (404, 409):
                raise

    @staticmethod
    def _is_marked(row: Row) -> bool:
        return bool(row.decode()["metadata"].get("deletionTimestamp"))


def _drop_owners(obj: Obj, uids: set[str]) -> None:
    meta = obj["metadata"]
    kept = [ref for ref in meta.get("ownerReferences") or () if ref.get("uid") not in uids]
    if kept:
        meta["ownerReferences"] = kept
    else:
        meta.pop("ownerReferences", None)
