"""The disks and kernels in a pod's image volumes: opened without links, their headers read by ourselves."""

import os
from dataclasses import dataclass, field

from virtdeck.basis.errors import Absent, Invalid, Unready
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.node_agent.launchers.folders import KERNEL_BOOT_VOLUME, PodFolders
from virtdeck.safety.disk_images import UnsafeDiskImage, inspect_disk
from virtdeck.safety.openat2 import UnsafePath
from virtdeck.safety.paths import Directory
from virtdeck.wire.launcher import ImageFacts

# Where the launcher's container has the volumes.
_DISKS = "/run/kubevirt/container-disks"
_KERNEL_BOOT = "/run/kubevirt/kernel-boot"
_DISK_FOLDER = "disk"


@dataclass(frozen=True)
class PodImages:
    """What the launcher may open. kernel, initrd: paths inside its container."""

    disks: dict[str, ImageFacts] = field(default_factory=dict)
    kernel: str | None = None
    initrd: str | None = None


def inspect_images(folders: PodFolders, pod_uid: str, vmi: VirtualMachineInstance) -> PodImages:
    """Every container disk and kernel of the VMI was looked at.

    Raises: Invalid with reason UnsafeDiskPath or InvalidImage; Unready while a volume is not mounted.
    """
    disks = {
        volume.name: _inspect_volume(folders, pod_uid, volume)
        for volume in vmi.spec.volumes or ()
        if volume.container_disk is not None
    }
    boot = vmi.spec.domain.firmware and vmi.spec.domain.firmware.kernel_boot
    container = boot.container if boot else None
    if container is None:
        return PodImages(disks)
    with _open_volume(folders, pod_uid, KERNEL_BOOT_VOLUME) as files:
        kernel = _find_boot_file(files, container.kernel_path, "kernelPath")
        initrd = _find_boot_file(files, container.initrd_path, "initrdPath")
    return PodImages(disks, kernel, initrd)


def _inspect_volume(folders: PodFolders, pod_uid: str, volume: Volume) -> ImageFacts:
    asked = volume.container_disk.path if volume.container_disk else None
    with _open_volume(folders, pod_uid, volume.name) as files:
        try:
            path = _relative(asked) if asked else _only_disk(files)
            descriptor = files.open_file(path)
            try:
                facts = inspect_disk(descriptor)
            finally:
                os.close(descriptor)
        except UnsafeDiskImage as fault:
            raise Invalid(f"volume {volume.name}: {fault.message}", reason="InvalidImage") from fault
        except UnsafePath as fault:
            raise Invalid(f"volume {volume.name}: {fault.message}", reason="UnsafeDiskPath") from fault
        except Absent as fault:
            raise Invalid(f"volume {volume.name}: {_absence(asked)}", reason="InvalidImage") from fault
    return ImageFacts(
        path=f"{_DISKS}/{volume.name}/{path}", format=facts.format.value, virtual_size=facts.virtual_size
    )


def _absence(asked: str | None) -> str:
    if asked:
        return f"{asked} is not in its image; correct containerDisk.path"
    return f"its image has no folder /{_DISK_FOLDER}; name the disk's file in containerDisk.path"


def _only_disk(files: Directory) -> str:
    """The path of the one file in the image's /disk."""
    with files.directory(_DISK_FOLDER) as folder:
        names = folder.names()
    if len(names) != 1:
        found = ", ".join(names[:5]) or "nothing"
        raise UnsafeDiskImage(
            f"the image's /{_DISK_FOLDER} must hold one file, it holds {found};"
            " name the disk's file in containerDisk.path"
        )
    return f"{_DISK_FOLDER}/{names[0]}"


def _find_boot_file(files: Directory, path: str | None, field_name: str) -> str | None:
    if not path:
        return None
    try:
        relative = _relative(path)
        os.close(files.open_file(relative))
    except UnsafePath as fault:
        raise Invalid(
            f"kernelBoot.container.{field_name}: {fault.message}", reason="UnsafeDiskPath"
        ) from fault
    except Absent as fault:
        text = f"kernelBoot.container.{field_name}: {path} is not in the image; correct the path or the image"
        raise Invalid(text, reason="InvalidImage") from fault
    return f"{_KERNEL_BOOT}/{relative}"


def _relative(path: str) -> str:
    parts = [part for part in path.split("/") if part]
    if not parts or any(part in {".", ".."} for part in parts):
        raise UnsafePath(f"{path[:200]!r} is not a plain path in the image")
    return "/".join(parts)


def _open_volume(folders: PodFolders, pod_uid: str, volume: str) -> Directory:
    try:
        return folders.open_image(pod_uid, volume)
    except Absent as fault:
        raise Unready(f"the image volume {volume} is not mounted yet", reason="VolumeNotMounted") from fault
