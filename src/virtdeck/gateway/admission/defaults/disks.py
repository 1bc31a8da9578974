"""Disks and images (D15, D19–D21)."""

from virtdeck.crds.plain import Plain, each, unset

_TARGETS = ("disk", "lun", "cdrom")


def fill_pull_policies(spec: Plain) -> None:
    """As a kubelet does: what may change under its name is looked up anew."""
    containers = [volume["containerDisk"] for volume in each(spec, "volumes") if volume.get("containerDisk")]
    boot = ((spec["domain"].get("firmware") or {}).get("kernelBoot") or {}).get("container")
    for container in [*containers, *([boot] if boot else [])]:
        unset(container, "imagePullPolicy", _pull_policy(container.get("image") or ""))


def _pull_policy(image: str) -> str:
    if "@" in image:
        return "IfNotPresent"
    _, colon, tag = image.rpartition("/")[2].partition(":")
    return "Always" if not colon or tag == "latest" else "IfNotPresent"


def fill_disk_targets(spec: Plain) -> None:
    amd64 = spec["architecture"] == "amd64"
    for disk in each(spec["domain"].get("devices"), "disks"):
        if all(disk.get(target) is None for target in _TARGETS):
            disk["disk"] = {}
        for target in ("disk", "lun"):
            if disk.get(target) is not None:
                unset(disk[target], "bus", "sata" if amd64 else "virtio")
        if disk.get("cdrom") is not None:
            _fill_cdrom(disk["cdrom"], "sata" if amd64 else "scsi")


def _fill_cdrom(cdrom: Plain, bus: str) -> None:
    unset(cdrom, "bus", bus)
    unset(cdrom, "readonly", True)
    unset(cdrom, "tray", "closed")
