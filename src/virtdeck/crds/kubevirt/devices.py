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
        doc(
            "What happens when the guest stops answering: reset (the default) restarts it, shutdown asks "
            "it to shut down, poweroff switches it off."
        ),
    ] = None


class Watchdog(Model, frozen=True, kw_only=True):
    """A device that acts when the guest stops answering."""

    name: Annotated[str, doc("Name of the device, unique among them.")]
    diag288: Annotated[Diag288Watchdog | None, doc("The watchdog of s390x. Excludes i6300esb.")] = None
    i6300esb: Annotated[
        I6300ESBWatchdog | None, doc("The watchdog of amd64, on the PCI bus. Excludes diag288.")
    ] = None


class DownwardMetrics(Model, frozen=True, kw_only=True):
    """The guest may read a few figures of the host."""


class Input(Model, frozen=True, kw_only=True):
    """A pointing device."""

    name: Annotated[str, doc("Name of the device, unique among them.")]
    bus: Annotated[str | None, doc("usb (the default) or virtio, for which the guest needs a driver.")] = None
    type: Annotated[str, doc("tablet: a pointer with absolute coordinates, as VNC clients need; no other.")]


class PanicDevice(Model, frozen=True, kw_only=True):
    """A device by which the guest reports that it crashed."""

    model: Annotated[
        str | None,
        doc("isa or pvpanic (on the PCI bus) for Linux, hyperv for Windows; the guest needs its driver."),
    ] = None


class Rng(Model, frozen=True, kw_only=True):
    """Random numbers from the host."""


class SoundDevice(Model, frozen=True, kw_only=True):
    """A sound card."""

    name: Annotated[str, doc("Name of the device.")]
    model: Annotated[str | None, doc("ich9 (the default) or ac97, for old guests.")] = None


class TPMDevice(Model, frozen=True, kw_only=True):
    """A trusted platform module, by swtpm."""

    enabled: Annotated[bool | None, doc("Whether the guest has it; true when tpm is there at all.")] = None
    persistent: Annotated[
        bool | None,
        doc(
            "true: its contents outlast a restart of the machine, in a claim of the cluster's "
            "vmStateStorageClass. false when absent: it is empty at each start."
        ),
    ] = None


class VideoDevice(Model, frozen=True, kw_only=True):
    """The graphics card."""

    type: Annotated[
        str | None,
        doc(
            "vga (the default with BIOS), bochs (the default with EFI), virtio (faster, needs a driver), "
            "cirrus, or ramfb. Only with autoattachGraphicsDevice."
        ),
    ] = None


class Devices(Model, frozen=True, kw_only=True):
    """All devices of the guest."""

    autoattach_graphics_device: Annotated[
        bool | None, doc("Whether the guest has a screen, which VNC shows; true when absent.")
    ] = None
    autoattach_input_device: Annotated[
        bool | None,
        doc(
            "true: the guest gets a tablet, so that the pointer is where VNC shows it. Only when inputs "
            "is empty; false when absent."
        ),
    ] = None
    autoattach_mem_balloon: Annotated[
        bool | None,
        doc(
            "Whether the host can take unused memory back from the guest; true when absent. Its figures "
            "are what metrics know of the guest's memory."
        ),
    ] = None
    autoattach_pod_interface: Annotated[
        bool | None,
        doc("Whether the guest is on the pod network when interfaces is empty; true when absent."),
    ] = None
    autoattach_serial_console: Annotated[
        bool | None,
        doc("Whether the guest has a serial console, which virtctl console opens; true when absent."),
    ] = None
    autoattach_vsock: Annotated[
        bool | None,
        doc(
            "true: programs in the guest can talk to the host by VSOCK. Needs the feature gate VSOCK; "
            "false when absent."
        ),
    ] = field(default=None, name="autoattachVSOCK")
    block_multi_queue: Annotated[
        bool | None,
        doc(
            "true: disks on virtio have a queue for each processor, which pays from several processors "
            "on. false when absent."
        ),
    ] = None
    client_passthrough: Annotated[
        ClientPassthroughDevices | None,
        doc("USB devices of whoever looks at the console can be handed in, four at once; none when absent."),
    ] = None
    disable_hotplug: Annotated[
        bool | None,
        doc(
            "true: no disk or network card can be added or taken away while the guest runs, and no place "
            "is kept for them. false when absent."
        ),
    ] = None
    disks: Annotated[
        Annotated[tuple[Disk, ...], Meta(max_length=256)] | None,
        doc(
            "Disks, CD-ROM drives and LUNs; each has the name of a volume. Without a bootOrder they are "
            "tried in this order."
        ),
    ] = None
    downward_metrics: Annotated[
        DownwardMetrics | None,
        doc(
            "The guest may read a few figures of the host by a virtio port. Needs the feature gate "
            "DownwardMetrics."
        ),
    ] = None
    filesystems: Annotated[
        tuple[Filesystem, ...] | None,
        doc("Folders that are shared with the guest by virtiofs; each has the name of a volume."),
    ] = None
    gpus: Annotated[
        tuple[GPU, ...] | None, doc("Graphics processors of the host, which an administrator permitted.")
    ] = None
    host_devices: Annotated[
        tuple[HostDevice, ...] | None, doc("Other devices of the host, which an administrator permitted.")
    ] = None
    inputs: Annotated[
        tuple[Input, ...] | None, doc("Pointing devices; none when absent (but see autoattachInputDevice).")
    ] = None
    interfaces: Annotated[
        Annotated[tuple[Interface, ...], Meta(max_length=256)] | None,
        doc(
            "Network cards, at most 256; each has the name of a network. One on the pod network when absent."
        ),
    ] = None
    log_serial_console: Annotated[
        bool | None,
        doc(
            "Whether what the guest says on its serial console is kept in the log of the pod's container "
            "guest-console-log. true when absent, unless the cluster says otherwise."
        ),
    ] = None
    network_interface_multiqueue: Annotated[
        bool | None,
        doc("true: network cards on virtio have a queue for each processor, up to 256. false when absent."),
    ] = None
    panic_devices: Annotated[
        tuple[PanicDevice, ...] | None, doc("Devices by which the guest reports that it crashed.")
    ] = None
    rng: Annotated[
        Rng | None,
        doc("The guest gets random numbers from the host; it boots faster when it has few of its own."),
    ] = None
    sound: Annotated[
        SoundDevice | None, doc("A sound card; nobody hears it, but some programs ask for one.")
    ] = None
    tpm: Annotated[TPMDevice | None, doc("A trusted platform module, as Windows 11 asks for.")] = None
    use_virtio_transitional: Annotated[
        bool | None,
        doc("true: virtio devices understand guests from before virtio 1.0 as well. false when absent."),
    ] = None
    video: Annotated[VideoDevice | None, doc("Which graphics card the guest has.")] = None
    watchdog: Annotated[
        Watchdog | None, doc("A device that acts when the guest stops answering; the guest must feed it.")
    ] = None
