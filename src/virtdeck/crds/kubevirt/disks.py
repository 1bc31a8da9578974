"""Disks as devices of the guest; what is behind them is in ``volumes``."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class CustomBlockSize(Model, frozen=True, kw_only=True):
    """Sizes of blocks in bytes."""

    discard_granularity: Annotated[Int32 | None, doc("Unit in which blocks are given back.")] = None
    logical: Annotated[Int32 | None, doc("Unit that the guest addresses, 512 or more.")] = None
    physical: Annotated[Int32 | None, doc("Unit that is written at once.")] = None


class BlockSize(Model, frozen=True, kw_only=True):
    """Sizes of blocks that the guest sees."""

    custom: Annotated[CustomBlockSize | None, doc("Sizes as they stand here.")] = None
    match_volume: Annotated[FeatureState | None, doc("Sizes of what is behind the disk.")] = None


class CDRomTarget(Model, frozen=True, kw_only=True):
    """A CD-ROM drive."""

    bus: Annotated[str | None, doc("sata, scsi or usb.")] = None
    readonly: Annotated[bool | None, doc("Always true.")] = None
    tray: Annotated[str | None, doc("open or closed.")] = None


class DiskTarget(Model, frozen=True, kw_only=True):
    """A hard disk."""

    bus: Annotated[str | None, doc("virtio, sata, scsi or usb.")] = None
    pci_address: Annotated[str | None, doc("Place on the PCI bus, for virtio only, as 0000:81:01.0.")] = None
    readonly: Annotated[bool | None, doc("The guest cannot write to it.")] = None


class LunTarget(Model, frozen=True, kw_only=True):
    """A SCSI device that is passed through with its commands."""

    bus: Annotated[str | None, doc("scsi.")] = None
    readonly: Annotated[bool | None, doc("The guest cannot write to it.")] = None
    reservation: Annotated[
        bool | None, doc("The guest may reserve it for itself (SCSI persistent reservation).")
    ] = None


class Disk(Model, frozen=True, kw_only=True):
    """One disk of the guest; the volume of the same name is behind it."""

    name: Annotated[str, doc("Name of the disk and of the volume behind it.")]
    block_size: Annotated[BlockSize | None, doc("Sizes of blocks that the guest sees.")] = None
    boot_order: Annotated[
        Int32 | None, doc("Place in the order in which the firmware tries to boot, 1 first.")
    ] = None
    cache: Annotated[str | None, doc("none, writethrough or writeback.")] = None
    cdrom: Annotated[CDRomTarget | None, doc("It is a CD-ROM drive.")] = None
    changed_block_tracking: Annotated[
        bool | None, doc("Changed blocks are remembered, for incremental backups.")
    ] = None
    dedicated_io_thread: Annotated[bool | None, doc("It has a thread of its own.")] = field(
        default=None, name="dedicatedIOThread"
    )
    disk: Annotated[DiskTarget | None, doc("It is a hard disk, the default.")] = None
    error_policy: Annotated[
        str | None, doc("What the guest sees of errors: stop, report, ignore or enospace.")
    ] = None
    io: Annotated[str | None, doc("How QEMU reads and writes: native or threads.")] = None
    lun: Annotated[LunTarget | None, doc("It is a SCSI device that is passed through.")] = None
    serial: Annotated[str | None, doc("Serial number that the guest sees.")] = None
    shareable: Annotated[
        bool | None, doc("Several guests may write to it; they must agree among themselves.")
    ] = None
    tag: Annotated[str | None, doc("Word by which the guest finds it in its metadata.")] = None


class FilesystemVirtiofs(Model, frozen=True, kw_only=True):
    """By virtiofs."""


class Filesystem(Model, frozen=True, kw_only=True):
    """A folder that is shared with the guest."""

    name: Annotated[str, doc("Name of the volume, and the tag under which the guest mounts it.")]
    virtiofs: Annotated[FilesystemVirtiofs, doc("By virtiofs.")]
