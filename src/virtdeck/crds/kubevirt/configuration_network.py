"""Configuration of an installation: networks and migrations."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Quantity


class InterfaceBindingMigration(Model, frozen=True, kw_only=True):
    """What happens to the interface in a migration."""

    method: Annotated[str | None, doc("link-refresh takes the cable out and in at the target.")] = None


class ResourceRequirementsWithoutClaims(Model, frozen=True, kw_only=True):
    """What a container asks of the node."""

    limits: Annotated[dict[str, Quantity] | None, doc("The most it may use.")] = None
    requests: Annotated[dict[str, Quantity] | None, doc("What the node keeps for it.")] = None


class InterfaceBindingPlugin(Model, frozen=True, kw_only=True):
    """A way of connecting guests."""

    compute_resource_overhead: Annotated[
        ResourceRequirementsWithoutClaims | None, doc("What it adds to the launcher pod.")
    ] = None
    domain_attachment_type: Annotated[str | None, doc("What QEMU is given: tap or managedTap.")] = None
    downward_api: Annotated[str | None, doc("What the sidecar is told: device-info.")] = field(
        default=None, name="downwardAPI"
    )
    migration: Annotated[InterfaceBindingMigration | None, doc("What happens in a migration.")] = None
    network_attachment_definition: Annotated[str | None, doc("What the pod is connected to.")] = None
    sidecar_image: Annotated[str | None, doc("Container that changes the domain.")] = None


class NetworkConfiguration(Model, frozen=True, kw_only=True):
    """Networks of guests."""

    binding: Annotated[
        dict[str, InterfaceBindingPlugin] | None, doc("Ways of connecting that were added, by name.")
    ] = None
    default_network_interface: Annotated[
        str | None, doc("Binding of VMIs that name no network: bridge or masquerade.")
    ] = None
    permit_bridge_interface_on_pod_network: Annotated[
        bool | None, doc("The bridge binding may be used on the pod network; true when absent.")
    ] = None
    permit_slirp_interface: Annotated[bool | None, doc("No longer of any effect.")] = None


class MigrationConfiguration(Model, frozen=True, kw_only=True):
    """How VMs move between nodes."""

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
        Quantity | None, doc("The most that one migration may send in a second, as 64Mi.")
    ] = None
    completion_timeout_per_gib: Annotated[
        int | None, doc("Seconds that each GiB may take before it is given up.")
    ] = field(default=None, name="completionTimeoutPerGiB")
    disable_tls: Annotated[bool | None, doc("Memory is sent unencrypted.")] = field(
        default=None, name="disableTLS"
    )
    match_selinux_level_on_migration: Annotated[
        bool | None, doc("The target has the source's SELinux level.")
    ] = field(default=None, name="matchSELinuxLevelOnMigration")
    max_downtime_ms: Annotated[int | None, doc("Longest pause at the end, in milliseconds.")] = None
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
