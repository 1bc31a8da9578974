"""What a user does with machines in the browser."""

import re

import pytest
from anyio.from_thread import BlockingPortal
from e2e.browser.conftest import Open
from playwright.sync_api import Locator, Page, expect
from tests.unit.gateway.small_cluster import KUBEVIRT, vm
from tests.unit.gateway.small_console import Stage

pytestmark = pytest.mark.browser


def row(page: Page, name: str) -> Locator:
    return page.locator("#list-rows tr", has=page.get_by_role("link", name=name, exact=True))


def test_a_stopped_machine_is_started_from_its_row_and_the_row_follows(open_page: Open) -> None:
    page = open_page("/vms")
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    archive = row(page, "archive")
    archive.get_by_role("button", name="Start").click()
    expect(archive.locator(".status")).to_have_text("Running")
    expect(page.locator("#results")).to_contain_text("Start archive")
    expect(archive.get_by_role("link", name="Console")).to_be_visible()


def test_stopping_asks_in_a_dialog_that_names_who_is_logged_in(open_page: Open) -> None:
    page = open_page("/ns/shop/vms/web-1")
    page.get_by_role("link", name="Shut down").click()
    dialog = page.locator("#dialog")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("ops")
    expect(dialog).to_contain_text("rootdisk, scratch")
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(page.get_by_role("link", name="Shut down")).to_be_focused()
    page.get_by_role("link", name="Shut down").click()
    dialog.get_by_role("button", name="Shut down").click()
    expect(page.locator("#vm-head .status").first).to_have_text("Stopped")


def test_deleting_wants_the_name_typed_and_ends_on_the_list(open_page: Open) -> None:
    page = open_page("/ns/default/vms/archive")
    page.locator("#vm-menu summary").click()
    page.get_by_role("link", name="Delete…").click()
    dialog = page.locator("#dialog")
    field = dialog.get_by_label("Type the name")
    expect(field).to_be_focused()
    field.fill("archiv")
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog.locator(".error")).to_contain_text("archive")
    dialog.get_by_label("Type the name").fill("archive")
    dialog.get_by_role("button", name="Delete").click()
    page.wait_for_url(re.compile("/vms"))
    expect(page.locator("#list-count")).to_have_text("9")


def test_machines_that_come_and_go_appear_and_disappear(
    open_page: Open, stage: Stage, portal: BlockingPortal
) -> None:
    page = open_page("/vms?ns=lab")
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    portal.call(stage.cluster.add, vm("new-one", "lab"))
    expect(row(page, "new-one")).to_be_visible()
    expect(page.locator("#list-count")).to_have_text("5")
    portal.call(stage.cluster.delete, f"{KUBEVIRT}/namespaces/lab/virtualmachines/new-one", {})
    expect(row(page, "new-one")).to_have_count(0)
    expect(page.locator("#list-count")).to_have_text("4")


def test_filtering_while_typing_keeps_the_focus_and_the_address(open_page: Open) -> None:
    page = open_page("/vms")
    field = page.get_by_role("searchbox", name="Name, address or guest")
    field.press_sequentially("web")
    expect(page.locator("#list-rows tr")).to_have_count(2)
    expect(field).to_be_focused()
    expect(field).to_have_value("web")
    assert page.url.endswith("?q=web")


def test_the_chosen_machines_are_counted_and_stopped_after_their_names_were_confirmed(
    open_page: Open,
) -> None:
    page = open_page("/vms?ns=shop")
    page.get_by_role("checkbox", name="Choose web-1").check()
    page.get_by_role("checkbox", name="Choose web-2").check()
    expect(page.locator("[data-selected]")).to_have_text("2 chosen")
    page.locator("[data-selection]").get_by_role("button", name="Shut down").click()
    expect(page.get_by_role("heading", name="Shut down 2 machines?")).to_be_visible()
    page.get_by_role("button", name="Shut down").click()
    page.wait_for_url(re.compile("/tasks"))
    expect(page.locator("#tasks-live tbody tr")).to_have_count(2)
    expect(page.locator("#tasks-live").get_by_text("Done")).to_have_count(2)


def test_a_machine_is_created_by_form_and_its_task_ends_when_it_runs(open_page: Open, stage: Stage) -> None:
    page = open_page("/vms/new")
    page.get_by_label("Name").fill("Wrong Name")
    page.get_by_label("Image").fill("virtdeck/demo:latest")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#f-name-error")).to_contain_text("small letters")
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Image")).to_have_value("virtdeck/demo:latest")
    page.get_by_label("Name").fill("fresh")
    page.get_by_label("Memory").fill("999Gi")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#f-memory-error")).to_have_text("the largest node has 32Gi")
    page.get_by_label("Memory").fill("1Gi")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url(re.compile("/tasks/"))
    expect(page.get_by_role("heading", name="Create fresh")).to_contain_text("Done")
    made = stage.cluster.objects[f"{KUBEVIRT}/namespaces/default/virtualmachines/fresh"]
    assert made["spec"]["template"]["spec"]["volumes"][0]["containerDisk"]["image"] == "virtdeck/demo:latest"


def test_form_and_yaml_are_turned_into_each_other_without_loss(open_page: Open) -> None:
    page = open_page("/vms/new/yaml")
    text = page.locator("#f-yaml")
    text.fill(text.input_value().replace("domain:", "hostname: keep-me\n      domain:"))
    page.get_by_role("button", name="As a form").click()
    page.get_by_label("Name").fill("other")
    page.get_by_role("button", name="Show YAML").click()
    expect(text).to_have_value(re.compile("hostname: keep-me"))
    expect(text).to_have_value(re.compile("name: other"))


def test_a_mistake_in_yaml_is_named_with_its_line(open_page: Open) -> None:
    page = open_page("/vms/new/yaml")
    page.locator("#f-yaml").fill("kind: VirtualMachine\nspec: [")
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_role("alert").first).to_contain_text("Line 2")


def test_an_edit_is_compared_before_it_is_applied_and_a_conflict_loses_nothing(
    open_page: Open, stage: Stage, portal: BlockingPortal
) -> None:
    page = open_page("/ns/shop/vms/db-1/edit")
    text = page.locator("#f-yaml")
    text.fill(text.input_value().replace("cores: 2", "cores: 4"))
    portal.call(stage.cluster.word, "shop", "db-1", "Running")
    page.get_by_role("button", name="Check and compare").click()
    expect(page.get_by_role("alert").first).to_contain_text("Changed meanwhile")
    expect(text).to_have_value(re.compile("cores: 4"))
    page.get_by_role("button", name="Lay my text over theirs").click()
    expect(page.get_by_role("heading", name="1 field changes")).to_be_visible()
    expect(page.get_by_role("row", name="cores")).to_contain_text("4")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".task-report")).to_contain_text("Done")
