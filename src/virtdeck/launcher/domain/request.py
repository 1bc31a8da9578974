"""All that a domain is decided from, and the questions about it that several areas ask."""

from msgspec import Struct

from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance, VirtualMachineInstanceSpec
from virtdeck.wire.launcher import DiskFormat, HostFacts, InterfaceFacts


class DiskFile(Struct, frozen=True, kw_only=True):
    """What is behind a volume, ready to be opened. backing: the read-only image below an overlay.

    direct_io: the file system takes O_DIRECT. block: a block device.
    """

    path: str
    format: DiskFormat
    backing_path: str | None = None
    backing_format: DiskFormat | None = None
    direct_io: bool = False
    block: bool = False
    read_only: bool = False


class GuestSockets(Struct, frozen=True, kw_only=True):
    """Where QEMU serves and connects."""

    vnc: str
    serial: str
    agent: str


class Request(Struct, frozen=True, kw_only=True):
    """A VMI and the facts of its node. disks: by volume name."""

    vmi: VirtualMachineInstance
    host: HostFacts
    disks: dict[str, DiskFile]
    interfaces: tuple[InterfaceFacts, ...]
    sockets: GuestSockets
    nvram: str
    kernel: str | None = None
    initrd: str | None = None
    has_swtpm: bool = False

    @property
    def spec(self) -> VirtualMachineInstanceSpec:
        return self.vmi.spec

    @property
    def domain(self) -> DomainSpec:
        return self.vmi.spec.domain

    @property
    def devices(self) -> Devices:
        return self.vmi.spec.domain.devices

    @property
    def emulated(self) -> bool:
        """QEMU translates the guest's code; there is no KVM."""
        return self.host.accelerator == "tcg"

    @property
    def starts_paused(self) -> bool:
        return self.spec.start_strategy == "Paused"

    @property
    def virtio_model(self) -> str:
        """The model of every virtio device: modern, or one that old guests know as well."""
        return "virtio-transitional" if self.devices.use_virtio_transitional else "virtio-non-transitional"


def is_on(state: FeatureState | None) -> bool:
    """A feature that is named is on, unless it says otherwise."""
    return state is not None and state.enabled is not False


def on_off(value: bool) -> str:
    """libvirt's word for a switch."""
    return "on" if value else "off"


def yes_no(value: bool) -> str:
    """libvirt's word for a fact."""
    return "yes" if value else "no"
