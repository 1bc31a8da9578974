"""The kind of ``clone.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import ALL, Column, Kind, Version

if TYPE_CHECKING:
    from virtdeck.crds.clone.clone import VirtualMachineClone

GROUP = "clone.kubevirt.io"

CLONE: "Kind[VirtualMachineClone]" = Kind(
    GROUP,
    "v1beta1",
    "virtualmachineclones",
    "VirtualMachineClone",
    "clone.clone:VirtualMachineClone",
    short_names=("vmclone", "vmclones"),
    categories=ALL,
    columns=(
        Column("Phase", ".status.phase", description="How far it is"),
        Column("SourceVirtualMachine", ".spec.source.name", description="What is copied"),
        Column("TargetVirtualMachine", ".spec.target.name", description="The copy"),
    ),
    subresources=("status",),
    older=(Version("v1alpha1"),),
)

KINDS: tuple[Kind[Any], ...] = (CLONE,)
