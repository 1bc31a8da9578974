"""ResourceQuotas: no write takes more than its namespace may have."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from virtdeck.crds.quantity import format_bytes, format_milli
from virtdeck.standalone.apiserver.admission.ledger import Ledger, Scopes
from virtdeck.standalone.apiserver.admission.usage import (
    LOOKED_AT,
    PODS,
    in_scope,
    scopes_of,
    unsaid,
    usage_of,
)
from virtdeck.standalone.apiserver.objects.pod_resources import Amounts, amounts_of
from virtdeck.standalone.apiserver.problems import forbidden
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

QUOTAS = "/resourcequotas"


@dataclass(frozen=True)
class _Quota:
    name: str
    hard: Amounts
    scopes: Scopes


class Quotas:
    """Judges writes right before they are stored; were anything awaited between, two could pass at once."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._shelf = store.shelf(QUOTAS)
        self._ledger = ledger
        self._parsed: dict[str, list[_Quota]] = {}
        store.listen(self._hear)

    def _hear(self, shelf: Shelf, event: Event) -> None:
        if shelf is self._shelf:
            self._parsed.pop(event.row.namespace, None)
            if not self._of(event.row.namespace):
                self._ledger.forget(event.row.namespace)

    def _of(self, namespace: str) -> list[_Quota]:
        if namespace not in self._parsed:
            self._parsed[namespace] = [_parse(row) for row in self._shelf.in_order(namespace)]
        return self._parsed[namespace]

    def check(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
        """Returns if every quota of the namespace allows the write. Raises: StatusError 403."""
        if not self._shelf.rows or obj is None or attributes.subresource or not attributes.namespace:
            return
        shelf = attributes.resource.shelf
        if attributes.operation != "CREATE" and shelf not in LOOKED_AT:
            return
        for quota in self._of(attributes.namespace):
            if in_scope(quota.scopes, shelf, obj):
                self._check(quota, attributes, obj, old)

    def _check(self, quota: _Quota, attributes: Attributes, obj: Obj, old: Obj | None) -> None:
        shelf = attributes.resource.shelf
        if shelf == PODS and old is None and (missing := unsaid(obj, set(quota.hard))):
            said = "; ".join(f"{name} for: {','.join(names)}" for name, names in missing.items())
            why = f"failed quota: {quota.name}: must specify {said}"
            raise forbidden(attributes.plural, attributes.group, attributes.name, why)
        before = usage_of(shelf, old) if old is not None and in_scope(quota.scopes, shelf, old) else {}
        asked = {
            name: more
            for name, amount in usage_of(shelf, obj).items()
            if name in quota.hard and (more := amount - before.get(name, Decimal())) > 0
        }
        if asked:
            self._compare(quota, attributes, asked)

    def _compare(self, quota: _Quota, attributes: Attributes, asked: Amounts) -> None:
        stored = self._ledger.committed(attributes.namespace, quota.scopes)
        coming = self._ledger.on_their_way(attributes.namespace, quota.scopes)
        used = {name: stored.get(name, Decimal()) + coming.get(name, Decimal()) for name in asked}
        over = sorted(name for name, more in asked.items() if used[name] + more > quota.hard[name])
        if not over:
            return
        why = (
            f"exceeded quota: {quota.name}, requested: {_listed(over, asked)}, "
            f"used: {_listed(over, used)}, limited: {_listed(over, quota.hard)}"
        )
        raise forbidden(attributes.plural, attributes.group, attributes.name, why)


def used_of(ledger: Ledger, namespace: str, spec: Obj) -> dict[str, str]:
    """What a quota's status says is used of each thing that it bounds."""
    found = ledger.committed(namespace, scopes_of(spec))
    return {name: shown(name, found.get(name, Decimal())) for name in spec.get("hard") or {}}


def _parse(row: Row) -> _Quota:
    spec = row.decode().get("spec") or {}
    return _Quota(row.name, amounts_of(spec.get("hard")), scopes_of(spec))


def _listed(names: list[str], amounts: Amounts) -> str:
    return ",".join(f"{name}={shown(name, amounts[name])}" for name in names)


def shown(name: str, amount: Decimal) -> str:
    """An amount as Kubernetes writes one of this name."""
    if name.endswith("cpu"):
        return format_milli(int(amount * 1000))
    if (
        any(word in name for word in ("memory", "storage", "hugepages"))
        and "persistentvolumeclaims" not in name
    ):
        return format_bytes(int(amount))
    return str(int(amount)) if amount == int(amount) else f"{amount.normalize():f}"
