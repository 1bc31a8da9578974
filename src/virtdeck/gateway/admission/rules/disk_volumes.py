"""How disks, file systems and volumes belong together, and what boots first (V95–V101)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import (
    DUPLICATE,
    INVALID,
    NOT_FOUND,
    NOT_SUPPORTED,
    REQUIRED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_DEVICES = "spec.domain.devices"
_NO_VOLUME = "{name!r} must be the name of one of {base}spec.volumes"


@RULES.rule("V95", f"{_DEVICES}.disks[].name", NOT_FOUND, _NO_VOLUME)
def disk_has_a_volume(vmi: Subject) -> Iterator[Place]:
    """No volume has this name; a CD-ROM drive may be empty (gate DeclarativeHotplugVolumes)."""
    for index, disk in enumerate(vmi.disks):
        if disk.name not in vmi.volumes and (disk.cdrom is None or not vmi.gate("DeclarativeHotplugVolumes")):
            yield at(index, name=disk.name)


@RULES.rule("", f"{_DEVICES}.filesystems[].name", NOT_FOUND, _NO_VOLUME)
def filesystem_has_a_volume(vmi: Subject) -> Iterator[Place]:
    """No volume has this name."""
    for index, filesystem in enumerate(vmi.devices.filesystems or ()):
        if filesystem.name not in vmi.volumes:
            yield at(index, name=filesystem.name)


@RULES.rule(
    "V96", f"{_DEVICES}.disks[].lun", INVALID, "needs a persistentVolumeClaim or dataVolume behind it"
)
def lun_is_a_claim(vmi: Subject) -> Iterator[Place]:
    """The volume is of another kind."""
    for index, disk in enumerate(vmi.disks):
        volume = vmi.volumes.get(disk.name) if disk.lun is not None else None
        if volume and volume.persistent_volume_claim is None and volume.data_volume is None:
            yield at(index)


@RULES.rule(
    "V97", "spec.volumes[].name", REQUIRED, "must be the name of a disk, for downwardMetrics are a disk"
)
def downward_metrics_have_a_disk(vmi: Subject) -> Iterator[Place]:
    """No disk has this name, or it is a lun or cdrom."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.downward_metrics is not None and not any(
            disk.name == volume.name and disk.disk is not None for disk in vmi.disks
        ):
            yield at(index)


@RULES.rule("V98", f"{_DEVICES}.disks[].disk.bus", NOT_SUPPORTED, "must be virtio for downwardMetrics")
def downward_metrics_are_on_virtio(vmi: Subject) -> Iterator[Place]:
    """It is another."""
    for index, disk in enumerate(vmi.disks):
        volume = vmi.volumes.get(disk.name)
        if (
            volume
            and volume.downward_metrics is not None
            and disk.disk is not None
            and disk.disk.bus
            and disk.disk.bus != "virtio"
        ):
            yield at(index)


@RULES.rule("V99", f"{_DEVICES}.disks[].bootOrder", DUPLICATE)
def disk_boot_orders_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier disk has the same."""
    seen: set[int] = set()
    for index, disk in enumerate(vmi.disks):
        if disk.boot_order is not None:
            if disk.boot_order in seen:
                yield at(index, value=disk.boot_order)
            seen.add(disk.boot_order)


@RULES.rule("V100", f"{_DEVICES}.interfaces[].bootOrder", DUPLICATE)
def interface_boot_orders_are_unique(vmi: Subject) -> Iterator[Place]:
    """A disk or an earlier interface has the same."""
    seen = {disk.boot_order for disk in vmi.disks}
    for index, interface in enumerate(vmi.interfaces):
        if interface.boot_order is not None:
            if interface.boot_order in seen:
                yield at(index, value=interface.boot_order)
            seen.add(interface.boot_order)


@RULES.rule("V101", f"{_DEVICES}.interfaces[].bootOrder", INVALID, "must be 1 or more")
def interface_boot_order_counts(vmi: Subject) -> Iterator[Place]:
    """It is 0 or less."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.boot_order is not None and interface.boot_order < 1:
            yield at(index)
