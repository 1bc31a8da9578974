"""How many pods may go."""

from typing import Any

import pytest

from virtdeck.standalone.apiserver.background.budgets import budget_status

NOW = "2026-01-01T00:00:00Z"


def pod(name: str, ready: bool = True, **meta: Any) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": str(ready)}]
    return {"metadata": {"name": name, **meta}, "status": {"phase": "Running", "conditions": conditions}}


def counted(spec: Any, pods: list[Any], **status: Any) -> dict[str, Any]:
    return budget_status({"metadata": {"generation": 2}, "spec": spec, "status": status}, pods, NOW)


@pytest.mark.parametrize(
    ("spec", "ready", "wanted", "allowed"),
    [
        ({"minAvailable": 1}, 3, 1, 2),
        ({"minAvailable": 3}, 3, 3, 0),
        ({"minAvailable": "50%"}, 3, 2, 1),
        ({"maxUnavailable": 1}, 3, 2, 1),
        ({"maxUnavailable": "34%"}, 3, 1, 2),
        ({"maxUnavailable": 0}, 3, 3, 0),
        ({"minAvailable": 0}, 0, 0, 0),
        ({}, 1, 1, 0),
    ],
)
def test_what_is_allowed(spec: Any, ready: int, wanted: int, allowed: int) -> None:
    found = counted(spec, [pod(f"p{number}") for number in range(ready)])
    assert (found["desiredHealthy"], found["disruptionsAllowed"]) == (wanted, allowed)
    assert (found["expectedPods"], found["observedGeneration"]) == (ready, 2)
    [condition] = found["conditions"]
    assert condition["status"] == str(allowed > 0)


def test_pods_that_are_not_ready_or_are_going_are_not_well() -> None:
    pods = [pod("a"), pod("b", ready=False), pod("c", deletionTimestamp=NOW)]
    assert counted({"minAvailable": 1}, pods)["currentHealthy"] == 1


def test_evicted_pod_counts_until_it_is_gone() -> None:
    evicted = counted({"minAvailable": 1}, [pod("a"), pod("b")], disruptedPods={"a": NOW})
    assert (evicted["currentHealthy"], evicted["disruptionsAllowed"]) == (1, 0)
    assert evicted["disruptedPods"] == {"a": NOW}
    assert "disruptedPods" not in counted({"minAvailable": 1}, [pod("b")], disruptedPods={"a": NOW})


def test_condition_keeps_its_time_while_it_holds() -> None:
    before = [{"type": "DisruptionAllowed", "status": "True", "lastTransitionTime": "earlier"}]
    same = counted({"minAvailable": 1}, [pod("a"), pod("b")], conditions=before)
    assert same["conditions"][0]["lastTransitionTime"] == "earlier"
    other = counted({"minAvailable": 2}, [pod("a"), pod("b")], conditions=before)
    assert other["conditions"][0]["lastTransitionTime"] == NOW
