"""The kinds of ``backup.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import ALL, Column, Kind

if TYPE_CHECKING:
    from virtdeck.crds.backup.backup import VirtualMachineBackup
    from virtdeck.crds.backup.tracker import VirtualMachineBackupTracker

GROUP = "backup.kubevirt.io"
_SOURCE = (
    Column("SourceKind", ".spec.source.kind", description="Kind of what is backed up"),
    Column("SourceName", ".spec.source.name", description="Name of what is backed up"),
)

BACKUP: "Kind[VirtualMachineBackup]" = Kind(
    GROUP,
    "v1alpha1",
    "virtualmachinebackups",
    "VirtualMachineBackup",
    "backup.backup:VirtualMachineBackup",
    short_names=("vmbackup", "vmbackups"),
    categories=ALL,
    columns=(
        *_SOURCE,
        Column("Type", ".status.type", description="Full or Incremental"),
        Column("CheckpointName", ".status.checkpointName", description="What the next backup can go on from"),
    ),
    subresources=("status",),
)

BACKUP_TRACKER: "Kind[VirtualMachineBackupTracker]" = Kind(
    GROUP,
    "v1alpha1",
    "virtualmachinebackuptrackers",
    "VirtualMachineBackupTracker",
    "backup.tracker:VirtualMachineBackupTracker",
    short_names=("vmbackuptracker", "vmbackuptrackers"),
    categories=ALL,
    columns=(
        *_SOURCE,
        Column(
            "LatestCheckpoint",
            ".status.latestCheckpoint.name",
            description="What the next backup can go on from",
        ),
        Column(
            "CheckpointTime",
            ".status.latestCheckpoint.creationTime",
            "date",
            "When the last backup was taken",
        ),
    ),
    subresources=("status",),
)

KINDS: tuple[Kind[Any], ...] = (BACKUP, BACKUP_TRACKER)
