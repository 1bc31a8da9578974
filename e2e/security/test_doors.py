"""Every door of the running product: without credentials, and with those of another."""

import json
import ssl
from typing import Any

import pytest
from e2e.security.stage import INSTANCES, MINE, SUBRESOURCES, THEIRS, Stage
from e2e.web import Browser, ask

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl]

# What strangers get (S-63). Everything that is not named here is 401, or 303 to the login page.
PUBLIC = {"/healthz": 200, "/readyz": 200, "/login": 200}
PAGES = ["/", "/vms", "/vms.csv", "/vms/new", "/vms/new/yaml", "/images", "/nodes", "/activity", "/tasks"]
PAGES += ["/settings", "/search?q=a", "/project?ns=a", "/tasks/1", "/docs", "/gallery"]
PAGES += [f"/ns/{MINE}/vms/guest{tab}" for tab in ("", "/console", "/serial", "/yaml", "/edit", "/do/delete")]
PAGES += [f"/console/{MINE}/guest", f"/console/{MINE}/guest/sessions"]
PROGRAMS = ["/auth/sessions", "/apis/kubevirt.io/v1", INSTANCES.format(MINE), "/events", "/openapi.json"]
MUTATIONS = ["/vms/new", "/vms/new/yaml", "/vms/bulk", f"/ns/{MINE}/vms/guest/edit", "/settings"]
MUTATIONS += [f"/ns/{MINE}/vms/guest/do/delete", f"/console/{MINE}/guest/type", "/ws-tickets"]
MUTATIONS += ["/auth/login-links", INSTANCES.format(MINE)]


def test_strangers_see_nothing_of_the_console(stage: Stage) -> None:
    url = stage.product.url
    assert {path: ask(url + path).code for path in PUBLIC} == PUBLIC
    pages = {path: ask(url + path) for path in PAGES}
    assert {path: answer.code for path, answer in pages.items() if answer.code not in (303, 401, 404)} == {}
    assert all(
        answer.headers["location"].startswith("/login?") for answer in pages.values() if answer.code == 303
    )
    assert {path: ask(url + path).code for path in PROGRAMS} == dict.fromkeys(PROGRAMS, 401)
    own = {"Origin": url, "Content-Type": "application/json"}
    assert {p: ask(url + p, "POST", own, "{}").code for p in MUTATIONS} == dict.fromkeys(MUTATIONS, 401)
    assert Browser(stage.product).refused(MINE, "guest", "guessed", Origin=url) == 0  # accepted, and closed


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/healthz", 200),
        ("/livez", 200),
        ("/readyz", 200),
        ("/version", 200),
        ("/metrics", 403),
        ("/api", 403),
        ("/apis", 403),
        ("/openapi/v2", 403),
        ("/api/v1/secrets", 403),
        ("/debug/pprof/", 403),
        (f"{SUBRESOURCES}/{MINE}/virtualmachineinstances/guest/vnc", 403),
    ],
)
def test_strangers_see_nothing_of_the_api_server(stage: Stage, path: str, code: int) -> None:
    assert ask(stage.api.server + path, context=stage.certificate("")).code == code


# Which certificate opens what (S-09, S-11, S-20). "" shows none.
CLIENTS = ["", "admin", "controllers", "gateway", "runner", "node-agent"]
CLIENTS += [
    "front-proxy-client",
    "gateway-client",
    "apiserver-webhook-client",
    "handler-server",
    "gateway-internal",
]
OPENS = {
    "handler": {"gateway-client": 200},
    "aggregated": {"front-proxy-client": 409},
    "webhook": {"apiserver-webhook-client": 400},
    "login-link": {"admin": 201, "controllers": 201, "gateway": 201, "runner": 201, "node-agent": 201},
    "apiserver": {"admin": 200, "gateway": 200, "runner": 200},
}


def test_each_certificate_opens_its_own_doors_alone(stage: Stage) -> None:
    gateway, handler = (f"https://127.0.0.1:{stage.port(name)}" for name in ("gateway", "handler"))
    guest = f"{SUBRESOURCES}/{MINE}/virtualmachineinstances/guest/guestosinfo"
    lies = {"X-Remote-User": "admin", "X-Remote-Group": "system:masters", "X-Virtdeck-User": "admin"}
    doors = {
        "handler": (f"{handler}/healthz", "GET"),
        "aggregated": (gateway + guest, "GET"),
        "webhook": (f"{gateway}/launcher-pods-validate", "POST"),
        "login-link": (f"{gateway}/auth/login-links", "POST"),
        "apiserver": (f"{stage.api.server}/api/v1/namespaces", "GET"),
    }
    opened: dict[str, dict[str, int]] = {name: {} for name in doors}
    for client in CLIENTS:
        context = stage.certificate(client)
        for name, (url, method) in doors.items():
            code = _code(url, method, lies, context)
            if code not in (0, 401, 403):
                opened[name][client] = code
    assert opened == OPENS


def _code(url: str, method: str, headers: dict[str, str], context: ssl.SSLContext) -> int:
    """The status code; 0 when the handshake or the connection ended."""
    try:
        return ask(url, method, headers, "{}" if method == "POST" else None, context).code
    except (OSError, ssl.SSLError):
        return 0


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Remote-User": "admin", "X-Remote-Group": "system:masters"},
        {"x-remote-user": "admin", "x-remote-group": "system:masters"},
        {"X_Remote_User": "admin", "X_Remote_Group": "system:masters"},
        {"X-Remote-User ": "admin", "X-Remote-Group ": "system:masters"},
        {"Impersonate-User": "admin", "Impersonate-Group": "system:masters"},
        {"Impersonate-Group": "system:masters"},
        {"Impersonate-Uid": "0"},
        {"Impersonate-Extra-%2e": "x"},
    ],
)
def test_headers_make_nobody_somebody_else(stage: Stage, headers: dict[str, str]) -> None:
    path = f"{SUBRESOURCES}/{THEIRS}/virtualmachineinstances/guest/guestosinfo"
    try:
        assert stage.as_account("view", "GET", path, **headers).code in (400, 403)
    except ValueError:
        pytest.skip("the client itself refuses this header")


def test_virt_handler_touches_nothing_beyond_its_node(stage: Stage) -> None:
    node = json.loads((stage.product.state / "instance.json").read_text())["nodeName"]
    context = stage.certificate("node-agent")
    stage.api.call("POST", "/api/v1/nodes", {"metadata": {"name": "elsewhere"}})

    def patch(path: str, body: Any) -> int:
        headers = {"Content-Type": "application/merge-patch+json"}
        return ask(stage.api.server + path, "PATCH", headers, json.dumps(body), context).code

    guest = f"{INSTANCES.format(MINE)}/guest"
    unschedulable = {"spec": {"unschedulable": True}}
    try:
        codes = {
            "other node's label": patch(
                "/api/v1/nodes/elsewhere", {"metadata": {"labels": {"kubevirt.io/a": "b"}}}
            ),
            "other node's status": patch(
                "/api/v1/nodes/elsewhere/status", {"status": {"capacity": {"cpu": "1"}}}
            ),
            "own node's scheduling": patch(f"/api/v1/nodes/{node}", unschedulable),
            "own node's foreign label": patch(f"/api/v1/nodes/{node}", {"metadata": {"labels": {"a": "b"}}}),
            "own node's taints": patch(
                f"/api/v1/nodes/{node}", {"spec": {"taints": [{"key": "a", "effect": "NoExecute"}]}}
            ),
            "guest's node": patch(guest, {"status": {"nodeName": "elsewhere"}}),
            "guest's spec": patch(guest, {"spec": {"terminationGracePeriodSeconds": 1}}),
            "vm": patch(f"/apis/kubevirt.io/v1/namespaces/{MINE}/virtualmachines/guest", {"spec": {}}),
            "pods": ask(f"{stage.api.server}/api/v1/namespaces/{MINE}/pods", "POST", {}, "{}", context).code,
            "secrets": ask(f"{stage.api.server}/api/v1/secrets", context=context).code,
            "one secret": ask(f"{stage.api.server}/api/v1/namespaces/{MINE}/secrets/a", context=context).code,
        }
    finally:
        stage.api.call("DELETE", "/api/v1/nodes/elsewhere")
    assert {what: code for what, code in codes.items() if code not in (403, 422)} == {}


def test_nobody_makes_pods_that_pass_for_launchers(stage: Stage) -> None:
    uid = (stage.product.get("vmi", "guest", MINE) or {})["metadata"]["uid"]
    owner = {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "name": "guest", "uid": uid}
    disguises: list[dict[str, Any]] = [
        {"labels": {"kubevirt.io": "virt-launcher"}},
        {"labels": {"kubevirt.io/created-by": uid}},
        {"labels": {"kubevirt.io": "virt-launcher"}, "ownerReferences": [owner | {"controller": True}]},
    ]
    pods = f"/api/v1/namespaces/{MINE}/pods"
    spec = {"containers": [{"name": "c", "image": "virtdeck/launcher:x"}]}
    codes = [
        stage.as_account("edit", "POST", pods, {"metadata": {"name": "fake"} | disguise, "spec": spec}).code
        for disguise in disguises
    ]
    assert codes == [403] * len(disguises)
    plain = {"metadata": {"name": "plain"}, "spec": spec | {"nodeName": "nowhere"}}
    assert stage.as_account("edit", "POST", pods, plain).code == 201
    kind = {"Content-Type": "application/merge-patch+json"}
    for disguise in disguises:
        answer = stage.as_account("edit", "PATCH", f"{pods}/plain", {"metadata": disguise}, **kind)
        assert answer.code == 403, answer.text
    stage.api.call("DELETE", f"{pods}/plain?gracePeriodSeconds=0")
