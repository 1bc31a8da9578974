"""What is known about a running guest: ``status`` of a VirtualMachineInstance."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.backup_status import ChangedBlockTrackingStatus
from virtdeck.crds.kubevirt.cpu import CPUTopology
from virtdeck.crds.kubevirt.domain import Machine
from virtdeck.crds.kubevirt.memory import MemoryStatus
from virtdeck.crds.kubevirt.migration_status import VirtualMachineInstanceMigrationState
from virtdeck.crds.kubevirt.volume_status import StorageMigratedVolumeInfo, VolumeStatus
from virtdeck.crds.meta import Condition
from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Int32, Time


class InitrdInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    checksum: int | None = None


class KernelInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    checksum: int | None = None


class KernelBootStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    initrd_info: InitrdInfo | None = None
    kernel_info: KernelInfo | None = None


class TopologyHints(Model, frozen=True, kw_only=True):
    """TBD"""

    tsc_frequency: int | None = None


class VirtualMachineInstanceGuestOSInfo(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None
    id: str | None = None
    kernel_release: str | None = None
    kernel_version: str | None = None
    machine: str | None = None
    pretty_name: str | None = None
    version: str | None = None
    version_id: str | None = None


class VirtualMachineInstanceNetworkInterface(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None
    info_source: str | None = None
    interface_name: str | None = None
    ip_address: str | None = None
    ip_addresses: tuple[str, ...] | None = None
    link_state: str | None = None
    mac: str | None = None
    pod_interface_name: str | None = None
    queue_count: Int32 | None = None


class VirtualMachineInstancePhaseTransitionTimestamp(Model, frozen=True, kw_only=True):
    """TBD"""

    phase: str | None = None
    phase_transition_timestamp: Time | None = None


class VirtualMachineInstanceStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    vsock_cid: int | None = field(default=None, name="VSOCKCID")
    active_pods: dict[str, str] | None = None
    changed_block_tracking: ChangedBlockTrackingStatus | None = None
    conditions: tuple[Condition, ...] | None = None
    current_cpu_topology: CPUTopology | None = field(default=None, name="currentCPUTopology")
    evacuation_node_name: str | None = None
    fs_freeze_status: str | None = None
    guest_os_info: VirtualMachineInstanceGuestOSInfo | None = field(default=None, name="guestOSInfo")
    interfaces: tuple[VirtualMachineInstanceNetworkInterface, ...] | None = None
    kernel_boot_status: KernelBootStatus | None = None
    launcher_container_image_version: str | None = None
    machine: Machine | None = None
    memory: MemoryStatus | None = None
    migrated_volumes: tuple[StorageMigratedVolumeInfo, ...] | None = None
    migration_method: str | None = None
    migration_state: VirtualMachineInstanceMigrationState | None = None
    migration_transport: str | None = None
    node_name: str | None = None
    phase: str | None = None
    phase_transition_timestamps: tuple[VirtualMachineInstancePhaseTransitionTimestamp, ...] | None = None
    qos_class: Annotated[str | None, one_of("BestEffort", "Burstable", "Guaranteed")] = None
    reason: str | None = None
    runtime_user: int | None = None
    selinux_context: str | None = None
    topology_hints: TopologyHints | None = None
    virtual_machine_revision_name: str | None = None
    volume_status: tuple[VolumeStatus, ...] | None = None
