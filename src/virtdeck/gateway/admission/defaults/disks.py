"""Disks, images and the network of a guest that says nothing (D15, D17–D21)."""

from virtdeck.crds.plain import each, unset
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults.draft import Draft
from virtdeck.instancetype.attached import attach_disks, attach_network

DEFAULTS: Defaults[Draft] = Defaults("VMI")

_DISK = "spec.domain.devices.disks[]"
_TARGETS = ("disk", "lun", "cdrom")


@DEFAULTS.fills(
    "D15",
    "spec.volumes[].containerDisk.imagePullPolicy",
    "Always for the tag latest or none, else IfNotPresent",
)
def pull_policies(draft: Draft) -> None:
    """It is absent, here or of a kernel's image: what may change under its name is looked up anew."""
    spec = draft.spec
    containers = [volume["containerDisk"] for volume in each(spec, "volumes") if volume.get("containerDisk")]
    boot = ((draft.domain.get("firmware") or {}).get("kernelBoot") or {}).get("container")
    for container in [*containers, *([boot] if boot else [])]:
        unset(container, "imagePullPolicy", _pull_policy(container.get("image") or ""))


def _pull_policy(image: str) -> str:
    if "@" in image:
        return "IfNotPresent"
    _, colon, tag = image.rpartition("/")[2].partition(":")
    return "Always" if not colon or tag == "latest" else "IfNotPresent"


@DEFAULTS.fills("D18", _DISK, "a disk of the volume's name")
def disks_of_volumes(draft: Draft) -> None:
    """A volume has neither disk nor file system."""
    attach_disks(draft.spec)


@DEFAULTS.fills("D19", f"{_DISK}.disk", "{}")
def disk_targets(draft: Draft) -> None:
    """It has neither disk, lun nor cdrom."""
    for disk in each(draft.devices, "disks"):
        if all(disk.get(target) is None for target in _TARGETS):
            disk["disk"] = {}


@DEFAULTS.fills("D20", f"{_DISK}.{{disk|lun|cdrom}}.bus", "sata on amd64, else virtio; a cdrom's else scsi")
def buses(draft: Draft) -> None:
    """It is absent; virtio knows no CD-ROM drive."""
    amd64 = draft.architecture == "amd64"
    for disk in each(draft.devices, "disks"):
        for target in _TARGETS:
            if disk.get(target) is not None:
                other = "scsi" if target == "cdrom" else "virtio"
                unset(disk[target], "bus", "sata" if amd64 else other)


@DEFAULTS.fills("D21a", f"{_DISK}.cdrom.readonly", "true")
def cdroms_are_read_only(draft: Draft) -> None:
    """It is absent."""
    for disk in each(draft.devices, "disks"):
        if disk.get("cdrom") is not None:
            unset(disk["cdrom"], "readonly", True)


@DEFAULTS.fills("D21b", f"{_DISK}.cdrom.tray", "closed")
def trays_are_closed(draft: Draft) -> None:
    """It is absent."""
    for disk in each(draft.devices, "disks"):
        if disk.get("cdrom") is not None:
            unset(disk["cdrom"], "tray", "closed")


@DEFAULTS.fills(
    "D17",
    "spec.networks",
    "the pod network with an interface of the cluster's defaultNetworkInterface, else bridge",
)
def network(draft: Draft) -> None:
    """There are neither networks nor interfaces, and autoattachPodInterface is not false."""
    attach_network(draft.spec, draft.cluster.default_interface)
