"""What new pods and claims get from other objects."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.contract.apiserver.running import Api

PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
POD = {"containers": [{"name": "c", "image": "i"}]}


def pod(api: Api, namespace: str, **spec: Any) -> Any:
    return api.post(
        f"/api/v1/namespaces/{namespace}/pods", {"metadata": {"name": "p"}, "spec": {**POD, **spec}}
    )


@pytest.fixture
def default_priority(api: Api) -> Iterator[str]:
    api.made(PRIORITIES, {"metadata": {"name": "usual"}, "value": 7, "globalDefault": True})
    yield "usual"
    api.delete(f"{PRIORITIES}/usual")


def test_pod_without_a_priority_has_the_default_one(api: Api, namespace: str, default_priority: str) -> None:
    spec = pod(api, namespace).body["spec"]
    assert (spec["priorityClassName"], spec["priority"]) == (default_priority, 7)


def test_there_is_one_default_priority(api: Api, default_priority: str) -> None:
    answer = api.post(PRIORITIES, {"metadata": {"name": "other"}, "value": 1, "globalDefault": True})
    assert (answer.code, "already marked as default" in answer.body["message"]) == (403, True)
    assert api.patch(f"{PRIORITIES}/usual", {"description": "as before"}).code == 200


def test_pod_of_an_account_that_is_not_there_is_refused(api: Api, namespace: str) -> None:
    answer = pod(api, namespace, serviceAccountName="nobody")
    assert answer.code == 403
    assert f"error looking up service account {namespace}/nobody" in answer.body["message"]
    assert pod(api, namespace).code == 201


def test_claim_without_a_class_has_the_default_one(api: Api, namespace: str) -> None:
    meta = {"name": namespace, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}
    api.made(CLASSES, {"metadata": meta, "provisioner": "example.com/p"})
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    given = api.made(path, {"metadata": {"name": "a"}, "spec": spec})
    none = api.made(path, {"metadata": {"name": "b"}, "spec": {**spec, "storageClassName": ""}})
    api.delete(f"{CLASSES}/{namespace}")
    assert (given["spec"]["storageClassName"], none["spec"]["storageClassName"]) == (namespace, "")
