"""Who may do what: anonymous, certificates, tokens, roles, impersonation, reviews."""

import json
import time

import pytest
from tests.contract.apiserver.running import Api, Running

RBAC = "/apis/rbac.authorization.k8s.io/v1"


@pytest.fixture
def anonymous(server: Running) -> Api:
    return server.api(cert="")


def account(api: Api, namespace: str, name: str = "robot") -> str:
    api.made(f"/api/v1/namespaces/{namespace}/serviceaccounts", {"metadata": {"name": name}})
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
    return str(api.made(path, {"spec": {}})["status"]["token"])


def allow(api: Api, namespace: str, role: str, account_name: str = "robot") -> None:
    binding = {
        "metadata": {"name": role},
        "roleRef": {"kind": "ClusterRole", "name": role},
        "subjects": [{"kind": "ServiceAccount", "name": account_name, "namespace": namespace}],
    }
    api.made(f"{RBAC}/namespaces/{namespace}/rolebindings", binding)


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/livez", "/version"])
def test_anonymous_sees_health_and_version(anonymous: Api, path: str) -> None:
    assert anonymous.get(path).code == 200


@pytest.mark.parametrize(
    "path", ["/", "/api", "/apis", "/api/v1/pods", "/openapi/v2", "/metrics", "/apis/x/v1/y"]
)
def test_anonymous_sees_nothing_else(anonymous: Api, path: str) -> None:
    answer = anonymous.get(path)
    assert (answer.code, answer.body["reason"]) == (403, "Forbidden")


def test_bad_token_is_unauthorized_even_where_anonymous_may(server: Running) -> None:
    answer = server.api(cert="", token="nonsense").get("/version")
    assert (answer.code, answer.body["reason"]) == (401, "Unauthorized")


def test_foreign_certificate_ends_in_the_handshake(server: Running) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - the TLS library's own words
        server.api(cert="front-proxy-client").get("/version")


def test_token_is_its_account_and_may_nothing_at_first(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    who = robot.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}).body["status"]["userInfo"]
    assert who["username"] == f"system:serviceaccount:{namespace}:robot"
    assert f"system:serviceaccounts:{namespace}" in who["groups"]
    answer = robot.get(f"/api/v1/namespaces/{namespace}/pods")
    assert answer.code == 403
    assert answer.body["message"] == (
        f'pods is forbidden: User "system:serviceaccount:{namespace}:robot" cannot list '
        f'resource "pods" in API group "" in the namespace "{namespace}"'
    )


def test_view_reads_but_neither_secrets_nor_writes(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    allow(api, namespace, "view")
    assert robot.get(f"/api/v1/namespaces/{namespace}/configmaps").code == 200
    assert robot.get(f"/api/v1/namespaces/{namespace}/secrets").code == 403
    assert robot.post(f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": {"name": "x"}}).code == 403
    assert robot.get("/api/v1/namespaces/default/configmaps").code == 403


def test_admin_role_holds_what_edit_and_view_hold(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    allow(api, namespace, "admin")
    assert robot.post(f"/api/v1/namespaces/{namespace}/secrets", {"metadata": {"name": "x"}}).code == 201
    assert robot.get(f"{RBAC}/namespaces/{namespace}/roles").code == 200
    assert robot.get(f"{RBAC}/clusterroles").code == 403


def test_role_with_the_label_joins_the_aggregated_role(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    allow(api, namespace, "view")
    path = f"/apis/apps/v1/namespaces/{namespace}/controllerrevisions"
    assert robot.delete(f"{path}/x").code == 403
    role = {
        "metadata": {
            "name": f"more-{namespace}",
            "labels": {"rbac.authorization.k8s.io/aggregate-to-view": "true"},
        },
        "rules": [{"apiGroups": ["apps"], "resources": ["controllerrevisions"], "verbs": ["delete"]}],
    }
    api.made(f"{RBAC}/clusterroles", role)
    for _ in range(100):
        code = robot.delete(f"{path}/x").code
        if code == 404:
            break
    assert code == 404
    api.delete(f"{RBAC}/clusterroles/more-{namespace}")


def test_token_ends_with_its_account(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    assert robot.get("/version").code == 200
    api.delete(f"/api/v1/namespaces/{namespace}/serviceaccounts/robot")
    assert robot.get("/version").code == 401


def test_token_review_knows_our_tokens_and_their_audience(api: Api, namespace: str) -> None:
    token = account(api, namespace)
    path = "/apis/authentication.k8s.io/v1/tokenreviews"
    assert api.made(path, {"spec": {"token": token}})["status"]["authenticated"]
    assert "authenticated" not in api.made(path, {"spec": {"token": token, "audiences": ["other"]}})["status"]
    assert "authenticated" not in api.made(path, {"spec": {"token": token[:-4] + "AAAA"}})["status"]


def test_impersonation_needs_permission_and_then_is_the_other(
    server: Running, api: Api, namespace: str
) -> None:
    as_bob = {"Impersonate-User": "bob", "Impersonate-Group": "readers"}
    who = api.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, as_bob).body["status"][
        "userInfo"
    ]
    assert (who["username"], who["groups"]) == ("bob", ["readers", "system:authenticated"])
    assert api.call("GET", "/api/v1/pods", None, as_bob).code == 403
    robot = server.api(cert="", token=account(api, namespace))
    assert robot.call("GET", "/version", None, as_bob).code == 403
    assert robot.call("GET", "/version", None, {"Impersonate-Group": "system:masters"}).code == 400


def test_subject_access_review_answers_for_others(api: Api, namespace: str) -> None:
    account(api, namespace)
    allow(api, namespace, "view")
    attributes = {"verb": "get", "resource": "pods", "namespace": namespace}
    spec = {"user": f"system:serviceaccount:{namespace}:robot", "resourceAttributes": attributes}
    path = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
    status = api.made(path, {"spec": spec})["status"]
    assert status["allowed"]
    assert "RBAC: allowed by RoleBinding" in status["reason"]
    other = {**spec, "resourceAttributes": {**attributes, "verb": "delete"}}
    assert api.made(path, {"spec": other})["status"]["allowed"] is False


def test_token_secret_is_filled(server: Running, api: Api, namespace: str) -> None:
    account(api, namespace)
    secret = {
        "metadata": {"name": "t", "annotations": {"kubernetes.io/service-account.name": "robot"}},
        "type": "kubernetes.io/service-account-token",
    }
    api.made(f"/api/v1/namespaces/{namespace}/secrets", secret)
    found: dict[str, str] = {}
    for _ in range(200):
        found = api.get(f"/api/v1/namespaces/{namespace}/secrets/t").body.get("data") or {}
        if found:
            break
    assert set(found) == {"token", "ca.crt", "namespace"}


def written(server: Running, wanted: str) -> str:
    """The audit log once it holds this: a line follows its answer."""
    path = server.state.path("log", "audit.log")
    end = time.monotonic() + 5
    while wanted not in path.read_text() and time.monotonic() < end:
        time.sleep(0.01)
    return path.read_text()


def test_audit_log_says_who_did_what_without_bodies(server: Running, api: Api, configmaps: str) -> None:
    body = {"metadata": {"name": "audited"}, "data": {"k": "do-not-log-me"}}
    answer = api.call("POST", configmaps, body, {"Audit-ID": "mine"})
    assert (answer.code, answer.headers["audit-id"]) == (201, "mine")
    text = written(server, '"auditID":"mine"')
    entry = json.loads(next(line for line in text.splitlines() if '"auditID":"mine"' in line))
    assert (entry["level"], entry["stage"], entry["verb"]) == ("Metadata", "ResponseComplete", "create")
    assert (entry["user"]["username"], entry["responseStatus"]["code"]) == ("admin", 201)
    assert entry["objectRef"]["resource"] == "configmaps"
    assert entry["annotations"]["authorization.k8s.io/decision"] == "allow"
    assert "do-not-log-me" not in text


def test_admin_of_a_namespace_cannot_give_what_it_lacks(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    allow(api, namespace, "admin")
    roles = f"{RBAC}/namespaces/{namespace}/roles"

    def role(name: str, **rule: list[str]) -> dict[str, object]:
        return {"metadata": {"name": name}, "rules": [{"apiGroups": [""], "verbs": ["get"], **rule}]}

    assert robot.post(roles, role("held", resources=["pods"])).code == 201
    refused = robot.post(roles, role("more", resources=["*"]))
    assert refused.code == 403
    assert "is attempting to grant RBAC permissions not currently held" in refused.body["message"]
    assert robot.patch(f"{roles}/held", {"rules": role("held", resources=["nodes"])["rules"]}).code == 403
    assert robot.patch(f"{roles}/held", {"metadata": {"labels": {"a": "b"}}}).code == 200


def test_binding_needs_what_its_role_grants(server: Running, api: Api, namespace: str) -> None:
    robot = server.api(cert="", token=account(api, namespace))
    allow(api, namespace, "admin")
    subjects = [{"kind": "User", "name": "bob"}]
    path = f"{RBAC}/namespaces/{namespace}/rolebindings"

    def binding(name: str) -> dict[str, object]:
        return {
            "metadata": {"name": f"b-{name}"},
            "subjects": subjects,
            "roleRef": {"kind": "ClusterRole", "name": name},
        }

    assert robot.post(path, binding("view")).code == 201
    assert robot.post(path, binding("cluster-admin")).code == 403
