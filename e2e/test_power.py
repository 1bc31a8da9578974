"""Run strategies and power actions, with real guests."""

import os
import signal
from collections.abc import Iterator

import pytest
from e2e.api import Api, Terminal
from e2e.machines import kernel_boot_vm, kernel_boot_vmi
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(240)]


@pytest.fixture
def api(product: Product) -> Api:
    return Api(product)


@pytest.fixture
def cleanup(product: Product) -> Iterator[None]:
    yield
    product.kubectl("delete", "vm,vmi", "--all", "--timeout=90s")


def guest_says(api: Api, name: str, command: str) -> None:
    """The command is typed at the kernel-boot guest's shell."""
    with api.stream("virtualmachineinstances", name, "console") as stream:
        terminal = Terminal(stream)
        terminal.wake()
        terminal.write(f"{command}\r")


def printable(product: Product, name: str) -> str:
    vm = product.get("vm", name)
    return str(vm and vm.get("status", {}).get("printableStatus"))


def vmi_uid(product: Product, name: str) -> str | None:
    vmi = product.get("vmi", name)
    return vmi["metadata"]["uid"] if vmi else None


def test_always_starts_again_after_the_guest_powers_off(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-always", "Always"))
    first = product.wait_for_phase("pw-always", "Running")["metadata"]["uid"]
    guest_says(api, "pw-always", "poweroff -f")
    until(lambda: vmi_uid(product, "pw-always"), lambda uid: uid not in (None, first), 60)
    product.wait_for_phase("pw-always", "Running")


def test_rerun_on_failure_stays_off_after_the_guest_powers_off(
    product: Product, api: Api, cleanup: None
) -> None:
    product.apply(kernel_boot_vm("pw-rerun", "RerunOnFailure"))
    product.wait_for_phase("pw-rerun", "Running")
    guest_says(api, "pw-rerun", "poweroff -f")
    until(lambda: printable(product, "pw-rerun"), lambda status: status == "Stopped", 60)
    product.wait_gone("vmi", "pw-rerun")


def test_once_is_never_started_again(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-once", "Once"))
    uid = product.wait_for_phase("pw-once", "Running")["metadata"]["uid"]
    guest_says(api, "pw-once", "poweroff -f")
    product.wait_for_phase("pw-once", "Succeeded")
    assert vmi_uid(product, "pw-once") == uid


def test_manual_follows_start_and_stop_requests(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-manual", "Manual"))
    until(lambda: printable(product, "pw-manual"), lambda status: status == "Stopped", 20)
    code, _ = api.sub("PUT", "virtualmachines", "pw-manual", "start")
    assert code == 202
    product.wait_for_phase("pw-manual", "Running")
    code, status = api.sub("PUT", "virtualmachines", "pw-manual", "start")
    assert code == 409
    assert status["kind"] == "Status"
    code, _ = api.sub("PUT", "virtualmachines", "pw-manual", "stop")
    assert code == 202
    product.wait_gone("vmi", "pw-manual")
    code, _ = api.sub("PUT", "virtualmachines", "pw-manual", "stop")
    assert code == 409


def test_start_flips_halted_to_always_and_stop_flips_it_back(
    product: Product, api: Api, cleanup: None
) -> None:
    product.apply(kernel_boot_vm("pw-halted", "Halted"))
    until(lambda: printable(product, "pw-halted"), lambda status: status == "Stopped", 20)
    assert api.sub("PUT", "virtualmachines", "pw-halted", "start")[0] == 202
    product.wait_for_phase("pw-halted", "Running")
    assert (product.get("vm", "pw-halted") or {})["spec"]["runStrategy"] == "Always"
    assert api.sub("PUT", "virtualmachines", "pw-halted", "stop")[0] == 202
    product.wait_gone("vmi", "pw-halted")
    assert (product.get("vm", "pw-halted") or {})["spec"]["runStrategy"] == "Halted"


def test_restart_makes_a_new_instance(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-restart", "Always"))
    first = product.wait_for_phase("pw-restart", "Running")["metadata"]["uid"]
    assert api.sub("PUT", "virtualmachines", "pw-restart", "restart", {"gracePeriodSeconds": 0})[0] == 202
    until(lambda: vmi_uid(product, "pw-restart"), lambda uid: uid not in (None, first), 60)
    product.wait_for_phase("pw-restart", "Running")


def test_paused_guest_stands_still_and_goes_on(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-pause", "Always"))
    product.wait_for_phase("pw-pause", "Running")
    assert api.sub("PUT", "virtualmachineinstances", "pw-pause", "pause")[0] == 200
    until(lambda: printable(product, "pw-pause"), lambda status: status == "Paused", 20)
    assert api.sub("PUT", "virtualmachineinstances", "pw-pause", "pause")[0] == 409
    assert api.sub("PUT", "virtualmachineinstances", "pw-pause", "unpause")[0] == 200
    until(lambda: printable(product, "pw-pause"), lambda status: status == "Running", 20)
    guest_says(api, "pw-pause", "true")


def test_reset_boots_the_same_instance_again(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vmi("pw-reset"))
    uid = product.wait_for_phase("pw-reset", "Running")["metadata"]["uid"]
    with api.stream("virtualmachineinstances", "pw-reset", "console") as stream:
        terminal = Terminal(stream)
        terminal.wake()
        assert api.sub("PUT", "virtualmachineinstances", "pw-reset", "reset")[0] == 200
        terminal.expect("Linux version")
    assert vmi_uid(product, "pw-reset") == uid


def test_migration_on_one_node_is_refused_with_its_reason(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-migrate", "Always"))
    product.wait_for_phase("pw-migrate", "Running")
    code, status = api.sub("PUT", "virtualmachines", "pw-migrate", "migrate")
    assert code == 409
    assert "node" in status["message"]


def test_crash_back_off_counts_failed_starts(product: Product, api: Api, cleanup: None) -> None:
    product.apply(kernel_boot_vm("pw-crash", "Always"))
    first = product.wait_for_phase("pw-crash", "Running")["metadata"]["uid"]
    [qemu] = product.processes_of("qemu-system-x86")

    os.kill(qemu, signal.SIGKILL)
    until(lambda: vmi_uid(product, "pw-crash"), lambda uid: uid not in (None, first), 60)
    product.wait_for_phase("pw-crash", "Running")
