"""Devices beside disks and interfaces, and how devices fit together (V95–V115)."""

from collections import Counter
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import (
    duplicate,
    forbidden,
    invalid,
    needs_gate,
    not_found,
    required,
    unsupported,
)

_DEVICES = "domain.devices"
_INPUT_BUSES, _INPUT_TYPES = ("virtio", "usb"), ("tablet",)
_THREAD_POLICIES = ("shared", "auto", "supplementalPool")
_SOUND = ("ich9", "ac97")
_PANIC = ("hyperv", "isa", "pvpanic")


def disk_has_a_volume(subject: Subject) -> Iterator[Cause]:
    """V95: only a CD-ROM drive may be empty."""
    for path, disk in subject.each_disk():
        empty_drive = disk.cdrom is not None and subject.cluster.gate("DeclarativeHotplugVolumes")
        if disk.name not in subject.volumes and not empty_drive:
            yield not_found(
                f"{path}.name", f"{disk.name!r} must be the name of one of {subject.at('volumes')}"
            )


def filesystem_has_a_volume(subject: Subject) -> Iterator[Cause]:
    """V95 for file systems"""
    for index, filesystem in enumerate(subject.devices.filesystems or ()):
        if filesystem.name not in subject.volumes:
            path = subject.at(f"{_DEVICES}.filesystems[{index}].name")
            yield not_found(path, f"{filesystem.name!r} must be the name of one of {subject.at('volumes')}")


def lun_is_a_claim(subject: Subject) -> Iterator[Cause]:
    """V96"""
    for path, disk in subject.each_disk():
        volume = subject.volumes.get(disk.name)
        if (
            disk.lun is not None
            and volume
            and volume.persistent_volume_claim is None
            and volume.data_volume is None
        ):
            yield invalid(f"{path}.lun", "needs a persistentVolumeClaim or dataVolume behind it")


def downward_metrics_are_on_virtio(subject: Subject) -> Iterator[Cause]:
    """V97, V98"""
    disks = {disk.name: (path, disk) for path, disk in subject.each_disk()}
    for path, volume in subject.each_volume():
        if volume.downward_metrics is None:
            continue
        if volume.name not in disks:
            yield required(
                f"{path}.name", "must be the name of a disk, for downwardMetrics are read from a disk"
            )
            continue
        where, disk = disks[volume.name]
        if disk.disk is None or disk.disk.bus not in (None, "", "virtio"):
            yield unsupported(f"{where}.disk.bus", disk.disk.bus if disk.disk else None, ("virtio",))


def boot_orders_are_unique(subject: Subject) -> Iterator[Cause]:
    """V99–V101"""
    ordered = [(path, disk.boot_order) for path, disk in subject.each_disk()]
    ordered += [(path, interface.boot_order) for path, interface in subject.each_interface()]
    times = Counter(order for _, order in ordered if order is not None)
    for path, order in ordered:
        if order is not None and order < 1:
            yield invalid(f"{path}.bootOrder", "must be 1 or more")
        elif order is not None and times[order] > 1:
            yield duplicate(f"{path}.bootOrder", order)


def inputs_are_known(subject: Subject) -> Iterator[Cause]:
    """V102, V103"""
    for index, device in enumerate(subject.devices.inputs or ()):
        path = subject.at(f"{_DEVICES}.inputs[{index}]")
        if device.bus and device.bus not in _INPUT_BUSES:
            yield unsupported(f"{path}.bus", device.bus, _INPUT_BUSES)
        if device.type and device.type not in _INPUT_TYPES:
            yield unsupported(f"{path}.type", device.type, _INPUT_TYPES)


def io_threads_are_known(subject: Subject) -> Iterator[Cause]:
    """V104, V105"""
    policy = subject.domain.io_threads_policy
    if policy and policy not in _THREAD_POLICIES:
        yield unsupported(subject.at("domain.ioThreadsPolicy"), policy, _THREAD_POLICIES)
    threads = subject.domain.io_threads
    if policy == "supplementalPool" and (
        threads is None or (threads.supplemental_pool_thread_count or 0) < 1
    ):
        yield required(subject.at("domain.ioThreads.supplementalPoolThreadCount"), "must be 1 or more")


def one_display_has_ramfb(subject: Subject) -> Iterator[Cause]:
    """V106: it is on unless it is switched off."""
    found = []
    for index, gpu in enumerate(subject.devices.gpus or ()):
        display = gpu.virtual_gpu_options and gpu.virtual_gpu_options.display
        if (
            display
            and display.enabled is not False
            and display.ram_fb
            and display.ram_fb.enabled is not False
        ):
            found.append(subject.at(f"{_DEVICES}.gpus[{index}].virtualGPUOptions.display.ramFB"))
    for path in found[1:]:
        yield invalid(path, "can be enabled for one GPU only")


def devices_need_their_gates(subject: Subject) -> Iterator[Cause]:
    """V107, V110, V112"""
    devices = subject.devices
    wishes = (
        ("hostDevices", bool(devices.host_devices), "HostDevices"),
        ("autoattachVSOCK", bool(devices.autoattach_vsock), "VSOCK"),
        ("downwardMetrics", devices.downward_metrics is not None, "DownwardMetrics"),
    )
    for name, wished, gate in wishes:
        if wished and not subject.cluster.gate(gate):
            yield needs_gate(subject.at(f"{_DEVICES}.{name}"), gate)


def sound_is_known(subject: Subject) -> Iterator[Cause]:
    """V108, V109"""
    sound = subject.devices.sound
    if sound is None:
        return
    if sound.model and sound.model not in _SOUND:
        yield unsupported(subject.at(f"{_DEVICES}.sound.model"), sound.model, _SOUND)
    if not sound.name:
        yield required(subject.at(f"{_DEVICES}.sound.name"), "must not be empty")


def reservations_are_switched_on(subject: Subject) -> Iterator[Cause]:
    """V111"""
    for path, disk in subject.each_disk():
        if disk.lun is not None and disk.lun.reservation and not subject.cluster.persistent_reservation:
            where = "spec.configuration.persistentReservationConfiguration of the KubeVirt object"
            yield forbidden(
                f"{path}.lun.reservation",
                f"needs persistent reservation; an administrator can enable it in {where}",
            )


def shared_claims_need_their_gate(subject: Subject) -> Iterator[Cause]:
    """V113"""
    for index, filesystem in enumerate(subject.devices.filesystems or ()):
        volume = subject.volumes.get(filesystem.name)
        claimed = volume and (volume.persistent_volume_claim is not None or volume.data_volume is not None)
        if claimed and not subject.cluster.gate("EnableVirtioFsStorageVolumes"):
            path = subject.at(f"{_DEVICES}.filesystems[{index}].virtiofs")
            yield needs_gate(path, "EnableVirtioFsStorageVolumes")


def video_needs_graphics(subject: Subject) -> Iterator[Cause]:
    """V114"""
    if subject.devices.video is not None and subject.devices.autoattach_graphics_device is False:
        field = subject.at(f"{_DEVICES}.video")
        yield forbidden(field, "cannot be used with autoattachGraphicsDevice: false; remove one of them")


def panic_devices_are_known(subject: Subject) -> Iterator[Cause]:
    """V115, V116"""
    for index, device in enumerate(subject.devices.panic_devices or ()):
        path = subject.at(f"{_DEVICES}.panicDevices[{index}]")
        if subject.architecture == "s390x":
            yield forbidden(path, "is not there on s390x")
        elif device.model and device.model not in _PANIC:
            yield unsupported(f"{path}.model", device.model, _PANIC)


RULES: tuple[Rule, ...] = (
    disk_has_a_volume,
    filesystem_has_a_volume,
    lun_is_a_claim,
    downward_metrics_are_on_virtio,
    boot_orders_are_unique,
    inputs_are_known,
    io_threads_are_known,
    one_display_has_ramfb,
    devices_need_their_gates,
    sound_is_known,
    reservations_are_switched_on,
    shared_claims_need_their_gate,
    video_needs_graphics,
    panic_devices_are_known,
)
