"""Disks as devices of the guest; what is behind them is in ``volumes``."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class CustomBlockSize(Model, frozen=True, kw_only=True):
    """Sizes of blocks in bytes."""

    discard_granularity: Annotated[
        Int32 | None, doc("Unit in bytes in which the guest gives blocks back; a multiple of logical.")
    ] = None
    logical: Annotated[
        Int32 | None,
        doc("Unit in bytes that the guest addresses: a power of two from 512 up to 2 MiB, at most physical."),
    ] = None
    physical: Annotated[
        Int32 | None, doc("Unit in bytes in which the disk writes at once: a power of two, at least logical.")
    ] = None


class BlockSize(Model, frozen=True, kw_only=True):
    """Sizes of blocks that the guest sees."""

    custom: Annotated[CustomBlockSize | None, doc("Sizes as they stand here. Excludes matchVolume.")] = None
    match_volume: Annotated[
        FeatureState | None,
        doc("Sizes of the device behind the disk; only for volumes in block mode. Excludes custom."),
    ] = None


class CDRomTarget(Model, frozen=True, kw_only=True):
    """A CD-ROM drive."""

    bus: Annotated[str | None, doc("sata (the default), scsi or usb.")] = None
    readonly: Annotated[bool | None, doc("Always true; false is refused.")] = None
    tray: Annotated[str | None, doc("closed (the default) or open.")] = None


class DiskTarget(Model, frozen=True, kw_only=True):
    """A hard disk."""

    bus: Annotated[
        str | None,
        doc(
            "virtio (fastest, needs a driver in the guest), sata, scsi or usb. virtio when absent, unless "
            "a preference says otherwise."
        ),
    ] = None
    pci_address: Annotated[
        str | None,
        doc("Place on the guest's PCI bus, as 0000:81:01.0; only with bus virtio. Chosen when absent."),
    ] = None
    readonly: Annotated[bool | None, doc("true: the guest cannot write to it. false when absent.")] = None


class LunTarget(Model, frozen=True, kw_only=True):
    """A SCSI device that is passed through with its commands."""

    bus: Annotated[
        str | None, doc("scsi, which is the default, or virtio and sata where nothing is reserved.")
    ] = None
    readonly: Annotated[bool | None, doc("true: the guest cannot write to it. false when absent.")] = None
    reservation: Annotated[
        bool | None,
        doc(
            "true: the guest may reserve the device for itself (SCSI persistent reservation), as clusters "
            "of Windows need. Needs the feature gate PersistentReservation and a volume in block mode."
        ),
    ] = None


class Disk(Model, frozen=True, kw_only=True):
    """One disk of the guest; the volume of the same name is behind it."""

    name: Annotated[str, doc("Name of the disk, and of the volume behind it.")]
    block_size: Annotated[
        BlockSize | None, doc("Sizes of blocks that the guest sees; 512 bytes when absent.")
    ] = None
    boot_order: Annotated[
        Int32 | None,
        doc(
            "Place in the order in which the firmware tries to boot, 1 first; unique among disks and "
            "interfaces. Where any is given, devices without one are not tried."
        ),
    ] = None
    cache: Annotated[
        str | None,
        doc(
            "none (the default where the storage can) bypasses the host's cache and is needed for "
            "migration; writethrough and writeback use it, and writeback loses what is not flushed when "
            "the host fails."
        ),
    ] = None
    cdrom: Annotated[CDRomTarget | None, doc("It is a CD-ROM drive. Excludes disk and lun.")] = None
    changed_block_tracking: Annotated[
        bool | None,
        doc(
            "true: changed blocks are remembered, so that backups can be incremental. The cluster's "
            "selectors decide when absent."
        ),
    ] = None
    dedicated_io_thread: Annotated[
        bool | None,
        doc("true: its work is done by a thread of its own. false when absent; only with bus virtio."),
    ] = field(default=None, name="dedicatedIOThread")
    disk: Annotated[
        DiskTarget | None, doc("It is a hard disk, which is the default. Excludes cdrom and lun.")
    ] = None
    error_policy: Annotated[
        str | None,
        doc(
            "What happens on an error of the storage: stop (the default) pauses the guest, report tells "
            "the guest, ignore goes on, enospace pauses only when the storage is full."
        ),
    ] = None
    io: Annotated[
        str | None,
        doc(
            "How QEMU reads and writes: native (the kernel's asynchronous input and output) or threads. "
            "Chosen by what is behind the disk when absent."
        ),
    ] = None
    lun: Annotated[
        LunTarget | None, doc("A SCSI device of the host is passed through. Excludes cdrom and disk.")
    ] = None
    serial: Annotated[
        str | None,
        doc(
            "Serial number that the guest sees, at most 256 characters; the guest finds the disk by it in "
            "/dev/disk/by-id."
        ),
    ] = None
    shareable: Annotated[
        bool | None,
        doc(
            "true: several guests may write to it at once and must agree among themselves. Only without a "
            "cache; false when absent."
        ),
    ] = None
    tag: Annotated[
        str | None, doc("Word by which a program in the guest finds the disk in cloud-init's metadata.")
    ] = None


class FilesystemVirtiofs(Model, frozen=True, kw_only=True):
    """By virtiofs."""


class Filesystem(Model, frozen=True, kw_only=True):
    """A folder that is shared with the guest."""

    name: Annotated[
        str,
        doc("Name of the volume, and the tag under which the guest mounts it: mount -t virtiofs NAME /mnt."),
    ]
    virtiofs: Annotated[FilesystemVirtiofs, doc("It is shared by virtiofs, the only way there is.")]
