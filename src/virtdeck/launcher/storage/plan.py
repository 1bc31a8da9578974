"""Which files a VMI's volumes need, and what to make; pure."""

from msgspec import Struct

from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.crds.quantity import parse_bytes
from virtdeck.launcher.domain.request import DiskFile
from virtdeck.launcher.storage import seed
from virtdeck.launcher.storage.file_disks import file_disk
from virtdeck.launcher.storage.seed import Seed
from virtdeck.wire.launcher import DiskFormat, ImageFacts


class MakeOverlay(Struct, frozen=True, kw_only=True):
    """A qcow2 file that takes the guest's writes; what it does not hold is read from ``backing``."""

    path: str
    backing: str
    backing_format: DiskFormat
    size: int


class MakeEmptyDisk(Struct, frozen=True, kw_only=True):
    """A qcow2 file without content. size: bytes."""

    path: str
    size: int


class MakeSeed(Struct, frozen=True, kw_only=True):
    """An ISO image for cloud-init."""

    path: str
    seed: Seed


class MakeFilesDisk(Struct, frozen=True, kw_only=True):
    """An ISO image with the files of a mounted ConfigMap or the like. volume: for messages.

    one_of: names of which one must be there, in any case of letters.
    """

    path: str
    label: str
    volume: str
    folder: str
    one_of: tuple[str, ...] = ()


Step = MakeOverlay | MakeEmptyDisk | MakeSeed | MakeFilesDisk


class StoragePlan(Struct, frozen=True, kw_only=True):
    """What to make, in any order, and the files that are there afterwards, by volume name."""

    steps: tuple[Step, ...]
    disks: dict[str, DiskFile]


class Folders(Struct, frozen=True, kw_only=True):
    """Where files are made, where Secrets are mounted, and what volumes hand over as disks.

    direct_io: the first takes O_DIRECT.
    """

    ephemeral: str
    secrets: str
    files: str
    direct_io: bool = False


def plan_storage(vmi: VirtualMachineInstance, images: dict[str, ImageFacts], folders: Folders) -> StoragePlan:
    """One file for each volume that can be carried; others are left out, and refused with the domain."""
    cdroms = {disk.name for disk in vmi.spec.domain.devices.disks or () if disk.cdrom}
    steps: list[Step] = []
    disks = {}
    for volume in vmi.spec.volumes or ():
        image = images.get(volume.name)
        step = _step(vmi, volume, image, folders, volume.name in cdroms)
        if step is not None:
            steps.append(step)
            disks[volume.name] = _made(step, folders)
        elif image is not None:
            disks[volume.name] = DiskFile(
                path=image.path, format=image.format, read_only=_is_container_disk(volume)
            )
    return StoragePlan(steps=tuple(steps), disks=disks)


def _step(
    vmi: VirtualMachineInstance, volume: Volume, image: ImageFacts | None, folders: Folders, is_cdrom: bool
) -> Step | None:
    base = f"{folders.ephemeral}/{volume.name}"
    if volume.empty_disk:
        return MakeEmptyDisk(path=f"{base}.qcow2", size=parse_bytes(volume.empty_disk.capacity))
    if volume.cloud_init_no_cloud:
        made = seed.no_cloud(vmi, volume, volume.cloud_init_no_cloud, folders.secrets)
        return MakeSeed(path=f"{base}.iso", seed=made)
    if volume.cloud_init_config_drive:
        made = seed.config_drive(vmi, volume, volume.cloud_init_config_drive, folders.secrets)
        return MakeSeed(path=f"{base}.iso", seed=made)
    if disk := file_disk(volume):
        return MakeFilesDisk(
            path=f"{base}.iso",
            label=disk.label,
            volume=volume.name,
            folder=f"{folders.files}/{volume.name}",
            one_of=disk.one_of,
        )
    if image and (volume.ephemeral or (_is_container_disk(volume) and not is_cdrom)):
        return MakeOverlay(
            path=f"{base}.qcow2",
            backing=image.path,
            backing_format=image.format,
            size=image.virtual_size,
        )
    return None


def _made(step: Step, folders: Folders) -> DiskFile:
    match step:
        case MakeOverlay():
            return DiskFile(
                path=step.path,
                format="qcow2",
                backing_path=step.backing,
                backing_format=step.backing_format,
                direct_io=folders.direct_io,
            )
        case MakeEmptyDisk():
            return DiskFile(path=step.path, format="qcow2", direct_io=folders.direct_io)
        case MakeSeed() | MakeFilesDisk():
            return DiskFile(path=step.path, format="raw", direct_io=folders.direct_io)


def _is_container_disk(volume: Volume) -> bool:
    return volume.container_disk is not None
