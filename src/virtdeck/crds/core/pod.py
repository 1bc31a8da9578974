"""Pods, as far as launcher pods use them."""

from msgspec import field

from virtdeck.crds.core.dns import PodDNSConfig
from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.core.pod_containers import Container, ContainerStatus, SeccompProfile
from virtdeck.crds.core.pod_volumes import PodVolume
from virtdeck.crds.core.references import LocalObjectReference
from virtdeck.crds.core.scheduling import Affinity, Toleration, TopologySpreadConstraint
from virtdeck.crds.meta import Condition
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Time


class PodReadinessGate(Model, frozen=True, kw_only=True):
    """A further condition that must be True before the pod counts as ready."""

    condition_type: str


class PodSecurityContext(Model, frozen=True, kw_only=True):
    """The rights of all containers of a pod."""

    run_as_user: int | None = None
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    fs_group: int | None = None
    supplemental_groups: tuple[int, ...] | None = None
    seccomp_profile: SeccompProfile | None = None


class HostAlias(Model, frozen=True, kw_only=True):
    """Names in /etc/hosts."""

    ip: str
    hostnames: tuple[str, ...] | None = None


class PodSpec(Model, frozen=True, kw_only=True):
    """What should run, where, and with what."""

    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] | None = None
    volumes: tuple[PodVolume, ...] | None = None
    node_name: str | None = None
    node_selector: dict[str, str] | None = None
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] | None = None
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] | None = None
    scheduler_name: str | None = None
    priority_class_name: str | None = None
    priority: Int32 | None = None
    restart_policy: str | None = None
    termination_grace_period_seconds: int | None = None
    active_deadline_seconds: int | None = None
    readiness_gates: tuple[PodReadinessGate, ...] | None = None
    service_account_name: str | None = None
    automount_service_account_token: bool | None = None
    enable_service_links: bool | None = None
    security_context: PodSecurityContext | None = None
    image_pull_secrets: tuple[LocalObjectReference, ...] | None = None
    hostname: str | None = None
    subdomain: str | None = None
    dns_policy: str | None = None
    dns_config: PodDNSConfig | None = None
    host_aliases: tuple[HostAlias, ...] | None = None
    host_network: bool | None = None
    host_pid: bool | None = field(default=None, name="hostPID")
    host_ipc: bool | None = field(default=None, name="hostIPC")
    share_process_namespace: bool | None = None
    runtime_class_name: str | None = None


class PodIP(Model, frozen=True, kw_only=True):
    """One address of a pod."""

    ip: str | None = None


class PodStatus(Model, frozen=True, kw_only=True):
    """How a pod is. phase: Pending, Running, Succeeded, Failed or Unknown."""

    phase: str | None = None
    reason: str | None = None
    message: str | None = None
    conditions: tuple[Condition, ...] | None = None
    container_statuses: tuple[ContainerStatus, ...] | None = None
    init_container_statuses: tuple[ContainerStatus, ...] | None = None
    host_ip: str | None = field(default=None, name="hostIP")
    pod_ip: str | None = field(default=None, name="podIP")
    pod_ips: tuple[PodIP, ...] | None = field(default=None, name="podIPs")
    start_time: Time | None = None
    qos_class: str | None = None


class Pod(Plain, frozen=True, kw_only=True):
    """Containers that live and die together on one node."""

    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()
