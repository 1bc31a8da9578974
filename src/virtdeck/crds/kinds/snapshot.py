"""The kinds of ``snapshot.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import ALL, Column, Kind, Version

if TYPE_CHECKING:
    from virtdeck.crds.snapshot.content import VirtualMachineSnapshotContent
    from virtdeck.crds.snapshot.restore import VirtualMachineRestore
    from virtdeck.crds.snapshot.snapshot import VirtualMachineSnapshot

GROUP = "snapshot.kubevirt.io"
_OLDER = (Version("v1alpha1"),)
_RESULT = (
    Column("ReadyToUse", ".status.readyToUse", "boolean", "Whether it can be restored from"),
    Column("CreationTime", ".status.creationTime", "date", "The moment that the saved state is from"),
    Column("Error", ".status.error.message", description="The last thing that went wrong"),
)

SNAPSHOT: "Kind[VirtualMachineSnapshot]" = Kind(
    GROUP,
    "v1beta1",
    "virtualmachinesnapshots",
    "VirtualMachineSnapshot",
    "snapshot.snapshot:VirtualMachineSnapshot",
    short_names=("vmsnapshot", "vmsnapshots"),
    categories=ALL,
    columns=(
        Column("SourceKind", ".spec.source.kind", description="Kind of what it is taken of"),
        Column("SourceName", ".spec.source.name", description="Name of what it is taken of"),
        Column("Phase", ".status.phase", description="How far it is"),
        *_RESULT,
    ),
    subresources=("status",),
    older=_OLDER,
)

SNAPSHOT_CONTENT: "Kind[VirtualMachineSnapshotContent]" = Kind(
    GROUP,
    "v1beta1",
    "virtualmachinesnapshotcontents",
    "VirtualMachineSnapshotContent",
    "snapshot.content:VirtualMachineSnapshotContent",
    short_names=("vmsnapshotcontent", "vmsnapshotcontents"),
    categories=ALL,
    columns=_RESULT,
    subresources=("status",),
    older=_OLDER,
)

RESTORE: "Kind[VirtualMachineRestore]" = Kind(
    GROUP,
    "v1beta1",
    "virtualmachinerestores",
    "VirtualMachineRestore",
    "snapshot.restore:VirtualMachineRestore",
    short_names=("vmrestore", "vmrestores"),
    categories=ALL,
    columns=(
        Column("TargetKind", ".spec.target.kind", description="Kind of what is restored"),
        Column("TargetName", ".spec.target.name", description="Name of what is restored"),
        Column("Complete", ".status.complete", "boolean", "Whether it has ended"),
        Column("RestoreTime", ".status.restoreTime", "date", "When it ended well"),
    ),
    subresources=("status",),
    older=_OLDER,
)

KINDS: tuple[Kind[Any], ...] = (SNAPSHOT, SNAPSHOT_CONTENT, RESTORE)
