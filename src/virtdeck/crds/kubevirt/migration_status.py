"""How far a migration of a VMI is."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32, Quantity, Time


class DowntimeTuningOptions(Model, frozen=True, kw_only=True):
    """How the permitted pause grows while a migration goes on."""

    cooldown_seconds: Annotated[Int32 | None, doc("Seconds between two steps; 10 when absent.")] = None
    initial_ms: Annotated[int | None, doc("Permitted pause at first, in milliseconds; 150 when absent.")] = (
        None
    )
    start_after_iteration: Annotated[
        int | None, doc("Passes over the memory before the pause grows; 3 when absent.")
    ] = None
    steps: Annotated[Int32 | None, doc("Steps up to the longest pause; 7 when absent.")] = None


class StallDetectorOptions(Model, frozen=True, kw_only=True):
    """When a migration counts as getting nowhere."""

    completion_timeout_factor: Annotated[
        Quantity | None,
        doc("Factor on completionTimeoutPerGiB after which patience ends in any case; 2 when absent."),
    ] = None
    ewma_alpha: Annotated[
        Quantity | None,
        doc("Weight of the newest measurement in the mean, above 0 and at most 1; 0.4 when absent."),
    ] = None
    patience_window_decay_factor: Annotated[
        Quantity | None, doc("How fast patience wears off from one stall to the next, above 0 and at most 1.")
    ] = None
    precopy_possible_factor: Annotated[
        Quantity | None,
        doc(
            "How much faster than the guest writes the network must be for a migration to count as possible."
        ),
    ] = None
    search_local_minima: Annotated[
        bool | None,
        doc("true: the change-over waits for a moment with little left to send. false when absent."),
    ] = None
    stall_margin: Annotated[
        int | None, doc("Progress in percent below which a pass counts as a stall; 4 when absent.")
    ] = None
    stall_progress_timeout: Annotated[
        int | None, doc("Seconds without progress that count as a stall; 40 when absent.")
    ] = None
    switchover_timeout: Annotated[
        int | None, doc("Seconds that the change-over itself may take; 60 when absent.")
    ] = None


class ExperimentalMigrationOptions(Model, frozen=True, kw_only=True):
    """Settings that may change."""

    compression: Annotated[
        str | None, doc("How memory is compressed on the way: none (the default) or zstd.")
    ] = None
    downtime_tuning: Annotated[
        DowntimeTuningOptions | None,
        doc(
            "How the permitted pause grows while a migration goes on. Needs the feature gate "
            "MigrationDowntimeTuning; excludes maxDowntimeMs."
        ),
    ] = None
    stall_detector: Annotated[
        StallDetectorOptions | None,
        doc("When a migration counts as getting nowhere. Needs the feature gate MigrationStallDetection."),
    ] = None


class VMIMConfigurationOptions(Model, frozen=True, kw_only=True):
    """Settings that a migration was started with."""

    allow_auto_converge: Annotated[
        bool | None, doc("The guest is slowed down so that the migration can end.")
    ] = None
    allow_post_copy: Annotated[
        bool | None, doc("The guest may go on at the target before all of its memory is there.")
    ] = None
    allow_workload_disruption: Annotated[
        bool | None, doc("The guest may be paused so that the migration can end.")
    ] = None
    bandwidth_per_migration: Annotated[
        Quantity | None,
        doc(
            "The most that one migration may send in a second, in bytes, as 64Mi; 0 (the default) is "
            "without limit."
        ),
    ] = None
    completion_timeout_per_gib: Annotated[
        int | None, doc("Seconds that each GiB may take before it is given up.")
    ] = field(default=None, name="completionTimeoutPerGiB")
    disable_tls: Annotated[bool | None, doc("Memory is sent unencrypted.")] = field(
        default=None, name="disableTLS"
    )
    experimental: Annotated[ExperimentalMigrationOptions | None, doc("Settings that may change.")] = None
    match_selinux_level_on_migration: Annotated[
        bool | None, doc("The target has the source's SELinux level.")
    ] = field(default=None, name="matchSELinuxLevelOnMigration")
    max_downtime_ms: Annotated[
        int | None, doc("How long the guest may stand still when it changes over, in milliseconds; 900.")
    ] = None
    network: Annotated[str | None, doc("NetworkAttachmentDefinition that migrations use.")] = None
    node_drain_taint_key: Annotated[str | None, doc("Taint that makes VMs leave a node.")] = None
    parallel_migrations_per_cluster: Annotated[int | None, doc("How many may run at once.")] = None
    parallel_outbound_migrations_per_node: Annotated[
        int | None, doc("How many may leave one node at once.")
    ] = None
    progress_timeout: Annotated[int | None, doc("Seconds without progress before it is given up.")] = None
    unsafe_migration_override: Annotated[
        bool | None, doc("Disks may be migrated although their cache makes it unsafe.")
    ] = None
    utility_volumes_timeout: Annotated[
        int | None, doc("Seconds that tasks with volumes of their own are waited for.")
    ] = None


class VirtualMachineInstanceMigrationSourceState(Model, frozen=True, kw_only=True):
    """The side that the guest leaves."""

    domain_name: Annotated[str | None, doc("Name of libvirt's domain.")] = None
    domain_namespace: Annotated[str | None, doc("Namespace of the VMI.")] = None
    migration_uid: Annotated[str | None, doc("Uid of the migration.")] = field(
        default=None, name="migrationUID"
    )
    node: Annotated[str | None, doc("The node.")] = None
    node_selectors: Annotated[dict[str, str] | None, doc("What the target node must have.")] = None
    persistent_state_pvc_name: Annotated[str | None, doc("Claim with EFI variables and TPM.")] = field(
        default=None, name="persistentStatePVCName"
    )
    pod: Annotated[str | None, doc("The launcher pod.")] = None
    selinux_context: Annotated[str | None, doc("SELinux context of the launcher.")] = None
    sync_address: Annotated[str | None, doc("Where the other cluster is reached.")] = None
    virtual_machine_instance_uid: Annotated[str | None, doc("Uid of the VMI.")] = field(
        default=None, name="virtualMachineInstanceUID"
    )


class VirtualMachineInstanceMigrationTargetState(Model, frozen=True, kw_only=True):
    """The side that the guest goes to."""

    attachment_pod_uid: Annotated[str | None, doc("Pod that holds volumes which were attached later.")] = (
        field(default=None, name="attachmentPodUID")
    )
    cpu_set: Annotated[tuple[Int32, ...] | None, doc("Processors of the node that the guest gets.")] = None
    direct_migration_node_ports: Annotated[
        dict[str, Int32] | None, doc("Ports of the target that take part.")
    ] = None
    domain_detected: Annotated[bool | None, doc("libvirt's domain is there.")] = None
    domain_name: Annotated[str | None, doc("Name of libvirt's domain.")] = None
    domain_namespace: Annotated[str | None, doc("Namespace of the VMI.")] = None
    domain_ready_timestamp: Annotated[Time | None, doc("When the guest ran at the target.")] = None
    migration_uid: Annotated[str | None, doc("Uid of the migration.")] = field(
        default=None, name="migrationUID"
    )
    node: Annotated[str | None, doc("The node.")] = None
    node_address: Annotated[str | None, doc("Address of the target.")] = None
    node_topology: Annotated[str | None, doc("Processors and memory nodes of the target.")] = None
    persistent_state_pvc_name: Annotated[str | None, doc("Claim with EFI variables and TPM.")] = field(
        default=None, name="persistentStatePVCName"
    )
    pod: Annotated[str | None, doc("The launcher pod.")] = None
    selinux_context: Annotated[str | None, doc("SELinux context of the launcher.")] = None
    sync_address: Annotated[str | None, doc("Where the other cluster is reached.")] = None
    virtual_machine_instance_uid: Annotated[str | None, doc("Uid of the VMI.")] = field(
        default=None, name="virtualMachineInstanceUID"
    )


class VirtualMachineInstanceMigrationState(Model, frozen=True, kw_only=True):
    """How far the last migration is."""

    abort_requested: Annotated[bool | None, doc("Somebody wants it to end.")] = None
    abort_status: Annotated[str | None, doc("How far ending it is: Aborting, Succeeded or Failed.")] = None
    completed: Annotated[bool | None, doc("It has ended.")] = None
    end_timestamp: Annotated[Time | None, doc("When it ended.")] = None
    failed: Annotated[bool | None, doc("It has ended without success.")] = None
    failure_reason: Annotated[str | None, doc("Why it failed.")] = None
    migration_configuration: Annotated[
        VMIMConfigurationOptions | None, doc("Settings that it was started with.")
    ] = None
    migration_network_type: Annotated[str | None, doc("Pod or Migration.")] = None
    migration_policy_name: Annotated[str | None, doc("The policy that applied.")] = None
    migration_uid: Annotated[str | None, doc("Uid of the migration.")] = None
    mode: Annotated[str | None, doc("PreCopy, PostCopy or Paused.")] = None
    source_node: Annotated[str | None, doc("Node that the guest leaves.")] = None
    source_persistent_state_pvc_name: Annotated[
        str | None, doc("Claim with EFI variables and TPM at the source.")
    ] = field(default=None, name="sourcePersistentStatePVCName")
    source_pod: Annotated[str | None, doc("Launcher pod at the source.")] = None
    source_state: Annotated[
        VirtualMachineInstanceMigrationSourceState | None, doc("The side that the guest leaves.")
    ] = None
    start_timestamp: Annotated[Time | None, doc("When it began.")] = None
    target_attachment_pod_uid: Annotated[str | None, doc("Pod that holds volumes at the target.")] = field(
        default=None, name="targetAttachmentPodUID"
    )
    target_cpu_set: Annotated[
        tuple[Int32, ...] | None, doc("Processors of the target node that the guest gets.")
    ] = field(default=None, name="targetCPUSet")
    target_direct_migration_node_ports: Annotated[
        dict[str, Int32] | None, doc("Ports of the target that take part.")
    ] = None
    target_memory_overhead: Annotated[
        Quantity | None, doc("What the launcher at the target needs beside the guest.")
    ] = None
    target_node: Annotated[str | None, doc("Node that the guest goes to.")] = None
    target_node_address: Annotated[str | None, doc("Address of the target.")] = None
    target_node_domain_detected: Annotated[bool | None, doc("libvirt's domain is there at the target.")] = (
        None
    )
    target_node_domain_ready_timestamp: Annotated[Time | None, doc("When the guest ran at the target.")] = (
        None
    )
    target_node_topology: Annotated[str | None, doc("Processors and memory nodes of the target.")] = None
    target_persistent_state_pvc_name: Annotated[
        str | None, doc("Claim with EFI variables and TPM at the target.")
    ] = field(default=None, name="targetPersistentStatePVCName")
    target_pod: Annotated[str | None, doc("Launcher pod at the target.")] = None
    target_state: Annotated[
        VirtualMachineInstanceMigrationTargetState | None, doc("The side that the guest goes to.")
    ] = None
