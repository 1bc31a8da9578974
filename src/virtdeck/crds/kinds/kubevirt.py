"""The kinds of ``kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.columns import AGE, condition, ready, replicas
from virtdeck.crds.kinds.kind import ALL, Column, Kind, Version

if TYPE_CHECKING:
    from virtdeck.crds.kubevirt.kubevirt import KubeVirt
    from virtdeck.crds.kubevirt.migration import VirtualMachineInstanceMigration
    from virtdeck.crds.kubevirt.preset import VirtualMachineInstancePreset
    from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
    from virtdeck.crds.kubevirt.vm import VirtualMachine
    from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

_V1ALPHA3 = (Version("v1alpha3", deprecated=True),)

VM: "Kind[VirtualMachine]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachines",
    "VirtualMachine",
    "kubevirt.vm:VirtualMachine",
    short_names=("vm", "vms"),
    categories=ALL,
    columns=(
        AGE,
        Column(
            "Status", ".status.printableStatus", description="What the virtual machine is doing, in one word"
        ),
        ready("Whether the guest serves"),
    ),
    subresources=("status",),
    older=_V1ALPHA3,
)

VMI: "Kind[VirtualMachineInstance]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachineinstances",
    "VirtualMachineInstance",
    "kubevirt.vmi:VirtualMachineInstance",
    short_names=("vmi", "vmis"),
    categories=ALL,
    columns=(
        AGE,
        Column("Phase", ".status.phase", description="How far the guest is"),
        Column("IP", ".status.interfaces[0].ipAddress", description="Address of the first interface"),
        Column("NodeName", ".status.nodeName", description="Node that the guest runs on"),
        ready("Whether the guest serves"),
        condition(
            "Live-Migratable", "LiveMigratable", "Whether the guest can move while it runs", priority=1
        ),
        condition("Paused", "Paused", "Whether the guest's processors stand still", priority=1),
    ),
    older=_V1ALPHA3,
)

REPLICA_SET: "Kind[VirtualMachineInstanceReplicaSet]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachineinstancereplicasets",
    "VirtualMachineInstanceReplicaSet",
    "kubevirt.replica_set:VirtualMachineInstanceReplicaSet",
    short_names=("vmirs", "vmirss"),
    categories=ALL,
    columns=(*replicas("guests"), AGE),
    subresources=("status", "scale"),
    older=_V1ALPHA3,
)

MIGRATION: "Kind[VirtualMachineInstanceMigration]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachineinstancemigrations",
    "VirtualMachineInstanceMigration",
    "kubevirt.migration:VirtualMachineInstanceMigration",
    short_names=("vmim", "vmims"),
    categories=ALL,
    columns=(
        Column("Phase", ".status.phase", description="How far the move is"),
        Column("VMI", ".spec.vmiName", description="The guest that moves"),
    ),
    subresources=("status",),
    older=_V1ALPHA3,
    users="migrate",
)

PRESET: "Kind[VirtualMachineInstancePreset]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachineinstancepresets",
    "VirtualMachineInstancePreset",
    "kubevirt.preset:VirtualMachineInstancePreset",
    short_names=("vmipreset", "vmipresets"),
    categories=ALL,
    older=(Version("v1alpha3"),),
    stored="v1alpha3",
    deprecation="a VirtualMachine names a VirtualMachineInstancetype and a VirtualMachinePreference",
)

KUBEVIRT: "Kind[KubeVirt]" = Kind(
    "kubevirt.io",
    "v1",
    "kubevirts",
    "KubeVirt",
    "kubevirt.kubevirt:KubeVirt",
    short_names=("kv", "kvs"),
    categories=ALL,
    columns=(AGE, Column("Phase", ".status.phase", description="How far the installation is")),
    subresources=("status",),
    older=_V1ALPHA3,
    users="everybody",
)

KINDS: tuple[Kind[Any], ...] = (VM, VMI, REPLICA_SET, MIGRATION, PRESET, KUBEVIRT)
