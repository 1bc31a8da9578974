"""Pages of other sites, and what a person's browser can be made to send, show or follow."""

import json
import re
from typing import Any

import pytest
from e2e.product import until
from e2e.security.stage import INSTANCES, MACHINES, MINE, Stage
from e2e.web import Answer, Browser, ask
from websockets.exceptions import ConnectionClosed

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl]

HTML = "\"><script>alert('canary')</script><img src=x onerror=alert(1)>"
POSTS = [
    "/vms/new",
    "/vms/new/yaml",
    "/vms/bulk",
    "/settings",
    f"/ns/{MINE}/vms/guest/edit",
    "/logout",
    "/login",
]
POSTS += [f"/ns/{MINE}/vms/guest/do/restart", f"/console/{MINE}/guest/type", "/ws-tickets"]
POSTS += [INSTANCES.format(MINE)]


def foreign(stage: Stage) -> list[dict[str, str]]:
    """What browsers say when another origin's page sends; the last says nothing at all."""
    ours = stage.product.url
    others = [
        "https://evil.example",
        "null",
        "http://127.0.0.1:1",
        f"{ours}.evil.example",
        f"{ours}@evil",
        ours[:-1],
    ]
    return [{"Origin": origin} for origin in others] + [{"Origin": ours, "Sec-Fetch-Site": "cross-site"}, {}]


@pytest.mark.parametrize("path", POSTS)
def test_no_other_page_changes_anything(stage: Stage, admin: Browser, path: str) -> None:
    form = {"csrf": admin.csrf(), "act": "restart", "item": f"{MINE}/guest", "sure": "1", "token": "x"}
    codes = {str(said): admin.post(path, form, said).code for said in foreign(stage)}
    assert set(codes.values()) <= {403, 422 if path == "/ws-tickets" else 403}, codes
    assert admin.get("/vms").code == 200


def test_no_other_page_opens_a_console_or_a_stream(stage: Stage, admin: Browser) -> None:
    for said in foreign(stage):
        assert admin.refused(MINE, "guest", admin.ticket(MINE, "guest"), **said) == 403, said
    for said in foreign(stage)[:-1]:
        assert admin.get("/events", **said).code == 403, said


def test_a_ticket_opens_one_console_once_for_its_own_session(
    stage: Stage, admin: Browser, viewer: Browser
) -> None:
    ticket = admin.ticket(MINE, "guest")
    with admin.console(MINE, "guest", ticket, **admin.own) as console:
        console.send(b"\r")
    for browser, name, shown in (
        (admin, "guest", ticket),
        (viewer, "guest", admin.ticket(MINE, "guest")),
        (admin, "other", admin.ticket(MINE, "guest")),
        (admin, "guest", ""),
    ):
        with browser.console(MINE, name, shown, **browser.own) as console:
            assert _closed(console) == 4403


def _closed(console: Any) -> int:
    """The code that the server ends the connection with."""
    with pytest.raises(ConnectionClosed):
        console.recv(timeout=10)
    code: int = console.close_code
    return code


def test_the_cookie_is_kept_from_scripts_and_other_sites(stage: Stage) -> None:
    cookie = Browser(stage.product).log_in().headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/%2f..",
        "/%5cevil.example",
        "/\\evil.example",
        "/login?next=//evil.example",
        "/a%0d%0aX-Canary:%201",
    ],
)
def test_nobody_is_sent_elsewhere(stage: Stage, admin: Browser, path: str) -> None:
    for answer in (admin.get(path), ask(stage.product.url + path)):
        assert "x-canary" not in answer.headers
        assert re.match(r"/(?![/\\])", answer.headers.get("location", "/ok"))


@pytest.mark.parametrize(
    "target",
    ["//evil.example", "https://evil.example", "/\\evil.example", "/%09/evil.example", "javascript:1"],
)
def test_a_login_goes_on_to_our_own_pages_only(stage: Stage, target: str) -> None:
    answer = Browser(stage.product).log_in(
        token=stage.tokens["view"], next=target, link="", admin="true", user="admin"
    )
    assert answer.code == 303
    assert answer.headers["location"] == "/"


def test_superfluous_parameters_let_nobody_in(stage: Stage) -> None:
    for form in (
        {"user": "admin"},
        {"token": "x", "authenticated": "1"},
        {"link": "x", "token": stage.tokens["view"]},
    ):
        answer = Browser(stage.product).log_in(**form)
        assert (answer.code, "set-cookie" in answer.headers) == (401, False)


def test_what_does_not_exist_is_not_echoed_as_markup(stage: Stage, admin: Browser) -> None:
    for answer in (
        ask(stage.product.url + "/x<script>1"),
        admin.get("/x<script>1"),
        admin.get("/ns/a/vms/<script>1"),
    ):
        assert answer.code in (303, 404)
        assert "<script>1" not in answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_page_forbids_frames_and_foreign_scripts(admin: Browser) -> None:
    pages = [
        "/",
        "/vms",
        "/vms/new",
        "/vms/new/yaml",
        "/images",
        "/nodes",
        "/activity",
        "/tasks",
        "/settings",
        "/login",
        "/docs",
    ]
    pages += [
        f"/ns/{MINE}/vms/guest{tab}"
        for tab in ("", "/console", "/serial", "/config", "/events", "/yaml", "/tasks", "/edit")
    ]
    pages += [f"/console/{MINE}/guest?kind=vnc", "/no-such-page"]
    for path in pages:
        answer = admin.get(path)
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'self'" in policy
        assert "'unsafe-inline'" not in policy or path == "/docs"
        assert answer.headers["x-frame-options"] == "DENY"
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|javascript:", answer.text), path


def test_what_others_write_is_shown_as_text(stage: Stage, admin: Browser) -> None:
    product = stage.product
    vm = json.loads(product.kubectl("-n", MINE, "get", "vmi", "guest", "-o", "json"))
    meta = {"name": "painted", "annotations": {"description": HTML, "vm.kubevirt.io/os": HTML}}
    spec = vm["spec"]
    spec["volumes"][0]["cloudInitNoCloud"]["userData"] += f"# {HTML}\n"
    template = {"metadata": {"annotations": {"vm.kubevirt.io/os": HTML}}, "spec": spec}
    made = {"metadata": meta, "spec": {"runStrategy": "Halted", "template": template}}
    code, answer = stage.api.call(
        "POST", MACHINES.format(MINE), made | {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine"}
    )
    assert code == 201, answer
    told = {"kind": "VirtualMachine", "name": "painted", "namespace": MINE, "uid": answer["metadata"]["uid"]}
    event = {
        "metadata": {"name": "painted"},
        "involvedObject": told,
        "reason": HTML,
        "message": HTML,
        "type": "Warning",
    }
    assert stage.as_account("edit", "POST", f"/api/v1/namespaces/{MINE}/events", event).code == 201

    def pages() -> list[Answer]:
        tabs = ("", "/config", "/events", "/yaml", "/edit")
        return [admin.get(f"/ns/{MINE}/vms/painted{tab}") for tab in tabs] + [
            admin.get("/activity"),
            admin.get("/"),
        ]

    shown = until(pages, lambda found: "canary" in found[2].text, 10)
    assert all("<script>alert" not in page.text and "<img src=x" not in page.text for page in shown)
    for query in ("q", "sort", "status", "ns", "page"):
        assert "<script>alert" not in admin.get(f"/vms?{query}=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").text
    product.kubectl("-n", MINE, "delete", "vm", "painted")
