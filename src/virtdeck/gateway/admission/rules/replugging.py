"""Volumes and disks of a VMI that virtdeck attaches and takes away while it runs (V307–V316)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.instance import Change
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, NOT_FOUND, Place, Rules, at

RULES: Rules[Change] = Rules("VMI, changed")

_VOLUME, _DISK = "spec.volumes[]", "spec.domain.devices.disks[]"
_CHANGES = "{name!r} cannot be changed while it is attached; take it away and attach it anew"
_STAYS = "{name!r} is there since the guest's start and cannot be changed while it runs"
_NO_DISK = "{name!r} must be the name of one of spec.domain.devices.disks"


@RULES.rule("V307", "spec.volumes", INVALID, "has {volumes} volumes for {devices} disks and file systems")
def every_volume_has_a_device(change: Change) -> Iterator[Place]:
    """The counts differ; memory dumps have no disk, and a CD-ROM drive may be empty."""
    if not change.replugs:
        return
    names = {name for name, volume in change.volumes[1].items() if volume.memory_dump is None}
    devices = len(change.vmi.spec.domain.devices.filesystems or ())
    for disk in change.vmi.spec.domain.devices.disks or ():
        empty = disk.cdrom is not None and disk.name not in names
        devices += not (empty and change.gate("DeclarativeHotplugVolumes"))
    if devices != len(names):
        yield at(volumes=len(names), devices=devices)


@RULES.rule("V308", _VOLUME, FORBIDDEN, _CHANGES)
def attached_volume_is_fixed(change: Change) -> Iterator[Place]:
    """It was attached to the running guest and changes; one whose storage is being replaced may."""
    for name, index in _hotplugged(change):
        before, after = (volumes.get(name) for volumes in change.volumes)
        if before is not None and before != after and name not in change.migrated:
            yield at(index, name=name)


@RULES.rule("V309", f"{_VOLUME}.name", NOT_FOUND, _NO_DISK)
def attached_volume_keeps_its_disk(change: Change) -> Iterator[Place]:
    """It was attached to the running guest and its disk goes alone."""
    for name, index in _hotplugged(change):
        if name in change.volumes[0] and _needs_disk(change, name) and name not in change.disks[1]:
            yield at(index, name=name)


@RULES.rule("V310", _DISK, FORBIDDEN, _CHANGES)
def attached_disk_is_fixed(change: Change) -> Iterator[Place]:
    """It was attached to the running guest and changes."""
    attached = {name for name, _ in _hotplugged(change) if name in change.volumes[0]}
    yield from _changed_disks(change, attached)


@RULES.rule("V311", _VOLUME, INVALID, "must be a persistentVolumeClaim or dataVolume to be attached")
def attached_volume_is_a_claim(change: Change) -> Iterator[Place]:
    """It is new and of another kind; a memory dump may come as well."""
    for name, index in _hotplugged(change):
        volume = change.volumes[1][name]
        sources = (volume.persistent_volume_claim, volume.data_volume, volume.memory_dump)
        if name not in change.volumes[0] and sources == (None, None, None):
            yield at(index)


@RULES.rule("V312", f"{_VOLUME}.name", NOT_FOUND, _NO_DISK)
def attached_volume_has_a_disk(change: Change) -> Iterator[Place]:
    """It is new and there is no disk for it."""
    for name, index in _hotplugged(change):
        if name not in change.volumes[0] and _needs_disk(change, name) and name not in change.disks[1]:
            yield at(index, name=name)


@RULES.rule("V313", "spec.volumes", FORBIDDEN, "must keep those that the guest was started with: {names}")
def permanent_volumes_are_counted(change: Change) -> Iterator[Place]:
    """There are fewer or more of those that the guest was started with."""
    before, after = (sorted(change.permanent & set(volumes)) for volumes in change.volumes)
    if change.replugs and len(before) != len(after):
        yield at(names=", ".join(sorted(change.permanent)))


@RULES.rule("V314", f"{_VOLUME}.name", FORBIDDEN, "{name!r} was not there when the guest was started")
def permanent_volume_was_there(change: Change) -> Iterator[Place]:
    """It takes the place of one that the guest was started with."""
    before, after = (change.permanent & set(volumes) for volumes in change.volumes)
    if not change.replugs or len(before) != len(after):
        return
    for index, volume in enumerate(change.vmi.spec.volumes or ()):
        if volume.name in after - before:
            yield at(index, name=volume.name)


@RULES.rule("V315", _VOLUME, FORBIDDEN, _STAYS)
def permanent_volume_is_fixed(change: Change) -> Iterator[Place]:
    """It changes; one whose storage is being replaced may."""
    for index, volume in enumerate((change.vmi.spec.volumes or ()) if change.replugs else ()):
        before = change.volumes[0].get(volume.name) if volume.name in change.permanent else None
        if before is not None and before != volume and volume.name not in change.migrated:
            yield at(index, name=volume.name)


@RULES.rule("V316", _DISK, FORBIDDEN, _STAYS)
def permanent_disk_is_fixed(change: Change) -> Iterator[Place]:
    """It changes."""
    yield from _changed_disks(change, change.permanent - change.migrated if change.replugs else frozenset())


def _hotplugged(change: Change) -> Iterator[tuple[str, int]]:
    """Volumes that the guest was not started with, and their places."""
    for index, volume in enumerate((change.vmi.spec.volumes or ()) if change.replugs else ()):
        if volume.name not in change.permanent:
            yield volume.name, index


def _needs_disk(change: Change, name: str) -> bool:
    volume = change.volumes[1][name]
    filesystems = change.vmi.spec.domain.devices.filesystems or ()
    return volume.memory_dump is None and all(filesystem.name != name for filesystem in filesystems)


def _changed_disks(change: Change, names: frozenset[str] | set[str]) -> Iterator[Place]:
    for index, disk in enumerate((change.vmi.spec.domain.devices.disks or ()) if names else ()):
        before = change.disks[0].get(disk.name) if disk.name in names else None
        if before is not None and before != disk:
            yield at(index, name=disk.name)
