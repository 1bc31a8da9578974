"""Changed block tracking and backup, as a VMI and a VM report them."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Time


class VirtualMachineInstanceBackupVolumeInfo(Model, frozen=True, kw_only=True):
    """One disk of a backup."""

    volume_name: Annotated[str, doc("Name of the volume.")]


class VirtualMachineInstanceBackupStatus(Model, frozen=True, kw_only=True):
    """How far a backup is."""

    backup_msg: Annotated[str | None, doc("What went wrong, if anything.")] = None
    backup_name: Annotated[str | None, doc("Name of the backup.")] = None
    checkpoint_name: Annotated[str | None, doc("Checkpoint from which the next backup goes on.")] = None
    completed: Annotated[bool | None, doc("It has ended.")] = None
    end_timestamp: Annotated[Time | None, doc("When it ended.")] = None
    failed: Annotated[bool | None, doc("It has ended without success.")] = None
    quiesce_status: Annotated[str | None, doc("Whether the guest's file systems were frozen for it.")] = None
    start_timestamp: Annotated[Time | None, doc("When it began.")] = None
    volumes: Annotated[tuple[VirtualMachineInstanceBackupVolumeInfo, ...] | None, doc("Its disks.")] = None


class ChangedBlockTrackingStatus(Model, frozen=True, kw_only=True):
    """Whether changed blocks are remembered."""

    backup_status: Annotated[VirtualMachineInstanceBackupStatus | None, doc("How far a backup is.")] = None
    state: Annotated[str, doc("How far switching it on or off is.")]
