"""What each processor architecture's machine has (V83–V94)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import FORBIDDEN, NOT_SUPPORTED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_VIDEO = "spec.domain.devices.video.type"
_WATCHDOG = "spec.domain.devices.watchdog"
_ARM_BUSES = ("virtio", "scsi")


def _video(vmi: Subject, architecture: str) -> Iterator[Place]:
    if vmi.architecture == architecture and vmi.devices.video is not None:
        yield at(value=vmi.devices.video.type)


@RULES.choice("V83", _VIDEO, "vga", "cirrus", "virtio", "ramfb", "bochs")
def video_is_there_on_amd64(vmi: Subject) -> Iterator[Place]:
    """An amd64 machine has no such display."""
    return _video(vmi, "amd64")


@RULES.choice("V85", _VIDEO, "virtio", "ramfb")
def video_is_there_on_arm64(vmi: Subject) -> Iterator[Place]:
    """An arm64 machine has no such display."""
    return _video(vmi, "arm64")


@RULES.choice("V93", _VIDEO, "virtio")
def video_is_there_on_s390x(vmi: Subject) -> Iterator[Place]:
    """An s390x machine has no such display."""
    return _video(vmi, "s390x")


@RULES.rule("V84", f"{_WATCHDOG}.diag288", NOT_SUPPORTED, "is not there on amd64; use i6300esb")
def watchdog_of_amd64(vmi: Subject) -> Iterator[Place]:
    """It is the watchdog of s390x."""
    watchdog = vmi.devices.watchdog
    if vmi.architecture == "amd64" and watchdog is not None and watchdog.diag288 is not None:
        yield at()


@RULES.rule("V91", _WATCHDOG, FORBIDDEN, "is not there on arm64; remove it")
def arm_has_no_watchdog(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64."""
    if vmi.architecture == "arm64" and vmi.devices.watchdog is not None:
        yield at()


@RULES.rule("V94", f"{_WATCHDOG}.i6300esb", NOT_SUPPORTED, "is not there on s390x; use diag288")
def watchdog_of_s390x(vmi: Subject) -> Iterator[Place]:
    """It is the watchdog of amd64."""
    watchdog = vmi.devices.watchdog
    if vmi.architecture == "s390x" and watchdog is not None and watchdog.i6300esb is not None:
        yield at()


@RULES.choice("", f"{_WATCHDOG}.{{i6300esb|diag288}}.action", "reset", "shutdown", "poweroff")
def watchdog_action_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    watchdog = vmi.devices.watchdog
    if watchdog is None:
        return
    if watchdog.i6300esb is not None:
        yield at("i6300esb", value=watchdog.i6300esb.action)
    if watchdog.diag288 is not None:
        yield at("diag288", value=watchdog.diag288.action)


@RULES.rule("V86", "spec.domain.firmware.bootloader.bios", FORBIDDEN, "is not there on arm64; use efi")
def arm_has_no_bios(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64."""
    firmware = vmi.domain.firmware
    loader = firmware.bootloader if firmware else None
    if vmi.architecture == "arm64" and loader and loader.bios is not None:
        yield at()


@RULES.choice("V87", "spec.domain.cpu.model", "host-passthrough")
def arm_passes_the_processor_through(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64, which knows no other model."""
    if vmi.architecture == "arm64":
        yield at(value=vmi.cpu.model)


@RULES.choice("V88", "spec.domain.devices.disks[].disk.bus", *_ARM_BUSES)
def arm_disk_bus(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64, which has no such bus."""
    for index, disk in enumerate(vmi.disks if vmi.architecture == "arm64" else ()):
        if disk.disk is not None:
            yield at(index, value=disk.disk.bus)


@RULES.choice("V89", "spec.domain.devices.disks[].cdrom.bus", *_ARM_BUSES)
def arm_cdrom_bus(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64, which has no such bus."""
    for index, disk in enumerate(vmi.disks if vmi.architecture == "arm64" else ()):
        if disk.cdrom is not None:
            yield at(index, value=disk.cdrom.bus)


@RULES.choice("V90", "spec.domain.devices.disks[].lun.bus", *_ARM_BUSES)
def arm_lun_bus(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64, which has no such bus."""
    for index, disk in enumerate(vmi.disks if vmi.architecture == "arm64" else ()):
        if disk.lun is not None:
            yield at(index, value=disk.lun.bus)


@RULES.rule("V92", "spec.domain.devices.sound", FORBIDDEN, "is not there on arm64; remove it")
def arm_has_no_sound(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64."""
    if vmi.architecture == "arm64" and vmi.devices.sound is not None:
        yield at()
