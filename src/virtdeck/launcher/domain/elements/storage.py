"""Disks and their controllers."""

from msgspec import field

from virtdeck.launcher.domain.elements.base import Element, Empty, Leaf


class Alias(Element, frozen=True, kw_only=True):
    """Source: alias. name: ``ua-`` and the name that the VMI has for the device."""

    name: str


class Boot(Element, frozen=True, kw_only=True):
    """Source: boot. order: from 1."""

    order: int


class PciAddress(Element, frozen=True, kw_only=True):
    """Source: address."""

    type: str
    domain: str | None = None
    bus: str | None = None
    slot: str | None = None
    function: str | None = None
    controller: str | None = None
    target: str | None = None
    unit: str | None = None


class DiskDriver(Element, frozen=True, kw_only=True):
    """Source: disk/driver."""

    name: str
    type: str
    cache: str | None = None
    error_policy: str | None = field(default=None, name="error_policy")
    io: str | None = None
    iothread: int | None = None
    queues: int | None = None
    discard: str | None = None


class DiskSource(Element, frozen=True, kw_only=True):
    """Source: disk/source."""

    file: str | None = None
    dev: str | None = None


class BackingFormat(Element, frozen=True, kw_only=True):
    """Source: backingStore/format."""

    type: str


class BackingEnd(Element, frozen=True, kw_only=True):
    """The end of a chain: QEMU must look no further."""


class BackingStore(Element, frozen=True, kw_only=True):
    """Source: disk/backingStore. Each image is named with its format, so that nothing is probed."""

    type: str
    format: BackingFormat
    source: DiskSource
    backing_store: BackingEnd | None = None


class DiskTarget(Element, frozen=True, kw_only=True):
    """Source: disk/target."""

    dev: str
    bus: str
    tray: str | None = None


class BlockIo(Element, frozen=True, kw_only=True):
    """Source: disk/blockio."""

    logical_block_size: int | None = field(default=None, name="logical_block_size")
    physical_block_size: int | None = field(default=None, name="physical_block_size")
    discard_granularity: int | None = field(default=None, name="discard_granularity")


class Disk(Element, frozen=True, kw_only=True):
    """Source: devices/disk."""

    type: str
    device: str
    model: str | None = None
    driver: DiskDriver | None = None
    source: DiskSource | None = None
    backing_store: BackingStore | BackingEnd | None = None
    blockio: BlockIo | None = None
    target: DiskTarget
    readonly: Empty | None = None
    shareable: Empty | None = None
    serial: Leaf | None = None
    boot: Boot | None = None
    alias: Alias | None = None
    address: PciAddress | None = None


class ControllerDriver(Element, frozen=True, kw_only=True):
    """Source: controller/driver."""

    iothread: int | None = None
    queues: int | None = None


class Controller(Element, frozen=True, kw_only=True):
    """Source: devices/controller."""

    type: str
    index: int
    model: str | None = None
    driver: ControllerDriver | None = None
