"""A person's day with the whole product: log in by link, create, watch, type, delete."""

import io
import re
import subprocess
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from e2e.product import Product, until
from PIL import Image, ImageOps
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = [
    pytest.mark.root,
    pytest.mark.guest,
    pytest.mark.kubectl,
    pytest.mark.browser,
    pytest.mark.timeout(300),
]

NAME = "from-browser"
MACHINE_PAGES = [f"/ns/default/vms/{NAME}{tab}" for tab in ("", "/console", "/serial", "/events", "/yaml")]
PAGES = ["/", "/vms", "/vms/new", "/vms/new/yaml", "/images", "/nodes", "/activity", "/tasks", "/settings"]


@pytest.fixture(scope="module")
def person(browser: Browser, product: Product) -> Iterator[BrowserContext]:
    """A browser in which somebody is logged in by a one-time link."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-US")
    log_in(context, product.login_link())
    yield context
    context.close()


@pytest.fixture
def page(person: BrowserContext) -> Iterator[Page]:
    """A tab of that person's."""
    found = person.new_page()
    yield found
    found.close()


@pytest.fixture(scope="module")
def machine(person: BrowserContext, product: Product) -> Iterator[str]:
    """A machine made by the form, as a newcomer makes it."""
    page = person.new_page()
    page.goto(f"{product.url}/vms/new")
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_label("Image", exact=True).fill("virtdeck/demo:latest")
    page.get_by_label("Memory", exact=True).fill("256Mi")
    page.get_by_label("User", exact=True).fill("ada")
    page.get_by_label("Password", exact=True).fill("engine42")
    page.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url(re.compile(rf"/ns/default/vms/{NAME}|/tasks/"))
    product.wait_for_phase(NAME, "Running", seconds=90)
    page.close()
    yield NAME
    if product.get("vm", NAME):
        product.kubectl("delete", "vm", NAME, "--timeout=90s")


def log_in(context: BrowserContext, link: str) -> None:
    page = context.new_page()
    page.goto(link)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=15_000)
    page.close()


def read_screen(page: Page) -> str:
    """The text of the guest's screen, by optical character recognition of the picture."""
    picture = Image.open(io.BytesIO(page.locator("canvas").first.screenshot())).convert("L")
    picture = ImageOps.invert(picture).resize((picture.width * 2, picture.height * 2))
    data = io.BytesIO()
    picture.save(data, "PNG")
    done = subprocess.run(
        ["tesseract", "-", "-", "--psm", "6"], input=data.getvalue(), capture_output=True, check=True
    )
    return done.stdout.decode(errors="replace")


def test_login_link_works_once(browser: Browser, product: Product) -> None:
    link = product.login_link()
    first = browser.new_context()
    log_in(first, link)
    first.close()
    second = browser.new_context()
    page = second.new_page()
    page.goto(link)
    expect(page.get_by_role("alert").or_(page.get_by_role("button", name="Log in"))).not_to_have_count(0)
    page.wait_for_timeout(1000)
    page.goto(f"{product.url}/vms")
    assert "/login" in page.url
    second.close()


def test_stranger_sees_nothing(browser: Browser, product: Product) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{product.url}/vms")
    assert "/login" in page.url
    for path in ("/events", "/apis/kubevirt.io/v1/virtualmachines", "/tasks"):
        assert context.request.get(f"{product.url}{path}", max_redirects=0).status in (302, 303, 401)
    context.close()


def test_list_follows_a_machine_without_reload(page: Page, product: Product, machine: str) -> None:
    page.goto(f"{product.url}/vms?ns=default")
    row = page.get_by_role("row").filter(has_text=machine)
    expect(row).to_contain_text("Running")
    product.kubectl("patch", "vm", machine, "--type", "merge", "-p", '{"spec": {"runStrategy": "Halted"}}')
    expect(row).to_contain_text("Stopped", timeout=60_000)
    product.kubectl("patch", "vm", machine, "--type", "merge", "-p", '{"spec": {"runStrategy": "Always"}}')
    expect(row).to_contain_text("Running", timeout=60_000)


def test_screen_shows_the_guests_login_and_takes_typing(page: Page, product: Product, machine: str) -> None:
    page.goto(f"{product.url}/ns/default/vms/{machine}/console")
    expect(page.locator("canvas")).to_be_visible()
    until(lambda: read_screen(page), lambda text: "login" in text.lower(), 90, pause=2)
    page.locator("canvas").click()
    page.keyboard.type("ada\n", delay=60)
    until(lambda: read_screen(page), lambda text: "assword:" in text, 30, pause=1)
    page.keyboard.type("engine42\n", delay=60)
    until(lambda: read_screen(page), lambda text: "Enter" in text, 30, pause=1)
    # Without Shift, which the automation would leave out.
    page.keyboard.type("uname\n", delay=60)
    until(lambda: read_screen(page), lambda text: "Linux" in text, 30, pause=1)


def test_text_box_types_into_the_guest(page: Page, product: Product, machine: str) -> None:
    page.goto(f"{product.url}/console/default/{machine}?kind=vnc")
    expect(page.locator("canvas")).to_be_visible()
    page.get_by_role("button", name="Type text").click()
    page.get_by_label("Text to type into the guest").fill("echo Whole-Line_$((6*7)) | tr a-z A-Z\n")
    page.get_by_role("button", name="Type", exact=True).click()
    until(lambda: read_screen(page), lambda text: "WHOLE" in text, 30, pause=1)


def test_serial_console_takes_typing_and_keeps_its_scrollback(
    page: Page, product: Product, machine: str
) -> None:
    page.goto(f"{product.url}/ns/default/vms/{machine}/serial")
    rows = page.locator(".xterm-rows")
    expect(rows).to_be_visible()
    page.locator(".xterm").click()
    expect(rows).to_contain_text("login:", timeout=60_000)
    page.keyboard.type("ada\n", delay=40)
    expect(rows).to_contain_text("Password:", timeout=30_000)
    # login drops what was typed before its prompt was out.
    page.wait_for_timeout(1500)
    page.keyboard.type("engine42\n", delay=40)
    expect(rows).to_contain_text("help", timeout=30_000)
    page.keyboard.type("echo serial-$((1000+7))\n", delay=40)
    expect(rows).to_contain_text("serial-1007", timeout=30_000)
    page.reload()
    expect(page.locator(".xterm-rows")).to_contain_text("serial-1007", timeout=30_000)


def test_second_person_is_told_who_holds_the_console(
    browser: Browser, page: Page, product: Product, machine: str
) -> None:
    first = page
    first.goto(f"{product.url}/console/default/{machine}?kind=vnc")
    expect(first.locator("canvas")).to_be_visible()
    context = browser.new_context(locale="en-US")
    log_in(context, product.login_link())
    second = context.new_page()
    second.goto(f"{product.url}/console/default/{machine}?kind=vnc")
    expect(second.get_by_text("admin uses this console").last).to_be_visible(timeout=20_000)
    second.get_by_role("button", name="Take over").click()
    expect(second.locator("canvas")).to_be_visible(timeout=20_000)
    expect(first.get_by_text(re.compile("admin")).last).to_be_visible(timeout=20_000)
    context.close()


def test_yaml_error_is_shown_at_its_field(page: Page, product: Product) -> None:
    page.goto(f"{product.url}/vms/new/yaml")
    page.locator("textarea:visible").first.fill(
        "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: bad, namespace: default}\n"
        "spec:\n  runStrategy: Sometimes\n  template: {spec: {domain: {devices: {}}}}\n"
    )
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.locator("main")).to_contain_text("spec.runStrategy")
    assert product.get("vm", "bad") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [*PAGES, *MACHINE_PAGES])
def test_page_has_no_serious_accessibility_fault(
    page: Page, product: Product, machine: str, path: str, scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{product.url}{path}")
    page.wait_for_load_state("load")
    found = Axe().run(page).response["violations"]
    faults = {v["id"]: v["nodes"][0]["html"][:200] for v in found if v["impact"] in ("serious", "critical")}
    assert faults == {}


def test_everything_but_the_screens_works_without_javascript(
    browser: Browser, product: Product, machine: str, person: BrowserContext
) -> None:
    context = browser.new_context(
        java_script_enabled=False, storage_state=person.storage_state(), locale="en-US"
    )
    page = context.new_page()
    page.goto(f"{product.url}/vms")
    page.get_by_role("link", name=machine).first.click()
    expect(page.get_by_role("heading", name=machine)).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    until(
        lambda: product.get("vm", machine),
        lambda vm: vm["status"]["printableStatus"] == "Paused",
        30,
    )
    page.goto(f"{product.url}/ns/default/vms/{machine}")
    page.get_by_role("button", name="Resume").click()
    until(
        lambda: product.get("vm", machine),
        lambda vm: vm["status"]["printableStatus"] == "Running",
        30,
    )
    context.close()


def test_traditional_chinese_for_who_asks_for_it(
    browser: Browser, product: Product, person: BrowserContext
) -> None:
    context = browser.new_context(locale="zh-TW", storage_state=person.storage_state())
    page = context.new_page()
    page.goto(f"{product.url}/vms")
    assert page.locator("html").get_attribute("lang") in ("zh-Hant", "zh-Hant-TW", "zh-TW")
    expect(page.get_by_role("heading", level=1)).to_contain_text("虛擬機")
    context.close()


def test_phone_sees_state_and_actions_without_sideways_scrolling(
    browser: Browser, product: Product, person: BrowserContext, machine: str
) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, storage_state=person.storage_state(), locale="en-US"
    )
    page = context.new_page()
    for path in ("/", "/vms", f"/ns/default/vms/{machine}", "/vms/new"):
        page.goto(f"{product.url}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    context.close()


def test_delete_names_what_is_lost_and_asks_for_the_name(page: Page, product: Product, machine: str) -> None:
    page.goto(f"{product.url}/ns/default/vms/{machine}/do/delete")
    expect(page.locator("main")).to_contain_text("What is lost")
    page.get_by_label(re.compile("Type the name")).fill("something else")
    page.get_by_role("button", name=re.compile("^Delete")).click()
    expect(page.locator("[aria-invalid=true]")).to_be_visible()
    assert product.get("vm", machine)
    page.get_by_label(re.compile("Type the name")).fill(machine)
    page.get_by_role("button", name=re.compile("^Delete")).click()
    product.wait_gone("vm", machine, seconds=60)
