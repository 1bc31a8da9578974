"""Questions about access that say too little, and tokens that end with what they are bound to."""

from typing import Any

import pytest
from tests.contract.apiserver.running import Api, Running
from tests.contract.apiserver.test_access import RBAC, account

AUTHORIZATION = "/apis/authorization.k8s.io/v1"
ON_PODS = {"verb": "get", "resource": "pods"}
POD = {"spec": {"serviceAccountName": "robot", "containers": [{"name": "c", "image": "i"}]}}


@pytest.mark.parametrize(
    ("path", "body", "code", "text"),
    [
        ("/apis/authentication.k8s.io/v1/tokenreviews", {"spec": {}}, 400, "token is required"),
        (f"{AUTHORIZATION}/selfsubjectrulesreviews", {"spec": {}}, 400, "no namespace on request"),
        (f"{AUTHORIZATION}/selfsubjectaccessreviews", {"spec": {}}, 422, "exactly one of"),
        (
            f"{AUTHORIZATION}/selfsubjectaccessreviews",
            {"spec": {"resourceAttributes": ON_PODS, "nonResourceAttributes": {"path": "/x", "verb": "get"}}},
            422,
            "cannot be specified in combination with resourceAttributes",
        ),
        (
            f"{AUTHORIZATION}/subjectaccessreviews",
            {"spec": {"resourceAttributes": ON_PODS}},
            422,
            "at least one of user or group must be specified",
        ),
        (
            f"{AUTHORIZATION}/namespaces/default/localsubjectaccessreviews",
            {"spec": {"user": "u", "resourceAttributes": {**ON_PODS, "namespace": "other"}}},
            422,
            "must match metadata.namespace",
        ),
    ],
)
def test_question_that_says_too_little_is_refused(
    api: Api, path: str, body: Any, code: int, text: str
) -> None:
    answer = api.post(path, body)
    assert answer.code == code
    assert text in answer.body["message"]


def token(api: Api, namespace: str, **spec: Any) -> Any:
    return api.post(f"/api/v1/namespaces/{namespace}/serviceaccounts/robot/token", {"spec": spec})


def test_token_ends_with_the_pod_that_it_is_bound_to(server: Running, api: Api, namespace: str) -> None:
    account(api, namespace)
    pods = f"/api/v1/namespaces/{namespace}/pods"
    made = api.made(pods, {"metadata": {"name": "p"}, **POD})
    bound = {"kind": "Pod", "apiVersion": "v1", "name": "p"}
    given = token(api, namespace, boundObjectRef={**bound, "uid": made["metadata"]["uid"]})
    robot = server.api(cert="", token=given.body["status"]["token"])
    assert robot.get("/api").code == 200
    who = robot.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}).body["status"]["userInfo"]
    assert who["extra"]["authentication.kubernetes.io/pod-name"] == ["p"]
    api.delete(f"{pods}/p")
    assert robot.get("/api").code == 401
    assert token(api, namespace, boundObjectRef=bound).code == 404


def test_token_is_bound_to_nothing_of_others(api: Api, namespace: str) -> None:
    account(api, namespace)
    pods = f"/api/v1/namespaces/{namespace}/pods"
    api.made(pods, {"metadata": {"name": "p"}, "spec": {**POD["spec"], "serviceAccountName": "default"}})
    bound = {"kind": "Pod", "apiVersion": "v1", "name": "p"}
    assert token(api, namespace, boundObjectRef=bound).code == 400
    assert token(api, namespace, boundObjectRef={**bound, "uid": "another"}).code == 409
    assert token(api, namespace, boundObjectRef={"kind": "ConfigMap", "name": "c"}).code == 400


@pytest.mark.parametrize(("seconds", "code"), [(599, 422), (600, 201), (2**32 + 1, 422)])
def test_token_lasts_neither_too_short_nor_for_ever(
    api: Api, namespace: str, seconds: int, code: int
) -> None:
    account(api, namespace)
    assert token(api, namespace, expirationSeconds=seconds).code == code


def test_nobody_binds_a_role_before_it_is_there(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    subject = {"kind": "ServiceAccount", "name": "robot", "namespace": namespace}
    ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "admin"}
    bindings = f"{RBAC}/namespaces/{namespace}/rolebindings"
    api.made(bindings, {"metadata": {"name": "b"}, "roleRef": ref, "subjects": [subject]})
    later = {"metadata": {"name": "later"}, "roleRef": {**ref, "name": "not-yet"}, "subjects": [subject]}
    assert robot.post(bindings, later).code == 404
    assert api.post(bindings, later).code == 201


def test_default_role_stays_as_it_is_for_who_says_so(own_server: Running) -> None:
    api = own_server.api()
    for name, kept in (("edit", "true"), ("view", "true"), ("system:basic-user", "false")):
        meta = {"annotations": {"rbac.authorization.kubernetes.io/autoupdate": kept}}
        assert api.patch(f"{RBAC}/clusterroles/{name}", {"metadata": meta}).code == 200
    for name in ("system:discovery", "system:basic-user"):
        assert api.patch(f"{RBAC}/clusterroles/{name}", {"rules": []}).code == 200
    own_server.stop()
    own_server.start()
    assert api.get(f"{RBAC}/clusterroles/system:discovery").body["rules"]
    assert not api.get(f"{RBAC}/clusterroles/system:basic-user").body.get("rules")
