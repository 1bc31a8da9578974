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
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Int32, Time


class InitrdInfo(Model, frozen=True, kw_only=True):
    """The initrd that is in use."""

    checksum: Annotated[int | None, doc("Checksum of the file.")] = None


class KernelInfo(Model, frozen=True, kw_only=True):
    """The kernel that is in use."""

    checksum: Annotated[int | None, doc("Checksum of the file.")] = None


class KernelBootStatus(Model, frozen=True, kw_only=True):
    """Kernel and initrd that are in use."""

    initrd_info: Annotated[InitrdInfo | None, doc("The initrd.")] = None
    kernel_info: Annotated[KernelInfo | None, doc("The kernel.")] = None


class TopologyHints(Model, frozen=True, kw_only=True):
    """What the node must have for the guest's clock."""

    tsc_frequency: Annotated[int | None, doc("Frequency of the time stamp counter in Hz.")] = None


class VirtualMachineInstanceGuestOSInfo(Model, frozen=True, kw_only=True):
    """The guest's operating system, as its agent says."""

    name: Annotated[str | None, doc("Name.")] = None
    id: Annotated[str | None, doc("Short name, as debian.")] = None
    kernel_release: Annotated[str | None, doc("Release of the kernel.")] = None
    kernel_version: Annotated[str | None, doc("Version of the kernel.")] = None
    machine: Annotated[str | None, doc("Architecture, as x86_64.")] = None
    pretty_name: Annotated[str | None, doc("Name with version, for people.")] = None
    version: Annotated[str | None, doc("Version, for people.")] = None
    version_id: Annotated[str | None, doc("Version, for programs.")] = None


class VirtualMachineInstanceNetworkInterface(Model, frozen=True, kw_only=True):
    """One network card, as it is."""

    name: Annotated[str | None, doc("Name in the spec.")] = None
    info_source: Annotated[str | None, doc("Who says so: domain, guest-agent, multus-status.")] = None
    interface_name: Annotated[str | None, doc("Name in the guest, as eth0.")] = None
    ip_address: Annotated[str | None, doc("Address at which it is reached.")] = None
    ip_addresses: Annotated[tuple[str, ...] | None, doc("All addresses.")] = None
    link_state: Annotated[str | None, doc("up or down.")] = None
    mac: Annotated[str | None, doc("Hardware address.")] = None
    pod_interface_name: Annotated[str | None, doc("Name in the pod.")] = None
    queue_count: Annotated[Int32 | None, doc("How many queues it has.")] = None


class VirtualMachineInstancePhaseTransitionTimestamp(Model, frozen=True, kw_only=True):
    """When a phase began."""

    phase: Annotated[str | None, doc("The phase.")] = None
    phase_transition_timestamp: Annotated[Time | None, doc("When it began.")] = None


class VirtualMachineInstanceStatus(Model, frozen=True, kw_only=True):
    """What is known about a running guest."""

    vsock_cid: Annotated[int | None, doc("Its address for VSOCK.")] = field(default=None, name="VSOCKCID")
    active_pods: Annotated[dict[str, str] | None, doc("Launcher pods by uid, with their nodes.")] = None
    changed_block_tracking: Annotated[
        ChangedBlockTrackingStatus | None, doc("Whether changed blocks are remembered.")
    ] = None
    conditions: Annotated[
        tuple[Condition, ...] | None, doc("Questions about the object and their answers.")
    ] = None
    current_cpu_topology: Annotated[CPUTopology | None, doc("Processors that the guest has now.")] = field(
        default=None, name="currentCPUTopology"
    )
    evacuation_node_name: Annotated[str | None, doc("Node that the guest has to leave.")] = None
    fs_freeze_status: Annotated[str | None, doc("frozen while file systems stand still for a backup.")] = None
    guest_os_info: Annotated[
        VirtualMachineInstanceGuestOSInfo | None, doc("The guest's operating system.")
    ] = field(default=None, name="guestOSInfo")
    interfaces: Annotated[
        tuple[VirtualMachineInstanceNetworkInterface, ...] | None, doc("Network cards with their addresses.")
    ] = None
    kernel_boot_status: Annotated[KernelBootStatus | None, doc("Kernel and initrd that are in use.")] = None
    launcher_container_image_version: Annotated[str | None, doc("Image of the launcher.")] = None
    machine: Annotated[Machine | None, doc("The kind of machine.")] = None
    memory: Annotated[MemoryStatus | None, doc("The guest's memory, as it is.")] = None
    migrated_volumes: Annotated[
        tuple[StorageMigratedVolumeInfo, ...] | None, doc("Volumes that move to other storage.")
    ] = None
    migration_method: Annotated[str | None, doc("LiveMigration, or BlockMigration when disks go along.")] = (
        None
    )
    migration_state: Annotated[
        VirtualMachineInstanceMigrationState | None, doc("How far the last migration is.")
    ] = None
    migration_transport: Annotated[str | None, doc("How the launchers reach each other.")] = None
    node_name: Annotated[str | None, doc("Node that the guest runs on.")] = None
    phase: Annotated[
        str | None, doc("Pending, Scheduling, Scheduled, Running, Succeeded, Failed or Unknown.")
    ] = None
    phase_transition_timestamps: Annotated[
        tuple[VirtualMachineInstancePhaseTransitionTimestamp, ...] | None, doc("When each phase began.")
    ] = None
    qos_class: Annotated[
        str | None,
        one_of("BestEffort", "Burstable", "Guaranteed"),
        doc("Quality of service of the launcher pod."),
    ] = None
    reason: Annotated[str | None, doc("Why, in one word for programs.")] = None
    runtime_user: Annotated[int | None, doc("User id of the launcher.")] = None
    selinux_context: Annotated[str | None, doc("SELinux context of the launcher.")] = None
    topology_hints: Annotated[TopologyHints | None, doc("What the node must have for the guest's clock.")] = (
        None
    )
    virtual_machine_revision_name: Annotated[
        str | None, doc("ControllerRevision with the VM's spec that this was started from.")
    ] = None
    volume_status: Annotated[tuple[VolumeStatus, ...] | None, doc("How far each volume is.")] = None
