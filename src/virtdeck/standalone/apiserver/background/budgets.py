"""The status of PodDisruptionBudgets: how many of the selected pods are well, and how many may go."""

from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.objects.selectors import selector_from_object
from virtdeck.standalone.apiserver.storage.rows import Key
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Event

Obj = dict[str, Any]

BUDGETS = "policy/poddisruptionbudgets"
_PODS = "/pods"


class Budgets(Worker[Key]):
    """Counts again whenever a budget or a pod that it selects changes."""

    def start(self) -> None:
        for key in self.store.shelf(BUDGETS).rows:
            self.due(key)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf.resource == BUDGETS:
            self.due(event.row.key)
        elif shelf.resource == _PODS:
            for row in self.store.shelf(BUDGETS).in_order(event.row.namespace):
                self.due(row.key)

    async def handle(self, key: Key) -> None:
        shelf = self.store.shelf(BUDGETS)
        row = shelf.get(key)
        if row is None or row.terminating:
            return
        selector = selector_from_object((row.decode().get("spec") or {}).get("selector"))
        pods = [
            pod.decode()
            for pod in self.store.shelf(_PODS).in_order(row.namespace)
            if selector.matches(pod.labels)
        ]
        now = rfc3339(self.service.clock.now())

        def edit(budget: Obj) -> None:
            budget["status"] = budget_status(budget, pods, now)

        await change(self.store, shelf, row, edit)


def budget_status(budget: Obj, pods: list[Obj], now: str) -> Obj:
    """The status for these pods; who has been evicted and is still here does not count as well."""
    spec, before = budget.get("spec") or {}, budget.get("status") or {}
    names = {pod["metadata"]["name"] for pod in pods if "deletionTimestamp" not in pod["metadata"]}
    disrupted = {name: when for name, when in (before.get("disruptedPods") or {}).items() if name in names}
    expected = sum(1 for pod in pods if not _is_over(pod))
    wanted = _desired(spec, expected)
    well = sum(1 for pod in pods if _is_well(pod) and pod["metadata"]["name"] not in disrupted)
    allowed = max(0, well - wanted) if expected else 0
    status = {
        "currentHealthy": well,
        "desiredHealthy": wanted,
        "disruptionsAllowed": allowed,
        "expectedPods": expected,
        "observedGeneration": budget["metadata"].get("generation", 1),
        "conditions": _conditions(before, allowed, budget["metadata"].get("generation", 1), now),
    }
    return status | ({"disruptedPods": disrupted} if disrupted else {})


def _is_over(pod: Obj) -> bool:
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")


def _is_well(pod: Obj) -> bool:
    if "deletionTimestamp" in pod["metadata"]:
        return False
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(one.get("type") == "Ready" and one.get("status") == "True" for one in conditions)


def _desired(spec: Obj, expected: int) -> int:
    if "maxUnavailable" in spec:
        return max(0, expected - _share(spec["maxUnavailable"], expected))
    return _share(spec.get("minAvailable", 1), expected)


def _share(value: Any, expected: int) -> int:
    """A number, or a share of all, rounded up."""
    if isinstance(value, int):
        return value
    return -(-int(str(value).removesuffix("%")) * expected // 100)


def _conditions(before: Obj, allowed: int, generation: int, now: str) -> list[Obj]:
    status, reason = ("True", "SufficientPods") if allowed else ("False", "InsufficientPods")
    held = list(before.get("conditions") or ())
    same: Obj = next((one for one in held if one.get("type") == "DisruptionAllowed"), {})
    since = same.get("lastTransitionTime") if same.get("status") == status else now
    condition = {
        "type": "DisruptionAllowed",
        "status": status,
        "reason": reason,
        "message": "",
        "lastTransitionTime": since or now,
        "observedGeneration": generation,
    }
    return [*(one for one in held if one is not same), condition]
