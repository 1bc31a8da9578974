"""What is behind the disks (V151–V177)."""

from collections import Counter
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.volumes import HostDisk, Volume
from virtdeck.gateway.admission.amounts import bytes_or_none, why_unreadable
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import (
    duplicate,
    forbidden,
    invalid,
    needs_gate,
    required,
    unsupported,
)
from virtdeck.gateway.admission.words import LABEL_WORDS, is_clean_absolute_path, is_label

_SOURCES = tuple(name for name in Volume.__struct_fields__ if name != "name")
_HOST_DISK_TYPES = ("Disk", "DiskOrCreate")
_RUNTIME = ("/var/run/kubevirt", "/var/run/libvirt", "/run/kubevirt", "/run/libvirt")


def names_are_unique_labels(subject: Subject) -> Iterator[Cause]:
    """V151; a label, for the name becomes a volume of the pod"""
    times = Counter(volume.name for volume in subject.spec.volumes or ())
    for path, volume in subject.each_volume():
        if times[volume.name] > 1:
            yield duplicate(f"{path}.name", volume.name)
        if not is_label(volume.name):
            yield invalid(f"{path}.name", f"must be {LABEL_WORDS}")


def volume_has_one_source(subject: Subject) -> Iterator[Cause]:
    """V152"""
    for path, volume in subject.each_volume():
        given = sum(getattr(volume, name) is not None for name in _SOURCES)
        if given == 0:
            yield required(path, "must have a source, as containerDisk or cloudInitNoCloud")
        elif given > 1:
            yield invalid(path, "must have only one source")


def names_of_sources_are_given(subject: Subject) -> Iterator[Cause]:
    """V153, V171–V173"""
    for path, volume in subject.each_volume():
        needed = (
            ("dataVolume.name", volume.data_volume and volume.data_volume.name),
            (
                "persistentVolumeClaim.claimName",
                volume.persistent_volume_claim and volume.persistent_volume_claim.claim_name,
            ),
            ("configMap.name", volume.config_map and (volume.config_map.name or "")),
            ("secret.secretName", volume.secret and (volume.secret.secret_name or "")),
            (
                "serviceAccount.serviceAccountName",
                volume.service_account and (volume.service_account.service_account_name or ""),
            ),
        )
        for name, value in needed:
            if value == "":
                yield required(f"{path}.{name}", "must not be empty")


def volume_is_seen_by_the_guest(subject: Subject) -> Iterator[Cause]:
    """V154: a template's missing disks are added when it starts."""
    if subject.is_template:
        return
    seen = {disk.name for disk in subject.disks} | {fs.name for fs in subject.devices.filesystems or ()}
    for path, volume in subject.each_volume():
        if volume.name not in seen and volume.memory_dump is None:
            yield invalid(f"{path}.name", "must be the name of a disk or file system")


def container_path_is_a_filesystem(subject: Subject) -> Iterator[Cause]:
    """V155–V158"""
    disks = {disk.name for disk in subject.disks}
    filesystems = {filesystem.name for filesystem in subject.devices.filesystems or ()}
    for path, volume in subject.each_volume():
        if volume.container_path is None:
            continue
        field = f"{path}.containerPath"
        if not subject.cluster.gate("ContainerPathVolumes"):
            yield needs_gate(field, "ContainerPathVolumes")
        if volume.name in disks or volume.name not in filesystems:
            yield invalid(f"{path}.name", "must be the name of a file system, for containerPath is a folder")
        if not is_clean_absolute_path(volume.container_path.path) or _is_runtime(volume.container_path.path):
            yield invalid(f"{field}.path", f"must be an absolute path outside {' and '.join(_RUNTIME[:2])}")


def _is_runtime(path: str) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in _RUNTIME)


def downward_metrics_need_their_gate(subject: Subject) -> Iterator[Cause]:
    """V166"""
    for path, volume in subject.each_volume():
        if volume.downward_metrics is not None and not subject.cluster.gate("DownwardMetrics"):
            yield needs_gate(f"{path}.downwardMetrics", "DownwardMetrics")


def host_disk_is_allowed(subject: Subject) -> Iterator[Cause]:
    """V167–V170: a file of the node is no affair of a namespace's user unless an administrator says so."""
    for path, volume in subject.each_volume():
        if volume.host_disk is None:
            continue
        if not subject.cluster.gate("HostDisk"):
            yield needs_gate(f"{path}.hostDisk", "HostDisk")
        yield from _host_disk(f"{path}.hostDisk", volume.host_disk)


def _host_disk(path: str, disk: HostDisk) -> Iterator[Cause]:
    if not is_clean_absolute_path(disk.path):
        yield invalid(f"{path}.path", "must be an absolute path to a file, without '..'")
    if disk.type not in _HOST_DISK_TYPES:
        yield unsupported(f"{path}.type", disk.type, _HOST_DISK_TYPES)
    if disk.capacity is not None and disk.type != "DiskOrCreate":
        yield forbidden(f"{path}.capacity", "needs type DiskOrCreate")
    if wrong := why_unreadable(disk.capacity):
        yield invalid(f"{path}.capacity", wrong)


def empty_disk_has_a_size(subject: Subject) -> Iterator[Cause]:
    """Ours"""
    for path, volume in subject.each_volume():
        capacity = volume.empty_disk.capacity if volume.empty_disk else None
        if wrong := why_unreadable(capacity):
            yield invalid(f"{path}.emptyDisk.capacity", wrong)
        elif capacity is not None and (bytes_or_none(capacity) or 0) <= 0:
            yield invalid(f"{path}.emptyDisk.capacity", "must be more than 0, as 2Gi")


def some_volumes_are_single(subject: Subject) -> Iterator[Cause]:
    """V174–V176"""
    kinds = (
        ("serviceAccount", "service_account"),
        ("downwardAPI", "downward_api"),
        ("memoryDump", "memory_dump"),
    )
    for name, attribute in kinds:
        found = [path for path, volume in subject.each_volume() if getattr(volume, attribute) is not None]
        for path in found[1:]:
            yield invalid(f"{path}.{name}", "can be used by one volume only")


def utility_volumes_come_later(subject: Subject) -> Iterator[Cause]:
    """V177"""
    if subject.spec.utility_volumes:
        yield forbidden(subject.at("utilityVolumes"), "are attached to a running VMI by virtdeck itself")


RULES: tuple[Rule, ...] = (
    names_are_unique_labels,
    volume_has_one_source,
    names_of_sources_are_given,
    volume_is_seen_by_the_guest,
    container_path_is_a_filesystem,
    downward_metrics_need_their_gate,
    host_disk_is_allowed,
    empty_disk_has_a_size,
    some_volumes_are_single,
    utility_volumes_come_later,
)
