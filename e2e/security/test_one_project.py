"""Somebody with rights in one project sees and does just that, by every way in."""

import json
from typing import Any

import pytest
from e2e.machines import kernel_boot_vm
from e2e.security.stage import INSTANCES, MACHINES, MINE, SUBRESOURCES, THEIRS, Stage
from e2e.web import Browser, ask
from websockets.exceptions import ConnectionClosed

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl]

GUEST = "virtualmachineinstances/guest"
# Each right: account, method, path, body, the code in one's own project and in another's.
RIGHTS: list[tuple[str, str, str, Any, int, int]] = [
    ("view", "GET", f"{INSTANCES}/guest", None, 200, 403),
    ("view", "GET", INSTANCES, None, 200, 403),
    ("view", "GET", f"{INSTANCES}?watch=true&timeoutSeconds=1", None, 200, 403),
    ("view", "DELETE", f"{INSTANCES}/guest", None, 403, 403),
    ("view", "GET", f"{SUBRESOURCES}/{{}}/{GUEST}/guestosinfo", None, 409, 403),
    ("view", "PUT", f"{SUBRESOURCES}/{{}}/{GUEST}/pause", {}, 403, 403),
    ("view", "GET", f"{SUBRESOURCES}/{{}}/{GUEST}/vnc/screenshot", None, 403, 403),
    ("edit", "GET", f"{INSTANCES}/guest", None, 200, 403),
    ("edit", "PUT", f"{SUBRESOURCES}/{{}}/{GUEST}/unpause", {}, 409, 403),
    ("edit", "GET", f"{SUBRESOURCES}/{{}}/{GUEST}/vnc/screenshot", None, 200, 403),
]


@pytest.mark.parametrize("right", RIGHTS, ids=lambda right: " ".join(map(str, right[:3])))
def test_api_and_facade_agree(stage: Stage, right: tuple[str, str, str, Any, int, int]) -> None:
    account, method, path, body, own, other = right
    for namespace, code in ((THEIRS, other), (MINE, own)):
        for way in (stage.as_account, stage.at_facade):
            answer = way(account, method, path.format(namespace), body)
            assert answer.code == code, (way.__name__, namespace, answer.text)


def test_whole_cluster_is_not_theirs_to_list(stage: Stage) -> None:
    paths = ["/api/v1/nodes", "/api/v1/namespaces", "/api/v1/secrets", "/api/v1/pods"]
    paths += ["/apis/kubevirt.io/v1/virtualmachineinstances", "/api/v1/namespaces/kubevirt/pods"]
    paths += [f"/api/v1/namespaces/{name}/secrets" for name in ("kubevirt", THEIRS, "kube-system")]
    for account in ("view", "edit"):
        assert {path: stage.as_account(account, "GET", path).code for path in paths} == dict.fromkeys(
            paths, 403
        )


def test_paths_with_two_meanings_have_none(stage: Stage) -> None:
    home = f"{SUBRESOURCES}/{MINE}/virtualmachineinstances"
    for path in (
        f"{home}/guest/..%2f..%2f..%2f{THEIRS}/virtualmachineinstances/guest/guestosinfo",
        f"{home}/../../{THEIRS}/virtualmachineinstances/guest/guestosinfo",
        f"{home}/guest//vnc/screenshot",
        f"{home}/guest/guestosinfo;x",
        f"{home}/guest/guestosinfo.",
        f"{home}/guest/GuestOSInfo",
        f"{home}/guest/vnc%2fscreenshot",
    ):
        for way in (stage.as_account, stage.at_facade):
            assert way("view", "GET", path).code in (400, 403, 404), path


def test_pages_show_ones_own_project_alone(stage: Stage, viewer: Browser) -> None:
    for page in ("/", "/vms", "/vms.csv", "/activity", "/tasks", "/settings"):
        answer = viewer.get(page)
        assert answer.code == 200, page
        assert THEIRS not in answer.text, page
    assert MINE in viewer.get("/vms").text
    assert viewer.get(f"/ns/{MINE}/vms/guest").code == 200
    tabs = ["", "/console", "/serial", "/config", "/events", "/yaml", "/tasks", "/edit", "/do/delete"]
    hidden = [f"/ns/{THEIRS}/vms/guest{tab}" for tab in tabs]
    hidden += [f"/console/{THEIRS}/guest", f"/console/{THEIRS}/guest/sessions"]
    assert {page: viewer.get(page).code for page in hidden} == dict.fromkeys(hidden, 404)
    assert "vm-" not in viewer.get("/nodes").text or viewer.get("/nodes").code == 403
    assert viewer.get("/images").code == 403


def test_forms_do_what_rights_allow_alone(stage: Stage, viewer: Browser) -> None:
    csrf = {"csrf": viewer.csrf(), "sure": "1", "confirm": "guest"}
    yaml = kernel_boot_vm("sneaked", "Halted")
    for namespace in (MINE, THEIRS):
        viewer.post(f"/ns/{namespace}/vms/guest/do/delete", csrf)
        viewer.post(f"/ns/{namespace}/vms/guest/do/pause", csrf)
        viewer.post("/vms/bulk", csrf | {"act": "restart", "item": f"{namespace}/guest"})
        viewer.post(f"/console/{namespace}/guest/type", csrf | {"text": "x"})
        made = json.loads(yaml)
        made["metadata"]["namespace"] = namespace
        answer = viewer.post("/vms/new/yaml", csrf | {"yaml": json.dumps(made)})
        assert answer.code == 422
        vmi = stage.product.get("vmi", "guest", namespace)
        assert vmi is not None
        assert "deletionTimestamp" not in vmi["metadata"]
        assert stage.api.call("GET", f"{MACHINES.format(namespace)}/sneaked")[0] == 404


@pytest.mark.parametrize(
    "topic", ["page=vm&target={}/guest&tab=overview", "page=vms&ns={}", "page=activity&ns={}"]
)
def test_streams_tell_of_ones_own_project_alone(stage: Stage, viewer: Browser, topic: str) -> None:
    stage.api.call("PUT", f"{SUBRESOURCES}/{THEIRS}/{GUEST}/pause", {})
    stage.api.call("PUT", f"{SUBRESOURCES}/{THEIRS}/{GUEST}/unpause", {})
    text = stream_text(viewer, f"/events?since=0&{topic.format(THEIRS)}")
    assert "data: " in text
    assert f"/ns/{THEIRS}/vms/guest" not in text
    assert "vm-live" not in text


def stream_text(browser: Browser, path: str) -> str:
    """What a stream says in its first half second."""
    return ask(browser.product.url + path, headers={"Cookie": browser.cookie}, patience=0.5).text


def test_consoles_are_for_who_may(stage: Stage, viewer: Browser) -> None:
    for namespace in (MINE, THEIRS):  # a viewer looks at no console
        with viewer.console(namespace, "guest", viewer.ticket(namespace, "guest"), **viewer.own) as console:
            with pytest.raises(ConnectionClosed):
                console.recv(timeout=10)
            assert console.close_code == 4403
