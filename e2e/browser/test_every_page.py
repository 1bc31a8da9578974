"""What holds on every page: accessible, within its width and weight, whole without scripts."""

import gzip
import re

import pytest
from anyio.from_thread import BlockingPortal
from axe_playwright_python.sync_playwright import Axe
from e2e.browser.conftest import Open
from playwright.sync_api import expect
from tests.unit.gateway.small_cluster import vm
from tests.unit.gateway.small_console import Stage

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/vms",
    "/vms?q=nothing",
    "/vms/new",
    "/vms/new/yaml",
    "/ns/shop/vms/web-1",
    "/ns/shop/vms/web-1/console",
    "/ns/shop/vms/web-1/serial",
    "/ns/shop/vms/web-1/config",
    "/ns/shop/vms/web-1/events",
    "/ns/shop/vms/web-1/yaml",
    "/ns/shop/vms/web-1/tasks",
    "/ns/shop/vms/web-1/edit",
    "/ns/shop/vms/web-1/do/delete",
    "/ns/default/vms/report",
    "/ns/default/vms/nothing",
    "/console/shop/web-1?kind=vnc",
    "/console/shop/web-1?kind=serial",
    "/images",
    "/nodes",
    "/activity",
    "/tasks",
    "/settings",
    "/login",
)
GALLERY = (
    "buttons",
    "status",
    "cards",
    "notices",
    "fields",
    "tables",
    "tabs",
    "menus",
    "code",
    "progress",
    "dialogs",
    "empty",
)
SERIOUS = ("serious", "critical")


def faults(page: object) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary'][:160]}"
        for one in found
        if one["impact"] in SERIOUS
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_serious_accessibility_fault(open_page: Open, theme: str) -> None:
    page = open_page(PAGES[0], color_scheme=theme)
    wrong: dict[str, list[str]] = {}
    base = page.url.rstrip("/")
    for path in (*PAGES, *(f"/gallery/{name}" for name in GALLERY)):
        page.goto(base + path, wait_until="domcontentloaded")
        if found := faults(page):
            wrong[path] = found
    assert not wrong


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
@pytest.mark.parametrize("width", [360, 800])
def test_no_page_is_wider_than_its_window(open_page: Open, locale: str, width: int) -> None:
    page = open_page(PAGES[0], locale=locale, viewport={"width": width, "height": 740})
    base = page.url.rstrip("/")
    wide = {}
    for path in (*PAGES, *(f"/gallery/{name}" for name in GALLERY)):
        page.goto(base + path, wait_until="domcontentloaded")
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            wide[path] = over
    assert not wide


def test_an_ordinary_page_is_light(open_page: Open) -> None:
    page = open_page("/login")
    base = page.url.removesuffix("/login")
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: 0}))
    page.goto(base + "/vms", wait_until="domcontentloaded")
    page.wait_for_timeout(500)
    loaded = [url for url in sizes if "/events" not in url and not url.startswith("data:")]
    weights = {url: len(gzip.compress(page.request.get(url).body(), 6)) for url in loaded}
    scripts = sum(size for url, size in weights.items() if url.endswith(".js"))
    assert len(loaded) <= 8, loaded
    assert scripts <= 25_000, weights
    assert sum(weights.values()) <= 60_000, weights


def test_everything_but_the_screens_works_without_scripts(open_page: Open) -> None:
    page = open_page("/vms?ns=shop", java_script_enabled=False)
    page.get_by_role("link", name="web-1", exact=True).click()
    page.get_by_role("link", name="Shut down").click()
    page.get_by_role("button", name="Shut down").click()
    expect(page.locator(".task-report")).to_contain_text("Shut down web-1")
    page.wait_for_timeout(600)
    page.reload()
    expect(page.locator("#vm-head .status").first).to_have_text("Stopped")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"\?task="))
    page.goto(page.url.split("/ns/")[0] + "/vms/new")
    page.get_by_label("Name").fill("by-hand")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#f-image-error")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("by-hand")


def test_the_language_follows_the_browser_and_the_readers_choice(open_page: Open) -> None:
    page = open_page("/settings", locale="zh-TW")
    expect(page.get_by_role("heading", name="設定")).to_be_visible()
    page.get_by_label("語言").select_option("en")
    page.get_by_label("外觀").select_option("dark")
    page.get_by_role("button", name="儲存").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_a_stream_the_page_says_so_and_polls(
    open_page: Open, stage: Stage, portal: BlockingPortal
) -> None:
    page = open_page("/login")
    page.route("**/events*", lambda route: route.abort())
    page.goto(stage.url + "/vms?ns=lab", wait_until="domcontentloaded")
    expect(page.locator("#live")).to_have_attribute("data-state", "stale", timeout=8000)
    expect(page.locator("#live")).to_contain_text("Not live")
    portal.call(stage.cluster.add, vm("polled", "lab"))
    expect(page.get_by_role("link", name="polled", exact=True)).to_be_visible(timeout=20000)


def test_the_list_is_used_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("/vms?ns=shop")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search virtual machines")).to_be_focused()
    page.keyboard.type("cache")
    page.keyboard.press("Enter")
    expect(page.locator("#list-rows tr")).to_have_count(1)
