"""All devices of a guest."""

from typing import Annotated

from msgspec import Meta, field

from virtdeck.crds.kubevirt.disks import Disk, Filesystem
from virtdeck.crds.kubevirt.host_devices import GPU, HostDevice
from virtdeck.crds.kubevirt.network import Interface
from virtdeck.crds.model import Model, doc


class ClientPassthroughDevices(Model, frozen=True, kw_only=True):
    """USB devices of whoever looks at the console."""


class Diag288Watchdog(Model, frozen=True, kw_only=True):
    """The watchdog of s390x."""

    action: Annotated[
        str | None,
        doc("What happens when the guest stops answering: reset (the default), shutdown or poweroff."),
    ] = None


class I6300ESBWatchdog(Model, frozen=True, kw_only=True):
    """The watchdog of amd64."""

    action: Annotated[
        str | None,
        doc("What happens when the guest stops answering: reset (the default), shutdown or poweroff."),
    ] = None


class Watchdog(Model, frozen=True, kw_only=True):
    """A device that acts when the guest stops answering."""

    name: Annotated[str, doc("Name of the device.")]
    diag288: Annotated[Diag288Watchdog | None, doc("The watchdog of s390x.")] = None
    i6300esb: Annotated[I6300ESBWatchdog | None, doc("The watchdog of amd64.")] = None


class DownwardMetrics(Model, frozen=True, kw_only=True):
    """The guest may read a few figures of the host."""


class Input(Model, frozen=True, kw_only=True):
    """A pointing device."""

    name: Annotated[str, doc("Name of the device.")]
    bus: Annotated[str | None, doc("usb (the default) or virtio.")] = None
    type: Annotated[str, doc("tablet: a pointer with absolute coordinates, as VNC clients need; no other.")]


class PanicDevice(Model, frozen=True, kw_only=True):
    """A device by which the guest reports that it crashed."""

    model: Annotated[str | None, doc("isa, hyperv or pvpanic.")] = None


class Rng(Model, frozen=True, kw_only=True):
    """Random numbers from the host."""


class SoundDevice(Model, frozen=True, kw_only=True):
    """A sound card."""

    name: Annotated[str, doc("Name of the device.")]
    model: Annotated[str | None, doc("ich9 (the default) or ac97.")] = None


class TPMDevice(Model, frozen=True, kw_only=True):
    """A trusted platform module, by swtpm."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    persistent: Annotated[bool | None, doc("Its contents outlast a restart of the VM.")] = None


class VideoDevice(Model, frozen=True, kw_only=True):
    """The graphics card."""

    type: Annotated[str | None, doc("vga, cirrus, virtio, ramfb or bochs.")] = None


class Devices(Model, frozen=True, kw_only=True):
    """All devices of the guest."""

    autoattach_graphics_device: Annotated[bool | None, doc("The guest has a screen; true when absent.")] = (
        None
    )
    autoattach_input_device: Annotated[bool | None, doc("The guest has a pointing device.")] = None
    autoattach_mem_balloon: Annotated[bool | None, doc("Memory can be taken back; true when absent.")] = None
    autoattach_pod_interface: Annotated[
        bool | None, doc("The guest is on the pod network when no network is named; true when absent.")
    ] = None
    autoattach_serial_console: Annotated[
        bool | None, doc("The guest has a serial console; true when absent.")
    ] = None
    autoattach_vsock: Annotated[bool | None, doc("The guest can talk to the host by VSOCK.")] = field(
        default=None, name="autoattachVSOCK"
    )
    block_multi_queue: Annotated[bool | None, doc("Disks on virtio have a queue for each processor.")] = None
    client_passthrough: Annotated[
        ClientPassthroughDevices | None, doc("USB devices of whoever looks at the console can be handed in.")
    ] = None
    disable_hotplug: Annotated[bool | None, doc("No devices can be added while the guest runs.")] = None
    disks: Annotated[Annotated[tuple[Disk, ...], Meta(max_length=256)] | None, doc("Disks.")] = None
    downward_metrics: Annotated[
        DownwardMetrics | None, doc("The guest may read a few figures of the host.")
    ] = None
    filesystems: Annotated[tuple[Filesystem, ...] | None, doc("Folders that are shared with the guest.")] = (
        None
    )
    gpus: Annotated[tuple[GPU, ...] | None, doc("Graphics processors of the host.")] = None
    host_devices: Annotated[tuple[HostDevice, ...] | None, doc("Devices of the host.")] = None
    inputs: Annotated[tuple[Input, ...] | None, doc("Pointing devices.")] = None
    interfaces: Annotated[
        Annotated[tuple[Interface, ...], Meta(max_length=256)] | None, doc("Network cards.")
    ] = None
    log_serial_console: Annotated[
        bool | None, doc("What the serial console says is in the launcher's log.")
    ] = None
    network_interface_multiqueue: Annotated[
        bool | None, doc("Network cards on virtio have a queue for each processor.")
    ] = None
    panic_devices: Annotated[
        tuple[PanicDevice, ...] | None, doc("Devices by which the guest reports that it crashed.")
    ] = None
    rng: Annotated[Rng | None, doc("Random numbers from the host.")] = None
    sound: Annotated[SoundDevice | None, doc("A sound card.")] = None
    tpm: Annotated[TPMDevice | None, doc("A trusted platform module.")] = None
    use_virtio_transitional: Annotated[
        bool | None, doc("virtio devices understand older guests as well.")
    ] = None
    video: Annotated[VideoDevice | None, doc("The graphics card.")] = None
    watchdog: Annotated[Watchdog | None, doc("A device that acts when the guest stops answering.")] = None
