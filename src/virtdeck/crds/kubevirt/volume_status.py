"""How far each volume of a VMI is."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Quantity, Time


class ContainerDiskInfo(Model, frozen=True, kw_only=True):
    """The image that is in use."""

    checksum: Annotated[int | None, doc("Checksum of the disk.")] = None


class DomainMemoryDumpInfo(Model, frozen=True, kw_only=True):
    """How far a memory dump is."""

    claim_name: Annotated[str | None, doc("PersistentVolumeClaim of this namespace.")] = None
    end_timestamp: Annotated[Time | None, doc("When it ended.")] = None
    start_timestamp: Annotated[Time | None, doc("When it began.")] = None
    target_file_name: Annotated[str | None, doc("File that the memory was written to.")] = None


class HotplugVolumeStatus(Model, frozen=True, kw_only=True):
    """The pod that holds a volume which was attached later."""

    attach_pod_name: Annotated[str | None, doc("Name of the pod.")] = None
    attach_pod_uid: Annotated[str | None, doc("Uid of the pod.")] = field(default=None, name="attachPodUID")


class PersistentVolumeClaimInfo(Model, frozen=True, kw_only=True):
    """The claim behind a volume."""

    access_modes: Annotated[tuple[str, ...] | None, doc("Who may use it at once.")] = None
    capacity: Annotated[dict[str, Quantity] | None, doc("What it has.")] = None
    claim_name: Annotated[str | None, doc("PersistentVolumeClaim of this namespace.")] = None
    filesystem_overhead: Annotated[str | None, doc("Part of it that the file system itself needs.")] = None
    preallocated: Annotated[bool | None, doc("All of it is written already.")] = None
    requests: Annotated[dict[str, Quantity] | None, doc("What was asked for.")] = None
    volume_mode: Annotated[
        str | None,
        one_of("Block", "Filesystem", "FromStorageProfile"),
        doc("A file system, or a bare block device."),
    ] = None


class VolumeStatus(Model, frozen=True, kw_only=True):
    """How far one volume is."""

    name: Annotated[str, doc("Name of the volume.")]
    container_disk_volume: Annotated[ContainerDiskInfo | None, doc("The image that is in use.")] = None
    hotplug_volume: Annotated[
        HotplugVolumeStatus | None, doc("The pod that holds it, if it was attached later.")
    ] = None
    memory_dump_volume: Annotated[DomainMemoryDumpInfo | None, doc("How far a memory dump is.")] = None
    message: Annotated[str | None, doc("Why, for people.")] = None
    persistent_volume_claim_info: Annotated[PersistentVolumeClaimInfo | None, doc("The claim behind it.")] = (
        None
    )
    phase: Annotated[str | None, doc("Pending, Bound, AttachedToNode, MountedToPod, Ready, Detaching …")] = (
        None
    )
    reason: Annotated[str | None, doc("Why, in one word for programs.")] = None
    size: Annotated[int | None, doc("Size in bytes.")] = None
    target: Annotated[str, doc("Name of the device in the guest, as vda.")]


class StorageMigratedVolumeInfo(Model, frozen=True, kw_only=True):
    """A volume that moves to other storage."""

    destination_pvc_info: Annotated[PersistentVolumeClaimInfo | None, doc("Where it moves to.")] = field(
        default=None, name="destinationPVCInfo"
    )
    source_pvc_info: Annotated[PersistentVolumeClaimInfo | None, doc("Where it was.")] = field(
        default=None, name="sourcePVCInfo"
    )
    volume_name: Annotated[str, doc("Name of the volume.")]
