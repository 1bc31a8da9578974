"""Codes, tokens and passwords stay where they belong: not in logs, arguments, environments or events."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.product import all_processes
from e2e.security.stage import MINE, PASSWORD, SUBRESOURCES, Stage
from e2e.web import Browser

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl]


def test_no_secret_is_found_where_it_does_not_belong(stage: Stage, viewer: Browser) -> None:
    browser = Browser(stage.product)
    link = stage.product.login_link().partition("link=")[2]
    browser.get(f"/login?link={link}")
    assert browser.log_in(link=link, next="/vms").code == 303
    assert browser.log_in(link=link).code == 401
    browser.log_in(link=stage.product.login_link().partition("link=")[2])
    ticket = browser.ticket(MINE, "guest")
    with browser.console(MINE, "guest", ticket, **browser.own) as console:
        console.send(b"\r")
    wrong = "canary-of-a-wrong-token"
    browser.get("/vms", Authorization=f"Bearer {wrong}")
    stage.at_facade("view", "GET", f"{SUBRESOURCES}/{MINE}/virtualmachineinstances/guest/guestosinfo")
    secrets = {
        "link": link,
        "ticket": ticket,
        "cookie": browser.cookie.partition("=")[2],
        "viewer's cookie": viewer.cookie.partition("=")[2],
        "token": stage.tokens["view"],
        "wrong token": wrong,
        "csrf": browser.csrf(),
        "password": PASSWORD,
    }
    assert all(secrets.values())
    found = [
        (name, place)
        for place, text in _places(stage)
        for name, secret in secrets.items()
        if secret.encode() in text
    ]
    assert found == []


def _places(stage: Stage) -> Iterator[tuple[str, bytes]]:
    for path in (stage.product.state / "log").rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes()
    components = set(stage.product.components().values())
    for pid in all_processes():
        if not (stage.product.owns(pid) or pid in components):
            continue
        for table in ("cmdline", "environ"):
            try:
                yield f"{pid} {table}", Path(f"/proc/{pid}/{table}").read_bytes()
            except OSError:
                continue
    for kind in ("events", "pods", "nodes"):
        yield kind, stage.product.kubectl("get", kind, "-A", "-o", "json").encode()


def test_each_request_is_one_line_of_the_log_whatever_it_says(stage: Stage, admin: Browser) -> None:
    admin.get("/vms/%1b%5d0;canary%07%0a%7b%22event%22:%22forged%22%7d%e2%80%ae")
    log = (stage.product.state / "log/gateway.log").read_text()
    assert "\x1b]0;canary" not in log
    assert "\u202e" not in log
    assert not any(line.startswith('{"event":"forged"') for line in log.splitlines())


def test_what_the_vault_keeps_lets_nobody_in(stage: Stage) -> None:
    found = json.loads(stage.product.kubectl("-n", "kubevirt", "get", "secrets", "-o", "json"))
    assert found["items"]
    browser = Browser(stage.product)
    for secret in found["items"]:
        code = secret["metadata"]["name"].partition("-")[2]
        browser.cookie = f"virtdeck-{stage.product.listen.rpartition(':')[2]}={code}"
        assert browser.get("/vms").code == 303
