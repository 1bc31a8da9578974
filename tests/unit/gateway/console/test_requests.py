"""The console's pages over HTTP: who is let in, what is refused, what is said."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from aiohttp import ClientSession, ClientTimeout
from tests.unit.gateway.small_cluster import KUBEVIRT, vm, vmi
from tests.unit.gateway.small_console import TOKEN, Stage, open_console

from virtdeck.kube.objects import Key

pytestmark = pytest.mark.anyio
HTMX = {"HX-Request": "true"}


@asynccontextmanager
async def visiting(folder: Path, **how: bool) -> AsyncIterator[tuple[Stage, ClientSession]]:
    async with (
        open_console(folder, **how) as stage,
        ClientSession(stage.url, timeout=ClientTimeout(20)) as browser,
    ):
        yield stage, browser


async def page(browser: ClientSession, path: str, code: int = 200, **headers: str) -> str:
    async with browser.get(path, headers=headers, allow_redirects=False) as answer:
        assert answer.status == code, (path, answer.status)
        return await answer.text()


@pytest.mark.parametrize(
    "path",
    ["/", "/vms", "/vms/new", "/ns/shop/vms/web-1", "/console/shop/web-1", "/tasks", "/settings", "/vms.csv"],
)
async def test_who_is_not_logged_in_is_sent_to_log_in_and_comes_back(tmp_path: Path, path: str) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.gate.away = True
        async with browser.get(path, allow_redirects=False) as answer:
            assert answer.status == 303
            assert answer.headers["Location"].startswith("/login?next=%2F")


async def test_parts_and_streams_of_a_stranger_are_refused_not_redirected(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.gate.away = True
        await page(browser, "/events", 401)
        async with browser.get("/vms", headers=HTMX) as answer:
            assert (answer.status, answer.headers["HX-Redirect"]) == (401, "/login?next=%2Fvms")
        async with browser.post("/ns/shop/vms/web-1/do/pause", data={"csrf": TOKEN}) as answer:
            assert answer.status == 401


@pytest.mark.parametrize(
    "path",
    [
        "/vms/bulk",
        "/vms/new",
        "/vms/new/yaml",
        "/ns/shop/vms/web-1/do/pause",
        "/ns/shop/vms/web-1/edit",
        "/settings",
        "/console/shop/web-1/type",
    ],
)
async def test_no_form_is_taken_without_its_token(tmp_path: Path, path: str) -> None:
    async with visiting(tmp_path) as (stage, browser):
        before = len(stage.cluster.requests)
        for data in ({}, {"csrf": "another"}):
            async with browser.post(path, data=data) as answer:
                assert answer.status == 403
        writes = [line for line in stage.cluster.requests[before:] if not line.startswith("GET")]
        assert writes == []


async def test_only_projects_that_may_be_seen_are_shown(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.reviews.denied = {"list virtualmachines *", "list virtualmachines shop"}
        html = await page(browser, "/vms")
        assert "archive" in html
        assert "web-1" not in html
        assert 'ns=shop"' not in html
        await page(browser, "/ns/shop/vms/web-1", 404)
        await page(browser, "/ns/shop/vms/web-1/do/stop", 404)
        assert "web-1" not in await page(browser, "/vms.csv")


async def test_who_sees_no_project_is_told_which_right_is_missing(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.reviews.denied = {"list virtualmachines"}
        assert "list virtualmachines" in await page(browser, "/vms")


async def test_a_button_that_a_role_lacks_is_there_and_says_why(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.reviews.denied = {"update virtualmachines/stop"}
        html = await page(browser, "/ns/shop/vms/web-1")
        assert "You lack the right “update virtualmachines/stop” in project shop." in html
        assert '/do/stop"' not in html


async def test_what_disturbs_is_asked_first_even_when_posted_at_once(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (_, browser):
        async with browser.post(
            "/ns/shop/vms/web-1/do/stop", data={"csrf": TOKEN}, allow_redirects=False
        ) as answer:
            assert answer.headers["Location"] == "/ns/shop/vms/web-1/do/stop"
        html = await page(browser, "/ns/shop/vms/web-1/do/stop")
        assert "web-1" in html
        assert "virtctl stop web-1 -n shop" in html


async def test_a_delete_meant_for_a_machine_that_is_gone_spares_its_namesake(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        data = {"csrf": TOKEN, "sure": "yes", "typed": "archive", "uid": "of-the-older-one"}
        async with browser.post("/ns/default/vms/archive/do/delete", data=data) as answer:
            assert answer.status == 409
        assert f"{KUBEVIRT}/namespaces/default/virtualmachines/archive" in stage.cluster.objects


async def test_a_refused_act_is_told_with_the_servers_words(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        del stage.cluster.objects[f"{KUBEVIRT}/namespaces/default/virtualmachines/archive"]
        async with browser.post(
            "/ns/default/vms/archive/do/start", data={"csrf": TOKEN}, headers=HTMX
        ) as answer:
            html = await answer.text()
        assert 'data-state="failed"' in html
        assert "archive not found" in html


async def test_the_answer_is_in_the_readers_language(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (_, browser):
        headers = {"Accept-Language": "zh-TW"}
        async with browser.get("/ns/none/vms/none", headers=headers) as answer:
            assert answer.status == 404
            html = await answer.text()
        assert 'lang="zh-Hant"' in html
        assert "這個專案裡沒有您可以查看的同名虛擬機器。" in html


async def test_names_from_the_api_are_text_never_markup(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        machine = stage.cluster.objects[f"{KUBEVIRT}/namespaces/default/virtualmachines/report"]
        machine["status"]["conditions"][0]["message"] = "<img src=x onerror=alert(1)>"
        await stage.cluster.add(machine)
        await anyio.sleep(0.2)
        for path in ("/", "/vms", "/ns/default/vms/report"):
            assert "<img src=x" not in await page(browser, path)


async def test_a_stream_sends_the_rows_that_change(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        since = re.search(r"since=(\d+)", await page(browser, "/vms?ns=shop"))
        assert since is not None
        url = f"/events?since={since[1]}&page=vms&ns=shop"
        async with browser.get(url) as answer:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            assert answer.headers["X-Accel-Buffering"] == "no"
            assert b"retry" in await answer.content.readline()
            await stage.cluster.word("shop", "web-2", "Stopping")
            text = b""
            with anyio.fail_after(5):
                while b"</hx-partial>" not in text:
                    text += await answer.content.readline()
        assert b"vm_shop_web-2" in text
        assert b"Stopping" in text
        assert b"vm_shop_web-1" not in text


async def test_a_stream_tells_nothing_of_projects_that_may_not_be_seen(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.reviews.denied = {"list virtualmachines *", "list virtualmachines shop"}
        async with browser.get("/events?page=vm&target=shop/web-1&tab=overview") as answer:
            text = b""
            with anyio.move_on_after(1):
                while True:
                    text += await answer.content.readline()
        assert b"10.42" not in text


async def test_a_text_that_cannot_be_typed_is_refused_whole(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        for data in ({"text": "a你"}, {"text": "x" * 1001}, {"chord": "ctrl+nothing"}):
            async with browser.post("/console/shop/web-1/type", data=data | {"csrf": TOKEN}) as answer:
                assert answer.status == 400
                assert (await answer.json())["problem"]
        assert not hasattr(stage.cluster, "typed")


async def test_a_spreadsheet_gets_no_formula(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (_, browser):
        lines = (await page(browser, "/vms.csv?ns=shop")).splitlines()
        assert lines[0] == "namespace,name,status,node,addresses,vcpus,memory_bytes,created"
        assert len(lines) == 5


async def test_an_empty_installation_invites_to_create_the_first_machine(tmp_path: Path) -> None:
    async with visiting(tmp_path, filled=False) as (_, browser):
        html = await page(browser, "/")
        assert "Create your first virtual machine" in html
        assert "No virtual machines yet" in await page(browser, "/vms")


async def test_the_gallery_is_shown_only_when_a_setting_says_so(tmp_path: Path) -> None:
    async with visiting(tmp_path, gallery=False) as (_, browser):
        await page(browser, "/gallery", 404)


async def test_pages_are_packed_and_not_kept(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (_, browser), browser.get("/vms") as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Cache-Control"] == "no-store"
        assert int(answer.headers["Content-Length"]) < 25_000


async def test_an_instance_without_a_machine_has_every_page(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        await stage.cluster.add(vmi(vm("lone", "lab", "Running")))
        with anyio.fail_after(5):
            while stage.desk.roster.get(Key("lab", "lone")) is None:
                await stage.desk.roster.wait_beyond(stage.desk.roster.sequence)
        for tab in (
            "",
            "/console",
            "/serial",
            "/config",
            "/events",
            "/yaml",
            "/tasks",
            "/edit",
            "/do/delete",
        ):
            html = await page(browser, f"/ns/lab/vms/lone{tab}")
            assert "lone" in html
        assert "gone for good once it ends" in await page(browser, "/ns/lab/vms/lone")


async def test_what_one_may_not_do_is_told_even_when_posted_at_once(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        stage.reviews.denied = {"list nodes", "list events"}
        assert "You lack the right “list nodes”" in await page(browser, "/nodes")
        assert "You lack the right “list events”" in await page(browser, "/activity")
        assert "You lack the right “list events”" in await page(browser, "/ns/shop/vms/web-1/events")


async def test_the_create_form_offers_what_the_person_may_see(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        html = await page(browser, "/vms/new")
        assert '<option value="u1.small">u1.small · 1 CPU · 2 GiB</option>' in html
        assert '<option value="debian.12">Debian 12 (bookworm)</option>' in html
        stage.reviews.denied = {
            "list virtualmachineclusterinstancetypes",
            "list virtualmachineclusterpreferences",
        }
        html = await page(browser, "/vms/new")
        assert "u1.small" not in html
        assert 'name="instancetype"' not in html


async def test_a_machine_is_made_of_the_size_that_was_chosen(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (stage, browser):
        chosen = {"instancetype": "u1.small", "preference": "debian.12"}
        data = {"csrf": TOKEN, "name": "sized", "namespace": "shop", "image": "a:1", "do": "create"}
        async with browser.post("/vms/new", data=data | chosen, allow_redirects=False) as answer:
            assert answer.status == 303, await answer.text()
        made = stage.cluster.objects["/apis/kubevirt.io/v1/namespaces/shop/virtualmachines/sized"]
        assert made["spec"]["instancetype"] == {
            "kind": "VirtualMachineClusterInstancetype",
            "name": "u1.small",
        }
        assert "memory" not in made["spec"]["template"]["spec"]["domain"]
