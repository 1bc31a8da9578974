"""What a preference says of devices."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.devices import Rng, TPMDevice
from virtdeck.crds.kubevirt.disks import BlockSize
from virtdeck.crds.kubevirt.host_devices import VGPUOptions
from virtdeck.crds.kubevirt.network import InterfaceMasquerade
from virtdeck.crds.model import Model, doc


class DevicePreferences(Model, frozen=True, kw_only=True):
    """Devices as the guest system likes them; what the template says of one counts more."""

    preferred_autoattach_graphics_device: Annotated[
        bool | None, doc("Whether the guest has a screen (autoattachGraphicsDevice).")
    ] = None
    preferred_autoattach_input_device: Annotated[
        bool | None, doc("Whether the guest has a pointing device (autoattachInputDevice).")
    ] = None
    preferred_autoattach_mem_balloon: Annotated[
        bool | None, doc("Whether memory can be taken back (autoattachMemBalloon).")
    ] = None
    preferred_autoattach_pod_interface: Annotated[
        bool | None, doc("Whether the guest is on the pod network unasked (autoattachPodInterface).")
    ] = None
    preferred_autoattach_serial_console: Annotated[
        bool | None, doc("Whether the guest has a serial console (autoattachSerialConsole).")
    ] = None
    preferred_block_multi_queue: Annotated[
        bool | None, doc("Whether disks on virtio have a queue for each processor (blockMultiQueue).")
    ] = None
    preferred_cdrom_bus: Annotated[str | None, doc("Bus of CD-ROM drives: sata or scsi.")] = None
    preferred_disable_hotplug: Annotated[
        bool | None, doc("Whether no devices can be added while the guest runs (disableHotplug).")
    ] = None
    preferred_disk_block_size: Annotated[
        BlockSize | None, doc("Block size that disks show to the guest.")
    ] = None
    preferred_disk_bus: Annotated[str | None, doc("Bus of disks: virtio, sata, scsi or usb.")] = None
    preferred_disk_cache: Annotated[
        str | None, doc("How the host caches disks: none, writethrough or writeback.")
    ] = None
    preferred_disk_dedicated_io_thread: Annotated[
        bool | None, doc("Whether each disk on virtio has a thread to itself.")
    ] = None
    preferred_disk_io: Annotated[str | None, doc("How disks are read and written: native or threads.")] = (
        field(default=None, name="preferredDiskIO")
    )
    preferred_input_bus: Annotated[str | None, doc("Bus of pointing devices: usb or virtio.")] = None
    preferred_input_type: Annotated[str | None, doc("Type of pointing devices: tablet.")] = None
    preferred_interface_masquerade: Annotated[
        InterfaceMasquerade | None,
        doc("Network cards on the pod network that name no binding are behind the pod's address."),
    ] = None
    preferred_interface_model: Annotated[
        str | None, doc("Model of network cards: virtio, e1000e, e1000, rtl8139, ne2k_pci or pcnet.")
    ] = None
    preferred_lun_bus: Annotated[str | None, doc("Bus of LUNs: scsi, virtio or sata.")] = None
    preferred_network_interface_multi_queue: Annotated[
        bool | None,
        doc("Whether network cards on virtio have a queue for each processor (networkInterfaceMultiqueue)."),
    ] = None
    preferred_panic_device_model: Annotated[
        str | None, doc("Model of panic devices that name none: isa, hyperv or pvpanic.")
    ] = None
    preferred_rng: Annotated[Rng | None, doc("The guest has random numbers from the host.")] = None
    preferred_sound_model: Annotated[
        str | None, doc("Model of a sound card that names none: ich9 or ac97.")
    ] = None
    preferred_tpm: Annotated[TPMDevice | None, doc("The guest has a trusted platform module.")] = field(
        default=None, name="preferredTPM"
    )
    preferred_use_virtio_transitional: Annotated[
        bool | None, doc("Whether virtio devices understand older guests as well (useVirtioTransitional).")
    ] = None
    preferred_video_type: Annotated[
        str | None, doc("Type of the graphics card: vga, cirrus, virtio, ramfb or bochs.")
    ] = None
    preferred_virtual_gpu_options: Annotated[
        VGPUOptions | None, doc("Settings of virtual GPUs that have none.")
    ] = field(default=None, name="preferredVirtualGPUOptions")
