"""How much of each quota is used, kept up with every change in namespaces that have quotas."""

from decimal import Decimal
from typing import Any

from virtdeck.standalone.apiserver.admission.usage import LOOKED_AT, Scope, in_scope, usage_of
from virtdeck.standalone.apiserver.objects.pod_resources import Amounts
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

Obj = dict[str, Any]
Scopes = tuple[Scope, ...]


class Ledger:
    """Totals by namespace and scopes; those of a namespace are made when they are first asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._totals: dict[str, dict[Scopes, Amounts]] = {}
        store.listen(self._hear)

    def committed(self, namespace: str, scopes: Scopes) -> Amounts:
        """What is used by all objects that are stored."""
        totals = self._totals.setdefault(namespace, {})
        if scopes not in totals:
            totals[scopes] = self._summed(namespace, scopes)
        return totals[scopes]

    def on_their_way(self, namespace: str, scopes: Scopes) -> Amounts:
        """What writes that are not durable yet will use more."""
        more: Amounts = {}
        for shelf, row in self._store.on_their_way():
            if row.namespace == namespace:
                _add(more, shelf.resource, row, scopes, 1)
                if (before := shelf.get(row.key)) is not None:
                    _add(more, shelf.resource, before, scopes, -1)
        return more

    def forget(self, namespace: str) -> None:
        """The namespace has no quota any more."""
        self._totals.pop(namespace, None)

    def _summed(self, namespace: str, scopes: Scopes) -> Amounts:
        total: Amounts = {}
        for shelf in self._store.shelves():
            for row in shelf.in_order(namespace):
                _add(total, shelf.resource, row, scopes, 1)
        return total

    def _hear(self, shelf: Shelf, event: Event) -> None:
        for scopes, total in self._totals.get(event.row.namespace, {}).items():
            if event.before is not None:
                _add(total, shelf.resource, event.before, scopes, -1)
            if event.change is not Change.DELETED:
                _add(total, shelf.resource, event.row, scopes, 1)


def _add(total: Amounts, shelf: str, row: Row, scopes: Scopes, sign: int) -> None:
    obj = row.decode() if shelf in LOOKED_AT else None
    if not in_scope(scopes, shelf, obj):
        return
    for name, amount in usage_of(shelf, obj).items():
        total[name] = total.get(name, Decimal()) + sign * amount
