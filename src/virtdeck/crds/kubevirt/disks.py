"""Disks as devices of the guest; what is behind them is in ``volumes``."""

from msgspec import field

from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32


class CustomBlockSize(Model, frozen=True, kw_only=True):
    """TBD"""

    discard_granularity: Int32 | None = None
    logical: Int32 | None = None
    physical: Int32 | None = None


class BlockSize(Model, frozen=True, kw_only=True):
    """TBD"""

    custom: CustomBlockSize | None = None
    match_volume: FeatureState | None = None


class CDRomTarget(Model, frozen=True, kw_only=True):
    """TBD"""

    bus: str | None = None
    readonly: bool | None = None
    tray: str | None = None


class DiskTarget(Model, frozen=True, kw_only=True):
    """TBD"""

    bus: str | None = None
    pci_address: str | None = None
    readonly: bool | None = None


class LunTarget(Model, frozen=True, kw_only=True):
    """TBD"""

    bus: str | None = None
    readonly: bool | None = None
    reservation: bool | None = None


class Disk(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    block_size: BlockSize | None = None
    boot_order: Int32 | None = None
    cache: str | None = None
    cdrom: CDRomTarget | None = None
    changed_block_tracking: bool | None = None
    dedicated_io_thread: bool | None = field(default=None, name="dedicatedIOThread")
    disk: DiskTarget | None = None
    error_policy: str | None = None
    io: str | None = None
    lun: LunTarget | None = None
    serial: str | None = None
    shareable: bool | None = None
    tag: str | None = None


class FilesystemVirtiofs(Model, frozen=True, kw_only=True):
    """TBD"""


class Filesystem(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    virtiofs: FilesystemVirtiofs
