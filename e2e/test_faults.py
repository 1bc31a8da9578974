"""Every process is killed once: guests run on, and every object tells the truth again."""

import os
import signal
from collections.abc import Iterator

import pytest
from e2e.api import Api, Terminal
from e2e.machines import kernel_boot_vm
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(300)]

COMPONENTS = ("apiserver", "gateway", "runner", "controllers", "node-agent")


@pytest.fixture
def guest(product: Product) -> Iterator[str]:
    """A running VM, named like the test's need."""
    name = "survivor"
    product.apply(kernel_boot_vm(name, "Always"))
    product.wait_for_phase(name, "Running")
    yield name
    product.kubectl("delete", "vm", name, "--timeout=90s")


def boot_id(api: Api, name: str) -> str:
    """The guest's own boot id: the same as long as the guest was not started anew."""
    with api.stream("virtualmachineinstances", name, "console") as stream:
        terminal = Terminal(stream)
        terminal.wake()
        return terminal.run("cat /proc/sys/kernel/random/boot_id").strip()


def is_well(product: Product) -> bool:
    return product.command("status", check=False).returncode == 0


@pytest.mark.parametrize("component", COMPONENTS)
def test_killed_component_comes_back_and_the_guest_ran_on(
    product: Product, guest: str, component: str
) -> None:
    api = Api(product)
    before = boot_id(api, guest)
    os.kill(product.components()[component], signal.SIGKILL)
    until(lambda: is_well(product), bool, 60)
    assert boot_id(api, guest) == before
    product.kubectl("annotate", "vm", guest, f"killed={component}", "--overwrite")


def test_all_killed_at_once_the_guest_runs_on_and_the_next_start_tells_the_truth(
    product: Product, guest: str
) -> None:
    before = boot_id(Api(product), guest)
    product.kubectl("annotate", "vm", guest, "acknowledged=yes", "--overwrite")
    for pid in (supervisor_pid(product), *product.components().values()):
        os.kill(pid, signal.SIGKILL)
    assert product.processes_of("qemu-system-x86")
    product.up()
    vm = product.get("vm", guest)
    assert vm is not None
    assert vm["metadata"]["annotations"]["acknowledged"] == "yes"
    product.wait_for_phase(guest, "Running")
    assert boot_id(Api(product), guest) == before


@pytest.mark.parametrize("victim", ["qemu-system-x86", "libvirtd", "launcher"])
def test_death_inside_the_pod_fails_the_instance_with_a_reason_and_the_vm_restarts(
    product: Product, guest: str, victim: str
) -> None:
    first = product.wait_for_phase(guest, "Running")["metadata"]["uid"]
    os.kill(product.pid_in_pod(guest, victim), signal.SIGKILL)
    until(
        lambda: product.get("vmi", guest),
        lambda vmi: (
            vmi is not None and vmi["metadata"]["uid"] != first and vmi["status"]["phase"] == "Running"
        ),
        90,
    )
    events = product.kubectl("get", "events", "-o", "json")
    assert first in events


def test_guests_come_back_after_the_host_lost_everything(product: Product, guest: str) -> None:
    """What a reboot does: every process of the instance is gone at once, containers too."""
    first = product.wait_for_phase(guest, "Running")["metadata"]["uid"]
    for pid in (supervisor_pid(product), *product.components().values()):
        os.kill(pid, signal.SIGKILL)
    for program in ("conmon", "python", "qemu-system-x86", "libvirtd"):
        for pid in product.processes_of(program):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
    product.up()
    until(
        lambda: product.get("vmi", guest),
        lambda vmi: (
            vmi is not None and vmi["metadata"]["uid"] != first and vmi["status"]["phase"] == "Running"
        ),
        120,
    )


def supervisor_pid(product: Product) -> int:
    from virtdeck.standalone.supervisor import control  # the product's own socket

    return int(control.ask(product.state / "run" / "supervisor.sock", "status")["pid"])
