"""VirtualMachineInstance: one running guest."""

from typing import Annotated

from virtdeck.crds.core.dns import PodDNSConfig
from virtdeck.crds.core.scheduling import Affinity, Toleration, TopologySpreadConstraint
from virtdeck.crds.kubevirt.credentials import AccessCredential
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.network import Network
from virtdeck.crds.kubevirt.probes import Probe
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstanceStatus
from virtdeck.crds.kubevirt.volumes import UtilityVolume, Volume
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, one_of


class VirtualMachineInstanceResourceClaim(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class VirtualMachineInstanceSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    access_credentials: tuple[AccessCredential, ...] | None = None
    affinity: Affinity | None = None
    architecture: str | None = None
    dns_config: PodDNSConfig | None = None
    dns_policy: Annotated[
        str | None, one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
    ] = None
    domain: DomainSpec
    eviction_strategy: str | None = None
    hostname: str | None = None
    liveness_probe: Probe | None = None
    networks: tuple[Network, ...] | None = None
    node_selector: dict[str, str] | None = None
    priority_class_name: str | None = None
    readiness_probe: Probe | None = None
    resource_claims: tuple[VirtualMachineInstanceResourceClaim, ...] | None = None
    scheduler_name: str | None = None
    service_account_name: str | None = None
    start_strategy: str | None = None
    subdomain: str | None = None
    termination_grace_period_seconds: int | None = None
    tolerations: tuple[Toleration, ...] | None = None
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] | None = None
    utility_volumes: tuple[UtilityVolume, ...] | None = None
    volumes: tuple[Volume, ...] | None = None


class VirtualMachineInstance(Model, frozen=True, kw_only=True):
    """TBD"""

    api_version: str | None = None
    kind: str | None = None
    metadata: ObjectMeta = ObjectMeta()
    spec: VirtualMachineInstanceSpec
    status: VirtualMachineInstanceStatus = VirtualMachineInstanceStatus()
