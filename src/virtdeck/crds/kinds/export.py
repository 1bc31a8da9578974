"""The kind of ``export.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import ALL, Column, Kind, Version

if TYPE_CHECKING:
    from virtdeck.crds.export.export import VirtualMachineExport

GROUP = "export.kubevirt.io"

EXPORT: "Kind[VirtualMachineExport]" = Kind(
    GROUP,
    "v1",
    "virtualmachineexports",
    "VirtualMachineExport",
    "export.export:VirtualMachineExport",
    short_names=("vmexport", "vmexports"),
    categories=ALL,
    columns=(
        Column("SourceKind", ".spec.source.kind", description="Kind of what is handed out"),
        Column("SourceName", ".spec.source.name", description="Name of what is handed out"),
        Column("Phase", ".status.phase", description="How far it is"),
    ),
    subresources=("status",),
    older=(Version("v1beta1", deprecated=True),),
)

KINDS: tuple[Kind[Any], ...] = (EXPORT,)
