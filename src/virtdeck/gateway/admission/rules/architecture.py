"""What each processor architecture's machine has (V83–V94)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import forbidden, unsupported

_VIDEO = {
    "amd64": ("vga", "cirrus", "virtio", "ramfb", "bochs"),
    "arm64": ("virtio", "ramfb"),
    "s390x": ("virtio",),
}
_WATCHDOG_ACTIONS = ("reset", "shutdown", "poweroff")
_ARM_BUSES = ("virtio", "scsi")


def video_is_there(subject: Subject) -> Iterator[Cause]:
    """V83, V85, V93"""
    allowed = _VIDEO.get(subject.architecture, ())
    kind = subject.devices.video and subject.devices.video.type
    if kind and allowed and kind not in allowed:
        yield unsupported(subject.at("domain.devices.video.type"), kind, allowed)


def watchdog_is_there(subject: Subject) -> Iterator[Cause]:
    """V84, V91, V94"""
    watchdog, field = subject.devices.watchdog, subject.at("domain.devices.watchdog")
    if watchdog is None:
        return
    match subject.architecture:
        case "amd64" if watchdog.diag288 is not None:
            yield unsupported(f"{field}.diag288", "diag288", ("i6300esb",))
        case "s390x" if watchdog.i6300esb is not None:
            yield unsupported(f"{field}.i6300esb", "i6300esb", ("diag288",))
        case "arm64":
            yield forbidden(field, "is not there on arm64")


def watchdog_action_is_known(subject: Subject) -> Iterator[Cause]:
    """Ours"""
    watchdog, field = subject.devices.watchdog, subject.at("domain.devices.watchdog")
    for name, device in (
        ("i6300esb", watchdog and watchdog.i6300esb),
        ("diag288", watchdog and watchdog.diag288),
    ):
        if device and device.action and device.action not in _WATCHDOG_ACTIONS:
            yield unsupported(f"{field}.{name}.action", device.action, _WATCHDOG_ACTIONS)


def arm_has_no_bios(subject: Subject) -> Iterator[Cause]:
    """V86"""
    firmware = subject.domain.firmware
    loader = firmware.bootloader if firmware else None
    if subject.architecture == "arm64" and loader and loader.bios is not None:
        yield forbidden(subject.at("domain.firmware.bootloader.bios"), "is not there on arm64; use efi")


def arm_passes_the_processor_through(subject: Subject) -> Iterator[Cause]:
    """V87"""
    model = subject.cpu.model
    if subject.architecture == "arm64" and model and model != "host-passthrough":
        yield unsupported(subject.at("domain.cpu.model"), model, ("host-passthrough",))


def arm_has_no_sata(subject: Subject) -> Iterator[Cause]:
    """V88–V90"""
    if subject.architecture != "arm64":
        return
    for path, disk in subject.each_disk():
        for name, target in (("disk", disk.disk), ("cdrom", disk.cdrom), ("lun", disk.lun)):
            if target is not None and target.bus and target.bus not in _ARM_BUSES:
                yield unsupported(f"{path}.{name}.bus", target.bus, _ARM_BUSES)


def arm_has_no_sound(subject: Subject) -> Iterator[Cause]:
    """V92"""
    if subject.architecture == "arm64" and subject.devices.sound is not None:
        yield forbidden(subject.at("domain.devices.sound"), "is not there on arm64")


RULES: tuple[Rule, ...] = (
    video_is_there,
    watchdog_is_there,
    watchdog_action_is_known,
    arm_has_no_bios,
    arm_passes_the_processor_through,
    arm_has_no_sata,
    arm_has_no_sound,
)
