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

    name: Annotated[str, doc("Name, which devices refer to.")]
    resource_claim_name: Annotated[str | None, doc("ResourceClaim of this namespace.")] = None
    resource_claim_template_name: Annotated[str | None, doc("ResourceClaimTemplate of this namespace.")] = (
        None
    )


class VirtualMachineInstanceSpec(Model, frozen=True, kw_only=True):
    """What the guest is and where it runs."""

    access_credentials: Annotated[
        Annotated[tuple[AccessCredential, ...], Meta(max_length=256)] | None,
        doc("Keys and passwords that are put into the running guest."),
    ] = None
    affinity: Annotated[Affinity | None, doc("On which nodes, near or away from which pods.")] = None
    architecture: Annotated[str | None, doc("amd64, arm64 or s390x; the cluster's own when absent.")] = None
    dns_config: Annotated[
        PodDNSConfig | None, doc("Name servers and search names, added to those of dnsPolicy.")
    ] = None
    dns_policy: Annotated[
        str | None,
        one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
        doc("Where names are looked up."),
    ] = None
    domain: Annotated[DomainSpec, doc("The machine that the guest sees.")]
    eviction_strategy: Annotated[
        str | None,
        doc("What happens when the node is drained: LiveMigrate, LiveMigrateIfPossible, External or None."),
    ] = None
    hostname: Annotated[str | None, doc("Host name of the guest; the VMI's name when absent.")] = None
    liveness_probe: Annotated[Probe | None, doc("A guest that fails it is stopped.")] = None
    networks: Annotated[
        Annotated[tuple[Network, ...], Meta(max_length=256)] | None,
        doc("Networks that interfaces connect to."),
    ] = None
    node_selector: Annotated[dict[str, str] | None, doc("Labels that the node must have.")] = None
    priority_class_name: Annotated[str | None, doc("Priority of the launcher pod.")] = None
    readiness_probe: Annotated[Probe | None, doc("A guest that fails it gets no traffic from services.")] = (
        None
    )
    resource_claims: Annotated[
        tuple[VirtualMachineInstanceResourceClaim, ...] | None, doc("Claims of devices.")
    ] = None
    scheduler_name: Annotated[str | None, doc("Scheduler that places the launcher pod.")] = None
    service_account_name: Annotated[str | None, doc("Service account of the launcher pod.")] = None
    start_strategy: Annotated[
        str | None, doc("Paused keeps the guest from running until it is unpaused.")
    ] = None
    subdomain: Annotated[str | None, doc("Domain of the guest, with a service of this name.")] = None
    termination_grace_period_seconds: Annotated[
        int | None, doc("Seconds that the guest has for shutting down before it is switched off.")
    ] = None
    tolerations: Annotated[
        tuple[Toleration, ...] | None, doc("Taints of nodes that do not keep the guest away.")
    ] = None
    topology_spread_constraints: Annotated[
        tuple[TopologySpreadConstraint, ...] | None, doc("How evenly VMs are spread.")
    ] = None
    utility_volumes: Annotated[
        tuple[UtilityVolume, ...] | None, doc("Claims that virtdeck attaches for tasks of its own.")
    ] = None
    volumes: Annotated[
        Annotated[tuple[Volume, ...], Meta(max_length=256)] | None,
        doc("What is behind disks and file systems."),
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
