"""Each disk by itself (V126–V150)."""

import re
from collections import Counter
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.disks import CustomBlockSize, Disk
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import duplicate, forbidden, invalid, required, unsupported
from virtdeck.gateway.admission.words import (
    LABEL_WORDS,
    PCI_WORDS,
    is_label,
    is_path_in_image,
    is_pci_address,
)

_BUSES = ("virtio", "sata", "scsi", "usb")
_CDROM_BUSES = ("sata", "scsi", "usb")
_CACHE = ("none", "writethrough", "writeback")
_IO = ("native", "threads")
_ERROR_POLICY = ("stop", "ignore", "report", "enospace")
_TRAY = ("open", "closed")
_SERIAL = re.compile(r"[A-Za-z0-9_.+-]*", re.ASCII)
_MOST_SERIAL = 256
_LEAST_BLOCK, _MOST_BLOCK = 512, 2 * 2**20


def names_are_unique_labels(subject: Subject) -> Iterator[Cause]:
    """V126, V128"""
    times = Counter(disk.name for disk in subject.disks)
    for path, disk in subject.each_disk():
        if times[disk.name] > 1:
            yield duplicate(f"{path}.name", disk.name)
        if not is_label(disk.name):
            yield invalid(f"{path}.name", f"must be {LABEL_WORDS}")


def disk_has_one_target(subject: Subject) -> Iterator[Cause]:
    """V127"""
    for path, disk in subject.each_disk():
        if sum(target is not None for target in (disk.disk, disk.lun, disk.cdrom)) > 1:
            yield invalid(path, "must have only one of disk, lun, cdrom")


def pci_address_is_on_virtio(subject: Subject) -> Iterator[Cause]:
    """V129, V130"""
    for path, disk in subject.each_disk():
        address = disk.disk.pci_address if disk.disk else None
        if address and bus_of(disk) != "virtio":
            yield forbidden(f"{path}.disk.pciAddress", "needs the bus virtio")
        if address and not is_pci_address(address):
            yield invalid(f"{path}.disk.pciAddress", f"must be {PCI_WORDS}")


def bus_is_known(subject: Subject) -> Iterator[Cause]:
    """V132–V134: IDE is gone from the machine types that virtdeck uses."""
    for path, disk in subject.each_disk():
        for name, target in (("disk", disk.disk), ("lun", disk.lun), ("cdrom", disk.cdrom)):
            allowed = _CDROM_BUSES if name == "cdrom" else _BUSES
            if target is not None and target.bus and target.bus not in allowed:
                yield unsupported(f"{path}.{name}.bus", target.bus, allowed)


def sata_disk_is_writable(subject: Subject) -> Iterator[Cause]:
    """V135: the guest's driver knows no read-only SATA disk."""
    for path, disk in subject.each_disk():
        if disk.disk is not None and disk.disk.bus == "sata" and disk.disk.readonly:
            yield invalid(f"{path}.disk.readonly", "needs the bus virtio or scsi; or use a cdrom")


def tray_is_known(subject: Subject) -> Iterator[Cause]:
    """Ours"""
    for path, disk in subject.each_disk():
        if disk.cdrom is not None and disk.cdrom.tray and disk.cdrom.tray not in _TRAY:
            yield unsupported(f"{path}.cdrom.tray", disk.cdrom.tray, _TRAY)


def io_thread_is_on_virtio(subject: Subject) -> Iterator[Cause]:
    """V136"""
    for path, disk in subject.each_disk():
        if disk.dedicated_io_thread and bus_of(disk) != "virtio":
            yield forbidden(f"{path}.dedicatedIOThread", "needs the bus virtio")


def serial_is_plain(subject: Subject) -> Iterator[Cause]:
    """V137, V138: it becomes part of QEMU's command line and of the guest's device names."""
    for path, disk in subject.each_disk():
        serial = disk.serial or ""
        if not _SERIAL.fullmatch(serial):
            yield invalid(f"{path}.serial", "must be letters, digits and _ . + -")
        if len(serial) > _MOST_SERIAL:
            yield invalid(f"{path}.serial", f"must have at most {_MOST_SERIAL} characters")


def policies_are_known(subject: Subject) -> Iterator[Cause]:
    """V139–V141"""
    for path, disk in subject.each_disk():
        settings = (
            ("cache", disk.cache, _CACHE),
            ("io", disk.io, _IO),
            ("errorPolicy", disk.error_policy, _ERROR_POLICY),
        )
        for name, value, allowed in settings:
            if value and value not in allowed:
                yield unsupported(f"{path}.{name}", value, allowed)


def block_size_is_sound(subject: Subject) -> Iterator[Cause]:
    """V142–V148"""
    for path, disk in subject.each_disk():
        size = disk.block_size
        if size is None or size.custom is None:
            continue
        if size.match_volume is not None and size.match_volume.enabled is not False:
            yield invalid(f"{path}.blockSize", "must have either custom or matchVolume, not both")
        yield from _custom_size(f"{path}.blockSize.custom", size.custom, bus_of(disk))


def _custom_size(path: str, size: CustomBlockSize, bus: str | None) -> Iterator[Cause]:
    logical, physical = size.logical or 0, size.physical or 0
    for name, value in (("logical", logical), ("physical", physical)):
        if not _LEAST_BLOCK <= value <= _MOST_BLOCK or value & (value - 1):
            yield invalid(
                f"{path}.{name}", f"must be a power of two from {_LEAST_BLOCK} to {_MOST_BLOCK} bytes"
            )
    if logical > physical:
        yield invalid(f"{path}.logical", f"must not be more than physical, {physical}")
    if bus == "sata" and logical != _LEAST_BLOCK:
        yield invalid(f"{path}.logical", f"must be {_LEAST_BLOCK} on the bus sata")
    if size.discard_granularity and logical and size.discard_granularity % logical:
        yield invalid(f"{path}.discardGranularity", f"must be a multiple of logical, {logical}")


def container_disk_path_is_clean(subject: Subject) -> Iterator[Cause]:
    """V149, V150"""
    for path, volume in subject.each_volume():
        container = volume.container_disk
        if container is not None and container.path and not is_path_in_image(container.path):
            field = f"{path}.containerDisk.path"
            yield invalid(
                field, "must be an absolute path to a file of the image, without '..', as /disk/disk.qcow2"
            )


def container_disk_names_an_image(subject: Subject) -> Iterator[Cause]:
    """Ours"""
    for path, volume in subject.each_volume():
        if volume.container_disk is not None and not volume.container_disk.image.strip():
            yield required(f"{path}.containerDisk.image", "must name a container image")


def bus_of(disk: Disk) -> str | None:
    """The bus of whatever target the disk has."""
    target = disk.disk or disk.lun or disk.cdrom
    return target.bus if target else None


RULES: tuple[Rule, ...] = (
    names_are_unique_labels,
    disk_has_one_target,
    pci_address_is_on_virtio,
    bus_is_known,
    sata_disk_is_writable,
    tray_is_known,
    io_thread_is_on_virtio,
    serial_is_plain,
    policies_are_known,
    block_size_is_sound,
    container_disk_path_is_clean,
    container_disk_names_an_image,
)
