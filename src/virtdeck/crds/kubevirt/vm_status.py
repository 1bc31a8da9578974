"""What is known about a virtual machine: ``status`` of a VirtualMachine."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.backup_status import ChangedBlockTrackingStatus
from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.volume_status import StorageMigratedVolumeInfo
from virtdeck.crds.kubevirt.volumes import DataVolumeSource, PersistentVolumeClaimVolumeSource
from virtdeck.crds.meta import Condition
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32, Time


class HotplugVolumeSource(Model, frozen=True, kw_only=True):
    """What is attached: exactly one."""

    data_volume: Annotated[DataVolumeSource | None, doc("A DataVolume of this namespace.")] = None
    persistent_volume_claim: Annotated[
        PersistentVolumeClaimVolumeSource | None, doc("A claim of this namespace.")
    ] = None


class AddVolumeOptions(Model, frozen=True, kw_only=True):
    """A volume that somebody wants attached."""

    name: Annotated[str, doc("Name of the volume.")]
    disk: Annotated[Disk, doc("The disk that the guest sees.")]
    dry_run: Annotated[tuple[str, ...] | None, doc("All when nothing shall happen.")] = None
    volume_source: Annotated[HotplugVolumeSource, doc("What is attached.")]


class RemoveVolumeOptions(Model, frozen=True, kw_only=True):
    """A volume that somebody wants detached."""

    name: Annotated[str, doc("Name of the volume.")]
    dry_run: Annotated[tuple[str, ...] | None, doc("All when nothing shall happen.")] = None


class VirtualMachineVolumeRequest(Model, frozen=True, kw_only=True):
    """A volume that somebody wants attached or detached: exactly one."""

    add_volume_options: Annotated[AddVolumeOptions | None, doc("It is to be attached.")] = None
    remove_volume_options: Annotated[RemoveVolumeOptions | None, doc("It is to be detached.")] = None


class ControllerRevisionRef(Model, frozen=True, kw_only=True):
    """A frozen copy."""

    name: Annotated[str | None, doc("Name of the ControllerRevision.")] = None


class InstancetypeStatusRef(Model, frozen=True, kw_only=True):
    """The instance type or preference that is in use."""

    kind: Annotated[str | None, doc("Kind of the object.")] = None
    name: Annotated[str | None, doc("Its name.")] = None
    controller_revision_ref: Annotated[ControllerRevisionRef | None, doc("Its frozen copy.")] = None
    infer_from_volume: Annotated[str | None, doc("Volume that it was inferred from.")] = None
    infer_from_volume_failure_policy: Annotated[
        str | None, doc("What happens when nothing can be inferred.")
    ] = None


class VirtualMachineMemoryDumpRequest(Model, frozen=True, kw_only=True):
    """A memory dump that somebody asked for."""

    claim_name: Annotated[str, doc("Claim that the memory is written to.")]
    end_timestamp: Annotated[Time | None, doc("When it ended.")] = None
    file_name: Annotated[str | None, doc("File that the memory is written to.")] = None
    message: Annotated[str | None, doc("Why, for people.")] = None
    phase: Annotated[str, doc("How far it is.")]
    remove: Annotated[bool | None, doc("The claim is to be let go.")] = None
    start_timestamp: Annotated[Time | None, doc("When it began.")] = None


class VirtualMachineStartFailure(Model, frozen=True, kw_only=True):
    """Starts that failed, and when the next is tried."""

    consecutive_fail_count: Annotated[
        Int32 | None,
        doc("How many starts failed in a row; the wait before the next grows with it, up to five minutes."),
    ] = None
    last_failed_vmi_uid: Annotated[str | None, doc("Uid of the last VMI that failed.")] = field(
        default=None, name="lastFailedVMIUID"
    )
    retry_after_timestamp: Annotated[Time | None, doc("When the next start is tried.")] = None


class VirtualMachineStateChangeRequest(Model, frozen=True, kw_only=True):
    """A start or stop that somebody asked for."""

    action: Annotated[str, doc("Start or Stop.")]
    data: Annotated[dict[str, str] | None, doc('Further wishes: paused: "true" with Start.')] = None
    uid: Annotated[str | None, doc("Uid of the VMI that is to stop.")] = None


class VolumeSnapshotStatus(Model, frozen=True, kw_only=True):
    """Whether a volume can be snapshotted."""

    name: Annotated[str, doc("Name of the volume.")]
    enabled: Annotated[bool, doc("It can.")]
    reason: Annotated[str | None, doc("Why not.")] = None


class VolumeMigrationState(Model, frozen=True, kw_only=True):
    """Volumes that move to other storage."""

    migrated_volumes: Annotated[
        tuple[StorageMigratedVolumeInfo, ...] | None, doc("Volumes that move to other storage.")
    ] = None


class VolumeUpdateState(Model, frozen=True, kw_only=True):
    """How far a change of volumes is."""

    volume_migration_state: Annotated[
        VolumeMigrationState | None, doc("Volumes that move to other storage.")
    ] = None


class VirtualMachineStatus(Model, frozen=True, kw_only=True):
    """What is known about a virtual machine."""

    changed_block_tracking: Annotated[
        ChangedBlockTrackingStatus | None, doc("Whether changed blocks are remembered.")
    ] = None
    conditions: Annotated[
        tuple[Condition, ...] | None, doc("Questions about the object and their answers.")
    ] = None
    created: Annotated[bool | None, doc("true: there is a VMI, running or not yet.")] = None
    desired_generation: Annotated[int | None, doc("Generation that the newest VMI should come from.")] = None
    instancetype_ref: Annotated[InstancetypeStatusRef | None, doc("The instance type that is in use.")] = None
    memory_dump_request: Annotated[
        VirtualMachineMemoryDumpRequest | None, doc("A memory dump that somebody asked for.")
    ] = None
    observed_generation: Annotated[
        int | None,
        doc(
            "Generation of the machine that the running VMI was made from; less than desiredGeneration "
            "when a change waits for the next start."
        ),
    ] = None
    preference_ref: Annotated[InstancetypeStatusRef | None, doc("The preference that is in use.")] = None
    printable_status: Annotated[
        str | None,
        doc(
            "What it is doing, in one word: Stopped, Starting, Running, Paused, Stopping, Provisioning, "
            "Migrating, CrashLoopBackOff, ErrorUnschedulable …"
        ),
    ] = None
    ready: Annotated[bool | None, doc("true: the guest runs and its readinessProbe is content.")] = None
    restore_in_progress: Annotated[str | None, doc("Restore that is going on.")] = None
    run_strategy: Annotated[
        str | None, doc("The strategy that is in force, runStrategy or what running means.")
    ] = None
    snapshot_in_progress: Annotated[str | None, doc("Snapshot that is being taken.")] = None
    start_failure: Annotated[
        VirtualMachineStartFailure | None, doc("Starts that failed, and when the next is tried.")
    ] = None
    state_change_requests: Annotated[
        tuple[VirtualMachineStateChangeRequest, ...] | None,
        doc("Starts and stops that somebody asked for, oldest first."),
    ] = None
    volume_requests: Annotated[
        tuple[VirtualMachineVolumeRequest, ...] | None,
        doc("Volumes that somebody wants attached or detached."),
    ] = None
    volume_snapshot_statuses: Annotated[
        tuple[VolumeSnapshotStatus, ...] | None, doc("Which volumes can be snapshotted.")
    ] = None
    volume_update_state: Annotated[VolumeUpdateState | None, doc("How far a change of volumes is.")] = None
