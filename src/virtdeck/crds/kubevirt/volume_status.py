"""How far each volume of a VMI is."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Quantity, Time


class ContainerDiskInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    checksum: int | None = None


class DomainMemoryDumpInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    claim_name: str | None = None
    end_timestamp: Time | None = None
    start_timestamp: Time | None = None
    target_file_name: str | None = None


class HotplugVolumeStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    attach_pod_name: str | None = None
    attach_pod_uid: str | None = field(default=None, name="attachPodUID")


class PersistentVolumeClaimInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    access_modes: tuple[str, ...] | None = None
    capacity: dict[str, Quantity] | None = None
    claim_name: str | None = None
    filesystem_overhead: str | None = None
    preallocated: bool | None = None
    requests: dict[str, Quantity] | None = None
    volume_mode: Annotated[str | None, one_of("Block", "Filesystem", "FromStorageProfile")] = None


class VolumeStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    container_disk_volume: ContainerDiskInfo | None = None
    hotplug_volume: HotplugVolumeStatus | None = None
    memory_dump_volume: DomainMemoryDumpInfo | None = None
    message: str | None = None
    persistent_volume_claim_info: PersistentVolumeClaimInfo | None = None
    phase: str | None = None
    reason: str | None = None
    size: int | None = None
    target: str


class StorageMigratedVolumeInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    destination_pvc_info: PersistentVolumeClaimInfo | None = field(default=None, name="destinationPVCInfo")
    source_pvc_info: PersistentVolumeClaimInfo | None = field(default=None, name="sourcePVCInfo")
    volume_name: str
