"""Each disk by itself (V126–V141)."""

import re
from collections.abc import Iterator

from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.gateway.admission.rule import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import LABEL_WORDS, PCI_WORDS, is_label, is_pci_address

RULES: Rules[Subject] = Rules("VMI")

_DISK = "spec.domain.devices.disks[]"
_BUSES = ("virtio", "sata", "scsi", "usb")
_SERIAL = re.compile(r"[A-Za-z0-9_.+-]*", re.ASCII)
_MOST_SERIAL = 256


@RULES.rule("V126", f"{_DISK}.name", DUPLICATE)
def disk_names_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier disk has the same name."""
    if len(vmi.drives) == len(vmi.disks):
        return
    seen: set[str] = set()
    for index, disk in enumerate(vmi.disks):
        if disk.name in seen:
            yield at(index, value=disk.name)
        seen.add(disk.name)


@RULES.rule("V127", _DISK, INVALID, "must have only one of disk, lun, cdrom")
def disk_has_one_target(vmi: Subject) -> Iterator[Place]:
    """It has several."""
    for index, disk in enumerate(vmi.disks):
        if (disk.disk is not None) + (disk.lun is not None) + (disk.cdrom is not None) > 1:
            yield at(index)


@RULES.rule("V128", f"{_DISK}.name", INVALID, f"must be {LABEL_WORDS}")
def disk_name_is_a_label(vmi: Subject) -> Iterator[Place]:
    """It is no DNS label, and becomes the name of a volume of the pod."""
    for index, disk in enumerate(vmi.disks):
        if not is_label(disk.name):
            yield at(index)


@RULES.rule("V129", f"{_DISK}.disk.pciAddress", FORBIDDEN, "needs the bus virtio")
def pci_address_is_on_virtio(vmi: Subject) -> Iterator[Place]:
    """The bus is another."""
    for index, disk in enumerate(vmi.disks):
        if disk.disk is not None and disk.disk.pci_address and disk.disk.bus != "virtio":
            yield at(index)


@RULES.rule("V130", f"{_DISK}.disk.pciAddress", INVALID, f"must be {PCI_WORDS}")
def pci_address_is_one(vmi: Subject) -> Iterator[Place]:
    """It is another text."""
    for index, disk in enumerate(vmi.disks):
        if disk.disk is not None and disk.disk.pci_address and not is_pci_address(disk.disk.pci_address):
            yield at(index)


@RULES.rule("V131", f"{_DISK}.bootOrder", INVALID, "must be 1 or more")
def disk_boot_order_counts(vmi: Subject) -> Iterator[Place]:
    """It is 0 or less."""
    for index, disk in enumerate(vmi.disks):
        if disk.boot_order is not None and disk.boot_order < 1:
            yield at(index)


@RULES.rule(
    "V132",
    f"{_DISK}.{{disk|lun|cdrom}}.bus",
    NOT_SUPPORTED,
    "'ide' is not supported, for today's machines have none; use sata",
)
def ide_is_gone(vmi: Subject) -> Iterator[Place]:
    """It is ide."""
    for index, name, bus in _buses(vmi):
        if bus == "ide":
            yield at(index, name)


@RULES.choice("V133", f"{_DISK}.{{disk|lun|cdrom}}.bus", *_BUSES)
def bus_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, name, bus in _buses(vmi):
        if bus != "ide":
            yield at(index, name, value=bus)


@RULES.rule("V134", f"{_DISK}.cdrom.bus", NOT_SUPPORTED, "'virtio' is not supported; use sata, scsi or usb")
def cdrom_is_not_on_virtio(vmi: Subject) -> Iterator[Place]:
    """It is virtio, which has no CD-ROM drive."""
    for index, disk in enumerate(vmi.disks):
        if disk.cdrom is not None and disk.cdrom.bus == "virtio":
            yield at(index)


@RULES.rule(
    "V135", f"{_DISK}.disk.readonly", INVALID, "needs the bus virtio, scsi or usb; or make it a cdrom"
)
def sata_disk_is_writable(vmi: Subject) -> Iterator[Place]:
    """The bus is sata, whose disks cannot be read-only."""
    for index, disk in enumerate(vmi.disks):
        if disk.disk is not None and disk.disk.readonly and disk.disk.bus == "sata":
            yield at(index)


@RULES.rule("V136", f"{_DISK}.dedicatedIOThread", FORBIDDEN, "needs the bus virtio")
def io_thread_is_on_virtio(vmi: Subject) -> Iterator[Place]:
    """The bus is another."""
    for index, disk in enumerate(vmi.disks):
        if disk.dedicated_io_thread and bus_of(disk) != "virtio":
            yield at(index)


@RULES.rule("V137", f"{_DISK}.serial", INVALID, "must be letters, digits and _ . + -")
def serial_is_plain(vmi: Subject) -> Iterator[Place]:
    """It has other characters, and becomes part of the guest's device names."""
    for index, disk in enumerate(vmi.disks):
        if disk.serial and not _SERIAL.fullmatch(disk.serial):
            yield at(index)


@RULES.rule("V138", f"{_DISK}.serial", INVALID, f"must have at most {_MOST_SERIAL} characters")
def serial_is_short(vmi: Subject) -> Iterator[Place]:
    """It is longer."""
    for index, disk in enumerate(vmi.disks):
        if disk.serial and len(disk.serial) > _MOST_SERIAL:
            yield at(index)


@RULES.choice("V139", f"{_DISK}.cache", "none", "writethrough", "writeback")
def cache_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, disk in enumerate(vmi.disks):
        yield at(index, value=disk.cache)


@RULES.choice("V140", f"{_DISK}.io", "native", "threads")
def io_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, disk in enumerate(vmi.disks):
        yield at(index, value=disk.io)


@RULES.choice("V141", f"{_DISK}.errorPolicy", "stop", "ignore", "report", "enospace")
def error_policy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, disk in enumerate(vmi.disks):
        yield at(index, value=disk.error_policy)


@RULES.choice("", f"{_DISK}.cdrom.tray", "open", "closed")
def tray_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, disk in enumerate(vmi.disks):
        if disk.cdrom is not None:
            yield at(index, value=disk.cdrom.tray)


@RULES.rule("", f"{_DISK}.lun.reservation", FORBIDDEN, "needs the bus scsi")
def reservation_is_on_scsi(vmi: Subject) -> Iterator[Place]:
    """The bus is another, which knows no reservations."""
    for index, disk in enumerate(vmi.disks):
        if disk.lun is not None and disk.lun.reservation and disk.lun.bus != "scsi":
            yield at(index)


def bus_of(disk: Disk) -> str | None:
    """The bus of whatever target the disk has."""
    target = disk.disk or disk.lun or disk.cdrom
    return target.bus if target else None


def _buses(vmi: Subject) -> Iterator[tuple[int, str, str | None]]:
    for index, disk in enumerate(vmi.disks):
        if disk.disk is not None:
            yield index, "disk", disk.disk.bus
        if disk.lun is not None:
            yield index, "lun", disk.lun.bus
        if disk.cdrom is not None:
            yield index, "cdrom", disk.cdrom.bus
