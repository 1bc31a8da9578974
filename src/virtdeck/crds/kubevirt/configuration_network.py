"""Configuration of an installation: networks and migrations."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Quantity


class InterfaceBindingMigration(Model, frozen=True, kw_only=True):
    """What happens to the interface in a migration."""

    method: Annotated[
        str | None,
        doc(
            "link-refresh: the cable is taken out and put in again at the target, so that the guest asks "
            "for its address anew."
        ),
    ] = None


class ResourceRequirementsWithoutClaims(Model, frozen=True, kw_only=True):
    """What a container asks of the node."""

    limits: Annotated[dict[str, Quantity] | None, doc("The most it may use.")] = None
    requests: Annotated[dict[str, Quantity] | None, doc("What the node keeps for it.")] = None


class InterfaceBindingPlugin(Model, frozen=True, kw_only=True):
    """A way of connecting guests."""

    compute_resource_overhead: Annotated[
        ResourceRequirementsWithoutClaims | None, doc("What it adds to the launcher's pod, as memory: 250Mi.")
    ] = None
    domain_attachment_type: Annotated[
        str | None,
        doc(
            "What QEMU is given: tap (a device that is there) or managedTap (one that QEMU makes). The "
            "sidecar sees to it when absent."
        ),
    ] = None
    downward_api: Annotated[
        str | None, doc("device-info: the sidecar is told of the device by a file. Nothing when absent.")
    ] = field(default=None, name="downwardAPI")
    migration: Annotated[
        InterfaceBindingMigration | None,
        doc("What happens to the guest's link in a migration; such guests cannot migrate when absent."),
    ] = None
    network_attachment_definition: Annotated[
        str | None, doc("NetworkAttachmentDefinition that the pod is connected to for it, as namespace/name.")
    ] = None
    sidecar_image: Annotated[str | None, doc("Container beside the launcher that changes the domain.")] = None


class NetworkConfiguration(Model, frozen=True, kw_only=True):
    """Networks of guests."""

    binding: Annotated[
        dict[str, InterfaceBindingPlugin] | None,
        doc("Ways of connecting that were added, by the name that interfaces use."),
    ] = None
    default_network_interface: Annotated[
        str | None,
        doc("Binding of VMIs that name no network: bridge (the default of KubeVirt) or masquerade."),
    ] = None
    permit_bridge_interface_on_pod_network: Annotated[
        bool | None, doc("Whether the bridge binding may be used on the pod network; true when absent.")
    ] = None
    permit_slirp_interface: Annotated[bool | None, doc("No longer of any effect.")] = None


class MigrationConfiguration(Model, frozen=True, kw_only=True):
    """How VMs move between nodes."""

    allow_auto_converge: Annotated[
        bool | None,
        doc(
            "true: a guest that writes memory faster than it can be sent is slowed down until the "
            "migration can end. false when absent."
        ),
    ] = None
    allow_post_copy: Annotated[
        bool | None,
        doc(
            "true: after completionTimeoutPerGiB the guest goes on at the target and fetches the rest of "
            "its memory from there; if a node or the network fails then, the guest is lost. false when "
            "absent."
        ),
    ] = None
    allow_workload_disruption: Annotated[
        bool | None,
        doc(
            "true: after completionTimeoutPerGiB the migration is brought to its end, by post-copy if "
            "allowed and by pausing the guest else, instead of being given up. As allowPostCopy when "
            "absent."
        ),
    ] = None
    bandwidth_per_migration: Annotated[
        Quantity | None,
        doc(
            "The most that one migration may send in a second, in bytes, as 64Mi; 0 (the default) is "
            "without limit."
        ),
    ] = None
    completion_timeout_per_gib: Annotated[
        int | None,
        doc(
            "Seconds for each GiB of memory and migrated disk, after which a migration is given up or "
            "brought to its end; 150 when absent."
        ),
    ] = field(default=None, name="completionTimeoutPerGiB")
    disable_tls: Annotated[bool | None, doc("true: memory is sent unencrypted. false when absent.")] = field(
        default=None, name="disableTLS"
    )
    match_selinux_level_on_migration: Annotated[
        bool | None,
        doc(
            "Whether the target's launcher has the source's SELinux level, so that both may open shared "
            "disks; true when absent."
        ),
    ] = field(default=None, name="matchSELinuxLevelOnMigration")
    max_downtime_ms: Annotated[
        int | None,
        doc("How long the guest may stand still when it changes over, in milliseconds; 900 when absent."),
    ] = None
    network: Annotated[
        str | None,
        doc(
            "NetworkAttachmentDefinition in virtdeck's namespace that migrations use; the pod network "
            "when absent."
        ),
    ] = None
    node_drain_taint_key: Annotated[
        str | None, doc("Taint that makes guests leave a node; kubevirt.io/drain when absent.")
    ] = None
    parallel_migrations_per_cluster: Annotated[
        int | None, doc("How many may run at once; 5 when absent.")
    ] = None
    parallel_outbound_migrations_per_node: Annotated[
        int | None, doc("How many may leave one node at once; 2 when absent.")
    ] = None
    progress_timeout: Annotated[
        int | None, doc("Seconds without progress after which a migration is given up; 150 when absent.")
    ] = None
    unsafe_migration_override: Annotated[
        bool | None, doc("true: disks are migrated although their cache makes it unsafe. false when absent.")
    ] = None
    utility_volumes_timeout: Annotated[
        int | None,
        doc(
            "Seconds that a migration waits for backups and other tasks that hold utility volumes; 150 "
            "when absent."
        ),
    ] = None
