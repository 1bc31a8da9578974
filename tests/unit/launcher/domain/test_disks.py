"""Names, boot orders, threads and addresses of disks."""

from typing import Any

import pytest
from tests.unit.launcher.domain.test_golden import request_of

from virtdeck.launcher.domain.disks import _letters, disks, pci_address, targets
from virtdeck.launcher.domain.iothreads import iothreads, thread_of_disk


def request(disk_specs: list[dict[str, Any]], **domain: Any) -> Any:
    volumes = [{"name": disk["name"], "emptyDisk": {"capacity": "1Gi"}} for disk in disk_specs]
    plain = {
        "metadata": {"name": "a", "namespace": "b", "uid": "c"},
        "spec": {"domain": {"devices": {"disks": disk_specs}, **domain}, "volumes": volumes},
    }
    return request_of(plain, {"accelerator": "tcg"})


@pytest.mark.parametrize(
    ("number", "letters"), [(0, "a"), (25, "z"), (26, "aa"), (51, "az"), (701, "zz"), (702, "aaa")]
)
def test_disks_are_lettered_as_linux_does(number: int, letters: str) -> None:
    assert _letters(number) == letters


def test_buses_with_the_same_prefix_share_its_letters() -> None:
    asked = request(
        [
            {"name": "a", "disk": {"bus": "virtio"}},
            {"name": "b", "disk": {"bus": "sata"}},
            {"name": "c", "disk": {"bus": "virtio"}},
            {"name": "d", "disk": {"bus": "usb"}},
            {"name": "e"},
        ]
    )
    assert targets(asked) == {"a": "vda", "b": "sda", "c": "vdb", "d": "sdb", "e": "sdc"}


def test_a_boot_order_of_one_disk_leaves_all_others_without() -> None:
    asked = request([{"name": "a"}, {"name": "b", "bootOrder": 1}])
    assert [disk.boot.order if disk.boot else None for disk in disks(asked)] == [None, 1]


def test_dedicated_threads_come_first_and_the_rest_share() -> None:
    asked = request(
        [{"name": "a"}, {"name": "b", "dedicatedIOThread": True}, {"name": "c"}, {"name": "d"}],
        ioThreadsPolicy="auto",
        cpu={"cores": 1},
    )
    threads = {disk.name: thread_of_disk(asked, disk) for disk in asked.devices.disks or ()}
    assert threads == {"a": 2, "b": 1, "c": 2, "d": 2}
    made = iothreads(asked)
    assert made is not None
    assert made.value == "2"


@pytest.mark.parametrize("text", ["", "1:2", "0000:81:01.8", "0000:81:01.0\n", "zzzz:81:01.0"])
def test_what_is_no_pci_address_is_none(text: str) -> None:
    assert pci_address(text) is None
