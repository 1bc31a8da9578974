"""Disks that are files of a container image or of the node (V149, V150, V167–V170)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.volumes import HostDisk
from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import is_clean_absolute_path, is_path_in_image

RULES: Rules[Subject] = Rules("VMI")

_HOST = "spec.volumes[].hostDisk"


@RULES.rule(
    "V149 V150",
    "spec.volumes[].containerDisk.path",
    INVALID,
    "must be an absolute path to a file of the image, without '..', as /disk/disk.qcow2",
)
def container_disk_path_is_clean(vmi: Subject) -> Iterator[Place]:
    """It is relative, the root, has '.' or '..', or leads to where a running system has its kernel's."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        path = volume.container_disk.path if volume.container_disk else None
        if path and not is_path_in_image(path):
            yield at(index)


@RULES.rule("", "spec.volumes[].containerDisk.image", REQUIRED, "must name a container image")
def container_disk_names_an_image(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.container_disk is not None and not volume.container_disk.image.strip():
            yield at(index)


@RULES.gate("V167", _HOST, "HostDisk")
def host_disk_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off: a node's files are no affair of a namespace's user."""
    yield from (at(index) for index, _ in _host_disks(vmi))


@RULES.rule("V168", f"{_HOST}.path", INVALID, "must be an absolute path to a file, without '..'")
def host_disk_path_is_clean(vmi: Subject) -> Iterator[Place]:
    """It is empty, relative, the root, or has '.' or '..'."""
    for index, disk in _host_disks(vmi):
        if not is_clean_absolute_path(disk.path):
            yield at(index)


@RULES.rule("V169", f"{_HOST}.type", INVALID, "{value!r} is not supported; use Disk or DiskOrCreate")
def host_disk_type_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, disk in _host_disks(vmi):
        if disk.type not in ("Disk", "DiskOrCreate"):
            yield at(index, value=disk.type)


@RULES.rule("V170", f"{_HOST}.capacity", FORBIDDEN, "needs type DiskOrCreate")
def host_disk_that_exists_has_its_size(vmi: Subject) -> Iterator[Place]:
    """The type is Disk, whose file exists with its size."""
    for index, disk in _host_disks(vmi):
        if disk.capacity is not None and disk.type == "Disk":
            yield at(index)


@RULES.rule("", f"{_HOST}.capacity", INVALID, "{why}")
def host_disk_capacity_can_be_read(vmi: Subject) -> Iterator[Place]:
    """It is no quantity."""
    for index, disk in _host_disks(vmi):
        if why := why_unreadable(disk.capacity):
            yield at(index, why=why)


def _host_disks(vmi: Subject) -> Iterator[tuple[int, HostDisk]]:
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.host_disk is not None:
            yield index, volume.host_disk
