"""VirtualMachineInstance: one running guest."""

from typing import Annotated

from msgspec import Meta

from virtdeck.crds.core.dns import PodDNSConfig
from virtdeck.crds.core.scheduling import Affinity, Toleration, TopologySpreadConstraint
from virtdeck.crds.kubevirt.credentials import AccessCredential
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.network import Network
from virtdeck.crds.kubevirt.probes import Probe
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstanceStatus
from virtdeck.crds.kubevirt.volumes import UtilityVolume, Volume
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc, one_of


class VirtualMachineInstanceResourceClaim(Model, frozen=True, kw_only=True):
    """A claim of devices, by Kubernetes' resource claims."""

    name: Annotated[str, doc("Name, which devices refer to; unique.")]
    resource_claim_name: Annotated[
        str | None, doc("ResourceClaim of this namespace. Excludes resourceClaimTemplateName.")
    ] = None
    resource_claim_template_name: Annotated[
        str | None,
        doc(
            "ResourceClaimTemplate of this namespace, from which a claim is made for this VMI. Excludes "
            "resourceClaimName."
        ),
    ] = None


class VirtualMachineInstanceSpec(Model, frozen=True, kw_only=True):
    """What the guest is and where it runs."""

    access_credentials: Annotated[
        Annotated[tuple[AccessCredential, ...], Meta(max_length=256)] | None,
        doc(
            "SSH keys and passwords that are put into the guest, at its start or while it runs; at most 256."
        ),
    ] = None
    affinity: Annotated[
        Affinity | None,
        doc("On which nodes the guest runs, near or away from which other pods; anywhere when absent."),
    ] = None
    architecture: Annotated[
        str | None, doc("amd64, arm64 or s390x; the cluster's own when absent. It cannot change afterwards.")
    ] = None
    dns_config: Annotated[
        PodDNSConfig | None,
        doc(
            "Name servers and search names, added to those of dnsPolicy; instead of them with dnsPolicy: "
            "None, which needs it."
        ),
    ] = None
    dns_policy: Annotated[
        str | None,
        one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
        doc(
            "Where names are looked up: ClusterFirst (the default) asks the cluster, Default the node's "
            "resolvers, None only those of dnsConfig."
        ),
    ] = None
    domain: Annotated[DomainSpec, doc("The machine that the guest sees.")]
    eviction_strategy: Annotated[
        str | None,
        doc(
            "What happens when the guest's node is drained: LiveMigrate moves it, LiveMigrateIfPossible "
            "moves it or lets it end, External leaves it to whoever watches, None lets it end. The "
            "cluster's evictionStrategy when absent."
        ),
    ] = None
    hostname: Annotated[
        str | None,
        doc(
            "Host name of the guest, as DHCP and cloud-init tell it; at most 63 characters. The VMI's "
            "name when absent."
        ),
    ] = None
    liveness_probe: Annotated[
        Probe | None,
        doc(
            "A guest that fails it is stopped, and started again if its runStrategy says so. Never asked "
            "when absent."
        ),
    ] = None
    networks: Annotated[
        Annotated[tuple[Network, ...], Meta(max_length=256)] | None,
        doc(
            "Networks that interfaces connect to, at most 256, each used by exactly one. The pod network "
            "when absent and autoattachPodInterface is not false."
        ),
    ] = None
    node_selector: Annotated[
        dict[str, str] | None, doc("Labels that the node must have; any node when absent.")
    ] = None
    priority_class_name: Annotated[
        str | None,
        doc(
            "PriorityClass of the launcher's pod: who goes first, and who gives way when a node is full. "
            "The cluster's default when absent."
        ),
    ] = None
    readiness_probe: Annotated[
        Probe | None,
        doc(
            "A guest that fails it gets no traffic from services, and its condition Ready is False. Ready "
            "once it runs when absent."
        ),
    ] = None
    resource_claims: Annotated[
        tuple[VirtualMachineInstanceResourceClaim, ...] | None,
        doc(
            "Claims of devices, which gpus, hostDevices and networks refer to. Needs the feature gates "
            "for such devices."
        ),
    ] = None
    scheduler_name: Annotated[
        str | None, doc("Scheduler that places the launcher's pod; Kubernetes' own when absent.")
    ] = None
    service_account_name: Annotated[
        str | None,
        doc(
            "Service account of the launcher's pod. The guest itself gets its token only by a "
            "serviceAccount volume."
        ),
    ] = None
    start_strategy: Annotated[
        str | None,
        doc(
            "Paused: the guest's processors stand still until virtctl unpause; the guest runs at once "
            "when absent."
        ),
    ] = None
    subdomain: Annotated[
        str | None,
        doc(
            "With a headless service of this name, the guest is found in DNS as "
            "hostname.subdomain.namespace.svc."
        ),
    ] = None
    termination_grace_period_seconds: Annotated[
        int | None,
        doc(
            "Seconds that the guest has for shutting down by itself before it is switched off; 0 switches "
            "it off at once. 30 when absent."
        ),
    ] = None
    tolerations: Annotated[
        tuple[Toleration, ...] | None,
        doc("Taints of nodes that do not keep the guest away; none when absent."),
    ] = None
    topology_spread_constraints: Annotated[
        tuple[TopologySpreadConstraint, ...] | None,
        doc("How evenly guests with the same labels are spread over nodes or zones."),
    ] = None
    utility_volumes: Annotated[
        tuple[UtilityVolume, ...] | None,
        doc(
            "Claims that virtdeck attaches for tasks of its own, as backups; the guest sees no disk. Only "
            "virtdeck changes them."
        ),
    ] = None
    volumes: Annotated[
        Annotated[tuple[Volume, ...], Meta(max_length=256)] | None,
        doc("What is behind disks and file systems, at most 256."),
    ] = None


class VirtualMachineInstance(Model, frozen=True, kw_only=True):
    """One running guest."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineInstanceSpec, doc("What the guest is and where it runs.")]
    status: Annotated[VirtualMachineInstanceStatus, doc("What is known about it.")] = (
        VirtualMachineInstanceStatus()
    )
