"""Changed block tracking and backup, as a VMI and a VM report them."""

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Time


class VirtualMachineInstanceBackupVolumeInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    volume_name: str


class VirtualMachineInstanceBackupStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    backup_msg: str | None = None
    backup_name: str | None = None
    checkpoint_name: str | None = None
    completed: bool | None = None
    end_timestamp: Time | None = None
    failed: bool | None = None
    quiesce_status: str | None = None
    start_timestamp: Time | None = None
    volumes: tuple[VirtualMachineInstanceBackupVolumeInfo, ...] | None = None


class ChangedBlockTrackingStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    backup_status: VirtualMachineInstanceBackupStatus | None = None
    state: str
