"""All devices of a guest."""

from msgspec import field

from virtdeck.crds.kubevirt.disks import Disk, Filesystem
from virtdeck.crds.kubevirt.host_devices import GPU, HostDevice
from virtdeck.crds.kubevirt.network import Interface
from virtdeck.crds.model import Model


class ClientPassthroughDevices(Model, frozen=True, kw_only=True):
    """TBD"""


class Diag288Watchdog(Model, frozen=True, kw_only=True):
    """TBD"""

    action: str | None = None


class I6300ESBWatchdog(Model, frozen=True, kw_only=True):
    """TBD"""

    action: str | None = None


class Watchdog(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    diag288: Diag288Watchdog | None = None
    i6300esb: I6300ESBWatchdog | None = None


class DownwardMetrics(Model, frozen=True, kw_only=True):
    """TBD"""


class Input(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    bus: str | None = None
    type: str | None = None


class PanicDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    model: str | None = None


class Rng(Model, frozen=True, kw_only=True):
    """TBD"""


class SoundDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    model: str | None = None


class TPMDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
    persistent: bool | None = None


class VideoDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    type: str | None = None


class Devices(Model, frozen=True, kw_only=True):
    """TBD"""

    autoattach_graphics_device: bool | None = None
    autoattach_input_device: bool | None = None
    autoattach_mem_balloon: bool | None = None
    autoattach_pod_interface: bool | None = None
    autoattach_serial_console: bool | None = None
    autoattach_vsock: bool | None = field(default=None, name="autoattachVSOCK")
    block_multi_queue: bool | None = None
    client_passthrough: ClientPassthroughDevices | None = None
    disable_hotplug: bool | None = None
    disks: tuple[Disk, ...] | None = None
    downward_metrics: DownwardMetrics | None = None
    filesystems: tuple[Filesystem, ...] | None = None
    gpus: tuple[GPU, ...] | None = None
    host_devices: tuple[HostDevice, ...] | None = None
    inputs: tuple[Input, ...] | None = None
    interfaces: tuple[Interface, ...] | None = None
    log_serial_console: bool | None = None
    network_interface_multiqueue: bool | None = None
    panic_devices: tuple[PanicDevice, ...] | None = None
    rng: Rng | None = None
    sound: SoundDevice | None = None
    tpm: TPMDevice | None = None
    use_virtio_transitional: bool | None = None
    video: VideoDevice | None = None
    watchdog: Watchdog | None = None
