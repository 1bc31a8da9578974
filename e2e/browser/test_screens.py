"""The VNC and serial screens, against a small VNC server and a serial line that echoes."""

import re

import pytest
from e2e.browser.conftest import Open
from playwright.sync_api import expect
from tests.unit.gateway.small_console import Stage

pytestmark = pytest.mark.browser


def test_the_screen_connects_and_draws_the_guests_picture(open_page: Open) -> None:
    page = open_page("/ns/shop/vms/web-1/console")
    expect(page.locator("[data-role=message]")).to_have_text("Connected")
    canvas = page.locator("#screen canvas")
    expect(canvas).to_be_visible()
    page.wait_for_function(
        "c => c.getContext('2d').getImageData(700, 200, 1, 1).data[0] > 90", arg=canvas.element_handle()
    )


def test_text_is_typed_by_the_server_and_characters_without_a_key_are_named(
    open_page: Open, stage: Stage
) -> None:
    page = open_page("/console/shop/web-1?kind=vnc")
    page.get_by_role("button", name="Type text").click()
    box = page.get_by_label("Text to type into the guest")
    box.fill("pass 你")
    expect(page.locator("[data-role=missing]")).to_contain_text("你")
    box.fill("Ab!\n")
    page.get_by_role("button", name="Type", exact=True).click()
    expect(page.locator("[data-role=typed]")).to_have_text("Typed.")
    assert stage.cluster.typed == [[42, 30], [48], [42, 2], [28]]


def test_a_long_text_arrives_whole_and_fast(open_page: Open, stage: Stage) -> None:
    page = open_page("/console/shop/web-1?kind=vnc")
    page.get_by_role("button", name="Type text").click()
    page.get_by_label("Text to type into the guest").fill("0123456789" * 120)
    page.get_by_role("button", name="Type", exact=True).click()
    expect(page.locator("[data-role=typed]")).to_have_text("Typed.")
    assert sum(map(len, stage.cluster.typed)) == 1200


def test_key_combinations_go_to_the_guest(open_page: Open, stage: Stage) -> None:
    page = open_page("/console/shop/web-1?kind=vnc")
    page.locator("summary", has_text="Keys").click()
    page.get_by_role("button", name="Ctrl Alt Del").click()
    page.wait_for_timeout(300)
    assert stage.cluster.typed == [[29, 56, 111]]


def test_watching_sends_nothing_and_says_so(open_page: Open) -> None:
    page = open_page("/console/shop/web-1?kind=vnc&view=1")
    expect(page.locator("[data-role=message]")).to_have_text(re.compile("Watching"))
    expect(page.get_by_role("button", name="Watch only")).to_have_attribute("aria-pressed", "true")


def test_the_serial_console_shows_its_history_and_echoes_what_is_typed(open_page: Open) -> None:
    page = open_page("/ns/shop/vms/web-1/serial")
    expect(page.locator("[data-role=message]")).to_have_text("Connected")
    rows = page.locator(".xterm-rows")
    expect(rows).to_contain_text("web-1 login:")
    page.locator(".xterm-screen").click()
    page.keyboard.type("ada")
    expect(rows).to_contain_text("login: ada")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download what was shown").click()
    assert "Linux version" in download.value.path().read_text()


def test_the_console_can_be_left_by_keyboard(open_page: Open) -> None:
    page = open_page("/ns/shop/vms/web-1/serial")
    expect(page.locator("[data-role=message]")).to_have_text("Connected")
    page.locator(".xterm-screen").click()
    page.keyboard.press("Control+Alt+Shift")
    expect(page.get_by_role("button", name="Full screen")).to_be_focused()


def test_the_screen_of_a_stopped_machine_says_so_and_opens_when_it_starts(open_page: Open) -> None:
    page = open_page("/ns/default/vms/archive/console")
    expect(page.locator("[data-role=note-text]")).to_contain_text("does not run")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-role=message]")).to_have_text("Connected")


def test_a_screen_that_somebody_holds_is_taken_over_only_when_asked(open_page: Open, stage: Stage) -> None:
    stage.screens.held = True
    page = open_page("/ns/shop/vms/web-1/console")
    expect(page.locator("[data-role=note-text]")).to_contain_text("bob uses this console")
    page.get_by_role("button", name="Take over").click()
    expect(page.locator("[data-role=message]")).to_have_text("Connected")
