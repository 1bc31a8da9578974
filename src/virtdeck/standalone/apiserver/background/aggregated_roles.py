"""ClusterRoles with an aggregation rule hold the rules of all roles that it selects."""

from typing import Any

from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.objects.selectors import selector_from_object
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Event

Obj = dict[str, Any]

_ROLES = "rbac.authorization.k8s.io/clusterroles"


class AggregatedRoles(Worker[str]):
    """Every change of a ClusterRole makes all aggregating ones be looked at; there are few."""

    def start(self) -> None:
        self._name_aggregating()

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf.resource == _ROLES:
            self._name_aggregating()

    def _name_aggregating(self) -> None:
        for row in self.store.shelf(_ROLES).rows.values():
            if b'"aggregationRule"' in row.data:
                self.due(row.name)

    async def handle(self, key: str) -> None:
        shelf = self.store.shelf(_ROLES)
        row = shelf.get(("", key))
        if row is None:
            return
        rules = _collect(row, list(shelf.in_order(None)))
        if rules is None:
            return

        def edit(obj: Obj) -> None:
            if (obj.get("rules") or []) != rules:
                obj["rules"] = rules

        await change(self.store, shelf, row, edit)


def _collect(row: Row, roles: list[Row]) -> list[Obj] | None:
    """The rules of every selected role in order of names, each once; None without an aggregation rule."""
    given = row.decode().get("aggregationRule")
    if not given:
        return None
    selectors = [selector_from_object(one) for one in given.get("clusterRoleSelectors") or ()]
    rules: list[Obj] = []
    for role in roles:
        if role.name == row.name or not any(selector.matches(role.labels) for selector in selectors):
            continue
        for rule in role.decode().get("rules") or ():
            if rule not in rules:
                rules.append(rule)
    return rules
