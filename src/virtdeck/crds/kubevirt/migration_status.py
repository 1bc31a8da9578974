"""How far a migration of a VMI is."""

from msgspec import field

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Quantity, Time


class DowntimeTuningOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    cooldown_seconds: Int32 | None = None
    initial_ms: int | None = None
    start_after_iteration: int | None = None
    steps: Int32 | None = None


class StallDetectorOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    completion_timeout_factor: Quantity | None = None
    ewma_alpha: Quantity | None = None
    patience_window_decay_factor: Quantity | None = None
    precopy_possible_factor: Quantity | None = None
    search_local_minima: bool | None = None
    stall_margin: int | None = None
    stall_progress_timeout: int | None = None
    switchover_timeout: int | None = None


class ExperimentalMigrationOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    compression: str | None = None
    downtime_tuning: DowntimeTuningOptions | None = None
    stall_detector: StallDetectorOptions | None = None


class VMIMConfigurationOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    allow_auto_converge: bool | None = None
    allow_post_copy: bool | None = None
    allow_workload_disruption: bool | None = None
    bandwidth_per_migration: Quantity | None = None
    completion_timeout_per_gib: int | None = field(default=None, name="completionTimeoutPerGiB")
    disable_tls: bool | None = field(default=None, name="disableTLS")
    experimental: ExperimentalMigrationOptions | None = None
    match_selinux_level_on_migration: bool | None = field(default=None, name="matchSELinuxLevelOnMigration")
    max_downtime_ms: int | None = None
    network: str | None = None
    node_drain_taint_key: str | None = None
    parallel_migrations_per_cluster: int | None = None
    parallel_outbound_migrations_per_node: int | None = None
    progress_timeout: int | None = None
    unsafe_migration_override: bool | None = None
    utility_volumes_timeout: int | None = None


class VirtualMachineInstanceMigrationSourceState(Model, frozen=True, kw_only=True):
    """TBD"""

    domain_name: str | None = None
    domain_namespace: str | None = None
    migration_uid: str | None = field(default=None, name="migrationUID")
    node: str | None = None
    node_selectors: dict[str, str] | None = None
    persistent_state_pvc_name: str | None = field(default=None, name="persistentStatePVCName")
    pod: str | None = None
    selinux_context: str | None = None
    sync_address: str | None = None
    virtual_machine_instance_uid: str | None = field(default=None, name="virtualMachineInstanceUID")


class VirtualMachineInstanceMigrationTargetState(Model, frozen=True, kw_only=True):
    """TBD"""

    attachment_pod_uid: str | None = field(default=None, name="attachmentPodUID")
    cpu_set: tuple[Int32, ...] | None = None
    direct_migration_node_ports: dict[str, Int32] | None = None
    domain_detected: bool | None = None
    domain_name: str | None = None
    domain_namespace: str | None = None
    domain_ready_timestamp: Time | None = None
    migration_uid: str | None = field(default=None, name="migrationUID")
    node: str | None = None
    node_address: str | None = None
    node_topology: str | None = None
    persistent_state_pvc_name: str | None = field(default=None, name="persistentStatePVCName")
    pod: str | None = None
    selinux_context: str | None = None
    sync_address: str | None = None
    virtual_machine_instance_uid: str | None = field(default=None, name="virtualMachineInstanceUID")


class VirtualMachineInstanceMigrationState(Model, frozen=True, kw_only=True):
    """TBD"""

    abort_requested: bool | None = None
    abort_status: str | None = None
    completed: bool | None = None
    end_timestamp: Time | None = None
    failed: bool | None = None
    failure_reason: str | None = None
    migration_configuration: VMIMConfigurationOptions | None = None
    migration_network_type: str | None = None
    migration_policy_name: str | None = None
    migration_uid: str | None = None
    mode: str | None = None
    source_node: str | None = None
    source_persistent_state_pvc_name: str | None = field(default=None, name="sourcePersistentStatePVCName")
    source_pod: str | None = None
    source_state: VirtualMachineInstanceMigrationSourceState | None = None
    start_timestamp: Time | None = None
    target_attachment_pod_uid: str | None = field(default=None, name="targetAttachmentPodUID")
    target_cpu_set: tuple[Int32, ...] | None = field(default=None, name="targetCPUSet")
    target_direct_migration_node_ports: dict[str, Int32] | None = None
    target_memory_overhead: Quantity | None = None
    target_node: str | None = None
    target_node_address: str | None = None
    target_node_domain_detected: bool | None = None
    target_node_domain_ready_timestamp: Time | None = None
    target_node_topology: str | None = None
    target_persistent_state_pvc_name: str | None = field(default=None, name="targetPersistentStatePVCName")
    target_pod: str | None = None
    target_state: VirtualMachineInstanceMigrationTargetState | None = None
