"""What goes with what: owners, namespaces, pods' grace."""

import pytest
from tests.contract.apiserver.running import Api


def owned(name: str, owner: dict[str, object], **ref: object) -> dict[str, object]:
    meta = owner["metadata"]
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": meta["name"], "uid": meta["uid"], **ref}  # type: ignore[index]
    return {"metadata": {"name": name, "ownerReferences": [reference]}}


@pytest.fixture
def owner(api: Api, configmaps: str) -> dict[str, object]:
    return api.made(configmaps, {"metadata": {"name": "owner"}})


def test_dependents_go_after_their_owner(api: Api, configmaps: str, owner: dict[str, object]) -> None:
    api.made(configmaps, owned("child", owner))
    api.delete(f"{configmaps}/owner")
    api.eventually(f"{configmaps}/child", 404)


def test_grace_period_beyond_the_calendar_is_taken(api: Api, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "slow", "finalizers": ["example.com/hold"]}})
    assert api.delete(f"{configmaps}/slow", {"gracePeriodSeconds": 2**63 - 1}).code == 200
    api.patch(f"{configmaps}/slow", {"metadata": {"finalizers": None}})
    api.eventually(f"{configmaps}/slow", 404)


def test_foreground_deletion_takes_dependents_first(
    api: Api, configmaps: str, owner: dict[str, object]
) -> None:
    child = owned("child", owner, blockOwnerDeletion=True)
    child["metadata"]["finalizers"] = ["example.com/hold"]  # type: ignore[index]
    api.made(configmaps, child)
    marked = api.delete(f"{configmaps}/owner", {"propagationPolicy": "Foreground"}).body
    assert marked["metadata"]["finalizers"] == ["foregroundDeletion"]
    for _ in range(200):
        if "deletionTimestamp" in api.get(f"{configmaps}/child").body["metadata"]:
            break
    assert api.get(f"{configmaps}/owner").code == 200
    api.patch(f"{configmaps}/child", {"metadata": {"finalizers": None}})
    api.eventually(f"{configmaps}/owner", 404)


def test_orphaned_dependents_stay_without_their_reference(
    api: Api, configmaps: str, owner: dict[str, object]
) -> None:
    api.made(configmaps, owned("child", owner))
    api.delete(f"{configmaps}/owner", {"propagationPolicy": "Orphan"})
    api.eventually(f"{configmaps}/owner", 404)
    assert "ownerReferences" not in api.get(f"{configmaps}/child").body["metadata"]


def test_object_of_an_owner_that_never_was_goes(api: Api, configmaps: str, owner: dict[str, object]) -> None:
    api.made(configmaps, owned("child", owner, uid="00000000-0000-4000-8000-000000000000"))
    api.eventually(f"{configmaps}/child", 404)


def test_namespace_goes_with_everything_in_it(api: Api, namespace: str, configmaps: str) -> None:
    held = {"metadata": {"name": "held", "finalizers": ["example.com/hold"]}}
    api.made(configmaps, held)
    api.made(configmaps, {"metadata": {"name": "plain"}})
    assert api.delete(f"/api/v1/namespaces/{namespace}").body["status"]["phase"] == "Terminating"
    api.eventually(f"{configmaps}/plain", 404)
    refused = api.post(configmaps, {"metadata": {"name": "late"}})
    assert refused.code == 403
    assert "because it is being terminated" in refused.body["message"]
    api.patch(f"{configmaps}/held", {"metadata": {"finalizers": None}})
    api.eventually(f"/api/v1/namespaces/{namespace}", 404)


def test_default_namespace_cannot_go(api: Api) -> None:
    assert api.delete("/api/v1/namespaces/default").code == 403


def pod(name: str, **spec: object) -> dict[str, object]:
    return {"metadata": {"name": name}, "spec": {"containers": [{"name": "c", "image": "i"}], **spec}}


def test_pod_that_runs_is_only_marked_and_its_node_finishes_it(api: Api, namespace: str) -> None:
    pods = f"/api/v1/namespaces/{namespace}/pods"
    made = api.made(pods, pod("p", terminationGracePeriodSeconds=60))
    assert (made["status"]["phase"], made["spec"]["restartPolicy"]) == ("Pending", "Always")
    binding = {"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "node1"}}
    assert api.post(f"{pods}/p/binding", binding).code == 201
    assert api.post(f"{pods}/p/binding", binding).code == 409
    bound = api.get(f"{pods}/p").body
    assert bound["spec"]["nodeName"] == "node1"
    assert bound["status"]["conditions"][0]["type"] == "PodScheduled"
    marked = api.delete(f"{pods}/p").body["metadata"]
    assert marked["deletionGracePeriodSeconds"] == 60
    assert api.get(f"{pods}/p").code == 200
    assert api.delete(f"{pods}/p", {"gracePeriodSeconds": 0}).code == 200
    assert api.get(f"{pods}/p").code == 404


def test_pod_without_a_node_goes_at_once(api: Api, namespace: str) -> None:
    pods = f"/api/v1/namespaces/{namespace}/pods"
    api.made(pods, pod("p"))
    api.delete(f"{pods}/p")
    assert api.get(f"{pods}/p").code == 404


def test_pod_spec_is_for_good_and_status_is_apart(api: Api, namespace: str) -> None:
    pods = f"/api/v1/namespaces/{namespace}/pods"
    api.made(pods, pod("p"))
    assert api.patch(f"{pods}/p", {"spec": {"hostNetwork": True}}).code == 422
    changed = api.patch(f"{pods}/p/status", {"status": {"phase": "Running"}, "spec": {"nodeName": "x"}}).body
    assert changed["status"]["phase"] == "Running"
    assert "nodeName" not in changed["spec"]


def test_eviction_deletes_unless_a_budget_forbids(api: Api, namespace: str) -> None:
    pods = f"/api/v1/namespaces/{namespace}/pods"
    body = pod("p")
    body["metadata"]["labels"] = {"a": "b"}  # type: ignore[index]
    api.made(pods, body)
    budget = {"metadata": {"name": "x"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}}
    budgets = f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"
    api.made(budgets, budget)
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}
    dry = {**eviction, "deleteOptions": {"dryRun": ["All"]}}
    assert api.post(f"{pods}/p/eviction", dry).code == 201, "a pod that has not begun is not protected"
    api.patch(f"{pods}/p/status", {"status": {"phase": "Running"}})
    assert api.post(f"{pods}/p/eviction", eviction).code == 429
    api.delete(f"{budgets}/x")
    assert api.post(f"{pods}/p/eviction", dry).code == 201
    assert api.get(f"{pods}/p").code == 200, "a dry run leaves it"
    assert api.post(f"{pods}/p/eviction", eviction).code == 201
    assert api.get(f"{pods}/p").code == 404
