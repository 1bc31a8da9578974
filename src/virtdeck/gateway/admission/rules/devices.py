"""Devices beside disks, interfaces and those of the host (V102–V116)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.host_devices import GPU
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_DEVICES = "spec.domain.devices"
_RESERVATIONS = "spec.configuration.persistentReservationConfiguration of the KubeVirt object"


@RULES.choice("V102", f"{_DEVICES}.inputs[].bus", "virtio", "usb")
def input_bus_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, device in enumerate(vmi.devices.inputs or ()):
        yield at(index, value=device.bus)


@RULES.choice("V103", f"{_DEVICES}.inputs[].type", "tablet")
def input_type_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, device in enumerate(vmi.devices.inputs or ()):
        yield at(index, value=device.type)


@RULES.choice("V104", "spec.domain.ioThreadsPolicy", "shared", "auto", "supplementalPool")
def io_threads_policy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    yield at(value=vmi.domain.io_threads_policy)


@RULES.rule("V105", "spec.domain.ioThreads.supplementalPoolThreadCount", REQUIRED, "must be 1 or more")
def io_threads_are_counted(vmi: Subject) -> Iterator[Place]:
    """ioThreadsPolicy is supplementalPool and there are none."""
    threads = vmi.domain.io_threads
    if vmi.domain.io_threads_policy == "supplementalPool" and (
        threads is None or (threads.supplemental_pool_thread_count or 0) < 1
    ):
        yield at()


@RULES.rule(
    "V106",
    f"{_DEVICES}.gpus[].virtualGPUOptions.display.ramFB",
    INVALID,
    "can be on for one GPU only; disable it for the others",
)
def one_display_has_ramfb(vmi: Subject) -> Iterator[Place]:
    """An earlier GPU has it already; a display has it unless it is switched off."""
    found = [index for index, gpu in enumerate(vmi.devices.gpus or ()) if _has_ramfb(gpu)]
    yield from (at(index) for index in found[1:])


def _has_ramfb(gpu: GPU) -> bool:
    display = gpu.virtual_gpu_options.display if gpu.virtual_gpu_options else None
    shown = display is not None and display.enabled is not False
    return shown and (display.ram_fb is None or display.ram_fb.enabled is not False)  # type: ignore[union-attr]


@RULES.gate("V107", f"{_DEVICES}.hostDevices", "HostDevices")
def host_devices_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """There are some and the gate is off."""
    if vmi.devices.host_devices:
        yield at()


@RULES.choice("V108", f"{_DEVICES}.sound.model", "ich9", "ac97")
def sound_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    if vmi.devices.sound is not None:
        yield at(value=vmi.devices.sound.model)


@RULES.rule("V109", f"{_DEVICES}.sound.name", REQUIRED, "must not be empty")
def sound_has_a_name(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    if vmi.devices.sound is not None and not vmi.devices.sound.name:
        yield at()


@RULES.gate("V110", f"{_DEVICES}.autoattachVSOCK", "VSOCK")
def vsock_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is true and the gate is off."""
    if vmi.devices.autoattach_vsock:
        yield at()


@RULES.rule(
    "V111",
    f"{_DEVICES}.disks[].lun.reservation",
    FORBIDDEN,
    f"needs persistent reservation; an administrator can enable it in {_RESERVATIONS}",
)
def reservations_are_switched_on(vmi: Subject) -> Iterator[Place]:
    """It is true and the KubeVirt object does not enable it."""
    for index, disk in enumerate(() if vmi.cluster.persistent_reservation else vmi.disks):
        if disk.lun is not None and disk.lun.reservation:
            yield at(index)


@RULES.gate("V112", f"{_DEVICES}.downwardMetrics", "DownwardMetrics")
def downward_metrics_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    if vmi.devices.downward_metrics is not None:
        yield at()


@RULES.gate("V113", f"{_DEVICES}.filesystems[].virtiofs", "EnableVirtioFsStorageVolumes")
def shared_claims_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """The volume is a persistentVolumeClaim or dataVolume and the gate is off."""
    for index, filesystem in enumerate(vmi.devices.filesystems or ()):
        volume = vmi.volumes.get(filesystem.name)
        if volume and (volume.persistent_volume_claim is not None or volume.data_volume is not None):
            yield at(index)


@RULES.rule(
    "V114",
    f"{_DEVICES}.video",
    FORBIDDEN,
    "cannot be used with autoattachGraphicsDevice: false; remove one of them",
)
def video_needs_graphics(vmi: Subject) -> Iterator[Place]:
    """autoattachGraphicsDevice is false."""
    if vmi.devices.video is not None and vmi.devices.autoattach_graphics_device is False:
        yield at()


@RULES.rule("V115", f"{_DEVICES}.panicDevices[]", FORBIDDEN, "is not there on s390x; remove it")
def panic_devices_are_there(vmi: Subject) -> Iterator[Place]:
    """The architecture is s390x."""
    if vmi.devices.panic_devices and vmi.architecture == "s390x":
        yield from (at(index) for index, _ in enumerate(vmi.devices.panic_devices))


@RULES.choice("V116", f"{_DEVICES}.panicDevices[].model", "hyperv", "isa", "pvpanic")
def panic_model_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, device in enumerate(vmi.devices.panic_devices or ()):
        yield at(index, value=device.model)
