"""What is known about a virtual machine: ``status`` of a VirtualMachine."""

from msgspec import field

from virtdeck.crds.kubevirt.backup_status import ChangedBlockTrackingStatus
from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.volume_status import StorageMigratedVolumeInfo
from virtdeck.crds.kubevirt.volumes import DataVolumeSource, PersistentVolumeClaimVolumeSource
from virtdeck.crds.meta import Condition
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Time


class HotplugVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    data_volume: DataVolumeSource | None = None
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None


class AddVolumeOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    disk: Disk
    dry_run: tuple[str, ...] | None = None
    volume_source: HotplugVolumeSource


class RemoveVolumeOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    dry_run: tuple[str, ...] | None = None


class VirtualMachineVolumeRequest(Model, frozen=True, kw_only=True):
    """TBD"""

    add_volume_options: AddVolumeOptions | None = None
    remove_volume_options: RemoveVolumeOptions | None = None


class ControllerRevisionRef(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None


class InstancetypeStatusRef(Model, frozen=True, kw_only=True):
    """TBD"""

    kind: str | None = None
    name: str | None = None
    controller_revision_ref: ControllerRevisionRef | None = None
    infer_from_volume: str | None = None
    infer_from_volume_failure_policy: str | None = None


class VirtualMachineMemoryDumpRequest(Model, frozen=True, kw_only=True):
    """TBD"""

    claim_name: str
    end_timestamp: Time | None = None
    file_name: str | None = None
    message: str | None = None
    phase: str
    remove: bool | None = None
    start_timestamp: Time | None = None


class VirtualMachineStartFailure(Model, frozen=True, kw_only=True):
    """TBD"""

    consecutive_fail_count: Int32 | None = None
    last_failed_vmi_uid: str | None = field(default=None, name="lastFailedVMIUID")
    retry_after_timestamp: Time | None = None


class VirtualMachineStateChangeRequest(Model, frozen=True, kw_only=True):
    """TBD"""

    action: str
    data: dict[str, str] | None = None
    uid: str | None = None


class VolumeSnapshotStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    enabled: bool
    reason: str | None = None


class VolumeMigrationState(Model, frozen=True, kw_only=True):
    """TBD"""

    migrated_volumes: tuple[StorageMigratedVolumeInfo, ...] | None = None


class VolumeUpdateState(Model, frozen=True, kw_only=True):
    """TBD"""

    volume_migration_state: VolumeMigrationState | None = None


class VirtualMachineStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    changed_block_tracking: ChangedBlockTrackingStatus | None = None
    conditions: tuple[Condition, ...] | None = None
    created: bool | None = None
    desired_generation: int | None = None
    instancetype_ref: InstancetypeStatusRef | None = None
    memory_dump_request: VirtualMachineMemoryDumpRequest | None = None
    observed_generation: int | None = None
    preference_ref: InstancetypeStatusRef | None = None
    printable_status: str | None = None
    ready: bool | None = None
    restore_in_progress: str | None = None
    run_strategy: str | None = None
    snapshot_in_progress: str | None = None
    start_failure: VirtualMachineStartFailure | None = None
    state_change_requests: tuple[VirtualMachineStateChangeRequest, ...] | None = None
    volume_requests: tuple[VirtualMachineVolumeRequest, ...] | None = None
    volume_snapshot_statuses: tuple[VolumeSnapshotStatus, ...] | None = None
    volume_update_state: VolumeUpdateState | None = None
