"""Disks, CD-ROMs and the controllers that they need. Source: spec.domain.devices.disks."""

import re
from collections.abc import Iterator
from typing import Final

from virtdeck.crds.kubevirt.disks import Disk as DiskSpec
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.launcher.domain.elements.base import Empty
from virtdeck.launcher.domain.elements.storage import (
    Alias,
    BackingEnd,
    BackingFormat,
    BackingStore,
    BlockIo,
    Boot,
    Disk,
    DiskDriver,
    DiskSource,
    DiskTarget,
    PciAddress,
)
from virtdeck.launcher.domain.iothreads import thread_of_disk
from virtdeck.launcher.domain.processor import boot_vcpus
from virtdeck.launcher.domain.request import DiskFile, Request

DEFAULT_BUS: Final = "sata"
_PREFIXES: Final = {"virtio": "vd", "sata": "sd", "scsi": "sd", "usb": "sd"}
_NO_SYSTEM: Final = (
    *("cloud_init_no_cloud", "cloud_init_config_drive", "empty_disk"),
    *("config_map", "secret", "downward_api", "service_account", "sysprep"),
)
_PCI: Final = re.compile(r"([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])", re.IGNORECASE)


def wanted_disks(request: Request) -> tuple[DiskSpec, ...]:
    """The VMI's disks, and one for each volume that has neither disk nor file system."""
    said = request.devices.disks or ()
    used = {disk.name for disk in said} | {fs.name for fs in request.devices.filesystems or ()}
    return said + tuple(
        DiskSpec(name=volume.name) for volume in request.spec.volumes or () if volume.name not in used
    )


def bus_of(disk: DiskSpec) -> str:
    """The bus that the disk is on."""
    target = disk.cdrom or disk.lun or disk.disk
    return (target.bus if target else None) or DEFAULT_BUS


def targets(request: Request) -> dict[str, str]:
    """The device name in libvirt (vda, sdb …) of each disk, by the disk's name, in the VMI's order."""
    taken = {"vd": 0, "sd": 0}
    names = {}
    for disk in wanted_disks(request):
        prefix = _PREFIXES[bus_of(disk)]
        names[disk.name] = prefix + _letters(taken[prefix])
        taken[prefix] += 1
    return names


def disks(request: Request) -> tuple[Disk, ...]:
    """All disks with a file behind them; a CD-ROM drive may be empty."""
    names = targets(request)
    orders = _boot_orders(request)
    return tuple(
        _disk(request, spec, names[spec.name], orders.get(spec.name)) for spec in wanted_disks(request)
    )


def _disk(request: Request, spec: DiskSpec, target: str, order: int | None) -> Disk:
    file = request.disks.get(spec.name)
    bus = bus_of(spec)
    return Disk(
        type="block" if file and file.block else "file",
        device="cdrom" if spec.cdrom else "disk",
        model=request.virtio_model if bus == "virtio" else None,
        driver=_driver(request, spec, file) if file else None,
        source=_source(file) if file else None,
        backing_store=_backing(file) if file else None,
        blockio=_blockio(spec),
        target=DiskTarget(dev=target, bus=bus, tray=spec.cdrom.tray if spec.cdrom else None),
        readonly=Empty() if _is_read_only(spec, file) else None,
        shareable=Empty() if spec.shareable else None,
        serial=spec.serial,
        boot=Boot(order=order) if order else None,
        alias=Alias(name=f"ua-{spec.name}"),
        address=pci_address(spec.disk.pci_address) if spec.disk and spec.disk.pci_address else None,
    )


def _driver(request: Request, spec: DiskSpec, file: DiskFile) -> DiskDriver:
    cache = "none" if spec.shareable else spec.cache or ("none" if file.direct_io else "writethrough")
    virtio = bus_of(spec) == "virtio"
    return DiskDriver(
        name="qemu",
        type=file.format,
        cache=cache,
        error_policy=spec.error_policy or "stop",
        io=spec.io or ("native" if file.block and cache == "none" else None),
        iothread=thread_of_disk(request, spec) if virtio else None,
        queues=boot_vcpus(request) if virtio and request.devices.block_multi_queue else None,
        discard="unmap",
    )


def _source(file: DiskFile) -> DiskSource:
    return DiskSource(dev=file.path) if file.block else DiskSource(file=file.path)


def _backing(file: DiskFile) -> BackingStore | BackingEnd:
    """The whole chain is named, so that nobody follows what an image says of itself."""
    if file.backing_path is None:
        return BackingEnd()
    return BackingStore(
        type="file",
        format=BackingFormat(type=file.backing_format or "raw"),
        source=DiskSource(file=file.backing_path),
        backing_store=BackingEnd(),
    )


def _blockio(spec: DiskSpec) -> BlockIo | None:
    custom = spec.block_size.custom if spec.block_size else None
    if custom is None:
        return None
    return BlockIo(
        logical_block_size=custom.logical,
        physical_block_size=custom.physical,
        discard_granularity=custom.discard_granularity,
    )


def _is_read_only(spec: DiskSpec, file: DiskFile | None) -> bool:
    if spec.cdrom:
        return spec.cdrom.readonly is not False
    return bool((spec.disk and spec.disk.readonly) or (file and file.read_only))


def _boot_orders(request: Request) -> dict[str, int]:
    """The VMI's order; when it gives none at all, every disk that can hold a system in turn."""
    said = {disk.name: disk.boot_order for disk in wanted_disks(request) if disk.boot_order}
    if said or any(interface.boot_order for interface in request.devices.interfaces or ()) or request.kernel:
        return said
    no_system = {volume.name for volume in request.spec.volumes or () if not _may_hold_system(volume)}
    candidates = (disk.name for disk in wanted_disks(request) if disk.name not in no_system)
    return {name: order for order, name in enumerate(candidates, start=1)}


def _may_hold_system(volume: Volume) -> bool:
    return not any(getattr(volume, source) is not None for source in _NO_SYSTEM)


def pci_address(text: str) -> PciAddress | None:
    """``0000:81:01.0`` as libvirt has it, None when it is no such address."""
    found = _PCI.fullmatch(text)
    if not found:
        return None
    domain, bus, slot, function = (f"0x{part}" for part in found.groups())
    return PciAddress(type="pci", domain=domain, bus=bus, slot=slot, function=function)


def _letters(number: int) -> str:
    """0 → a, 25 → z, 26 → aa."""
    return "".join(reversed(list(_digits(number))))


def _digits(number: int) -> Iterator[str]:
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        yield chr(ord("a") + digit)
