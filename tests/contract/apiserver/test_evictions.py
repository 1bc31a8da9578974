"""Evictions and the budgets that hold them up."""

import time
from typing import Any

from tests.contract.apiserver.running import Api

POD = {"containers": [{"name": "c", "image": "i"}]}


def running_pod(api: Api, pods: str, name: str) -> None:
    api.made(pods, {"metadata": {"name": name, "labels": {"app": "a"}}, "spec": POD})
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    assert api.patch(f"{pods}/{name}/status", {"status": ready}).code == 200


def budget(api: Api, namespace: str, name: str, **spec: Any) -> str:
    path = f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"
    body = {"metadata": {"name": name}, "spec": {"selector": {"matchLabels": {"app": "a"}}, **spec}}
    api.made(path, body)
    return f"{path}/{name}"


def allowed(api: Api, path: str, wanted: int) -> None:
    """Returns when the budget allows so many."""
    end = time.monotonic() + 5
    while (found := api.get(path).body.get("status", {}).get("disruptionsAllowed")) != wanted:
        assert time.monotonic() < end, found
        time.sleep(0.01)


def evict(api: Api, pods: str, name: str, query: str = "") -> Any:
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
    return api.post(f"{pods}/{name}/eviction{query}", body)


def test_budget_lets_as_many_go_as_it_says(api: Api, namespace: str) -> None:
    pods = f"/api/v1/namespaces/{namespace}/pods"
    for name in ("a", "b"):
        running_pod(api, pods, name)
    path = budget(api, namespace, "pdb", minAvailable=1)
    allowed(api, path, 1)
    assert evict(api, pods, "a", "?dryRun=All").code == 201
    allowed(api, path, 1)
    assert evict(api, pods, "a").code == 201
    refused = evict(api, pods, "b")
    assert (refused.code, refused.body["reason"]) == (429, "TooManyRequests")
    assert refused.body["details"]["causes"][0]["reason"] == "DisruptionBudget"
    assert "retry-after" in refused.headers
    running_pod(api, pods, "c")
    allowed(api, path, 1)
    assert evict(api, pods, "b").code == 201


def test_two_budgets_for_one_pod_are_a_mistake(api: Api, namespace: str) -> None:
    pods = f"/api/v1/namespaces/{namespace}/pods"
    running_pod(api, pods, "a")
    for name in ("one", "two"):
        allowed(api, budget(api, namespace, name, minAvailable=0), 1)
    assert evict(api, pods, "a").code == 500
