"""Configuration of an installation: networks and migrations."""

from msgspec import field

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Quantity


class InterfaceBindingMigration(Model, frozen=True, kw_only=True):
    """TBD"""

    method: str | None = None


class ResourceRequirementsWithoutClaims(Model, frozen=True, kw_only=True):
    """TBD"""

    limits: dict[str, Quantity] | None = None
    requests: dict[str, Quantity] | None = None


class InterfaceBindingPlugin(Model, frozen=True, kw_only=True):
    """TBD"""

    compute_resource_overhead: ResourceRequirementsWithoutClaims | None = None
    domain_attachment_type: str | None = None
    downward_api: str | None = field(default=None, name="downwardAPI")
    migration: InterfaceBindingMigration | None = None
    network_attachment_definition: str | None = None
    sidecar_image: str | None = None


class NetworkConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    binding: dict[str, InterfaceBindingPlugin] | None = None
    default_network_interface: str | None = None
    permit_bridge_interface_on_pod_network: bool | None = None
    permit_slirp_interface: bool | None = None


class MigrationConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    allow_auto_converge: bool | None = None
    allow_post_copy: bool | None = None
    allow_workload_disruption: bool | None = None
    bandwidth_per_migration: Quantity | None = None
    completion_timeout_per_gib: int | None = field(default=None, name="completionTimeoutPerGiB")
    disable_tls: bool | None = field(default=None, name="disableTLS")
    match_selinux_level_on_migration: bool | None = field(default=None, name="matchSELinuxLevelOnMigration")
    max_downtime_ms: int | None = None
    network: str | None = None
    node_drain_taint_key: str | None = None
    parallel_migrations_per_cluster: int | None = None
    parallel_outbound_migrations_per_node: int | None = None
    progress_timeout: int | None = None
    unsafe_migration_override: bool | None = None
    utility_volumes_timeout: int | None = None
