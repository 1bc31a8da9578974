"""From a VMI to its launcher pod; pure."""

from dataclasses import dataclass

from virtdeck.controllers import names
from virtdeck.controllers.cluster import ClusterConfig
from virtdeck.controllers.vmi.pod_files import service_account
from virtdeck.controllers.vmi.pod_name import pod_name
from virtdeck.controllers.vmi.pod_probes import container_probe
from virtdeck.controllers.vmi.pod_resources import overhead_bytes, pod_resources
from virtdeck.controllers.vmi.pod_volumes import Mounted, image_pull_secrets, pod_volumes
from virtdeck.crds import kinds
from virtdeck.crds.conditions import POD_UNPAUSED
from virtdeck.crds.core.pod import Pod, PodReadinessGate, PodSecurityContext, PodSpec
from virtdeck.crds.core.pod_containers import Capabilities, Container, SeccompProfile, SecurityContext
from virtdeck.crds.kubevirt.grace import grace_seconds
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import ObjectMeta, OwnerReference

COMPUTE = "compute"
GRACE_ROOM_SECONDS = 30  # for virt-handler and the launcher to end what the guest did not
_UNWANTED_ANNOTATIONS = (
    "kubectl.kubernetes.io/",
    "kubevirt.io/latest-observed",
    "kubevirt.io/storage-observed",
)


@dataclass(frozen=True)
class LauncherSettings:
    """What every launcher pod has alike. uid, gid: whom the container runs as."""

    image: str
    uid: int
    gid: int


def render_pod(vmi: VirtualMachineInstance, launcher: LauncherSettings, config: ClusterConfig) -> Pod:
    """The pod that runs this VMI. Raises: Invalid when an amount in the VMI cannot be read."""
    return Pod(
        api_version=kinds.POD.api_version,
        kind=kinds.POD.kind,
        metadata=_metadata(vmi, config),
        spec=_spec(vmi, launcher, config, pod_volumes(vmi)),
    )


def _metadata(vmi: VirtualMachineInstance, config: ClusterConfig) -> ObjectMeta:
    meta = vmi.metadata
    kept = {
        name: value
        for name, value in (meta.annotations or {}).items()
        if not name.startswith(_UNWANTED_ANNOTATIONS)
    }
    return ObjectMeta(
        name=pod_name(vmi),
        namespace=meta.namespace,
        labels={
            **_label_copies(meta.labels),
            names.APP: "virt-launcher",
            names.CREATED_BY: meta.uid or "",
            names.VM_NAME: (meta.name or "")[:63],
        },
        annotations={
            **kept,
            names.DOMAIN: meta.name or "",
            names.MEMORY_OVERHEAD: str(overhead_bytes(vmi, config)),
            "kubectl.kubernetes.io/default-container": COMPUTE,
        },
        owner_references=(_owner(vmi),),
    )


def _label_copies(labels: dict[str, str] | None) -> dict[str, str]:
    """The VMI's labels, save the one that handing over adds."""
    return {name: value for name, value in (labels or {}).items() if name != names.NODE_NAME}


def _owner(vmi: VirtualMachineInstance) -> OwnerReference:
    return OwnerReference(
        api_version=kinds.VMI.api_version,
        kind=kinds.VMI.kind,
        name=vmi.metadata.name or "",
        uid=vmi.metadata.uid or "",
        controller=True,
        block_owner_deletion=True,
    )


def _spec(
    vmi: VirtualMachineInstance,
    launcher: LauncherSettings,
    config: ClusterConfig,
    volumes: tuple[Mounted, ...],
) -> PodSpec:
    spec = vmi.spec
    return PodSpec(
        restart_policy="Never",
        hostname=spec.hostname or _host_name(vmi),
        subdomain=spec.subdomain,
        dns_policy=spec.dns_policy,
        dns_config=spec.dns_config,
        node_selector=_node_selector(vmi, config),
        affinity=spec.affinity,
        tolerations=spec.tolerations,
        topology_spread_constraints=spec.topology_spread_constraints,
        scheduler_name=spec.scheduler_name,
        priority_class_name=spec.priority_class_name,
        runtime_class_name=config.runtime_class,
        termination_grace_period_seconds=grace_seconds(vmi) + GRACE_ROOM_SECONDS,
        readiness_gates=(PodReadinessGate(condition_type=POD_UNPAUSED),),
        service_account_name=service_account(vmi),
        automount_service_account_token=False,
        enable_service_links=False,
        image_pull_secrets=image_pull_secrets(vmi),
        security_context=_pod_security(launcher),
        containers=(_compute(vmi, launcher, config, volumes),),
        volumes=tuple(found.volume for found in volumes),
    )


def _host_name(vmi: VirtualMachineInstance) -> str:
    """The VMI's name as a host name: up to its first dot, at most 63 characters."""
    return (vmi.metadata.name or "").split(".", maxsplit=1)[0][:63].rstrip("-")


def _node_selector(vmi: VirtualMachineInstance, config: ClusterConfig) -> dict[str, str]:
    architecture = {"kubernetes.io/arch": vmi.spec.architecture} if vmi.spec.architecture else {}
    wanted = vmi.spec.node_selector or {}
    return {names.SCHEDULABLE: "true", **architecture, **config.node_selectors, **wanted}


def _pod_security(launcher: LauncherSettings) -> PodSecurityContext:
    return PodSecurityContext(
        run_as_user=launcher.uid,
        run_as_group=launcher.gid,
        run_as_non_root=True,
        fs_group=launcher.gid,
        seccomp_profile=SeccompProfile(type="RuntimeDefault"),
    )


def _compute(
    vmi: VirtualMachineInstance,
    launcher: LauncherSettings,
    config: ClusterConfig,
    volumes: tuple[Mounted, ...],
) -> Container:
    meta = vmi.metadata
    return Container(
        name=COMPUTE,
        image=launcher.image,
        image_pull_policy=config.image_pull_policy,
        args=("--name", meta.name or "", "--namespace", meta.namespace or "", "--uid", meta.uid or ""),
        resources=pod_resources(vmi, config),
        security_context=SecurityContext(
            run_as_user=launcher.uid,
            run_as_group=launcher.gid,
            run_as_non_root=True,
            allow_privilege_escalation=False,
            capabilities=Capabilities(drop=("ALL",)),
        ),
        volume_mounts=tuple(found.mount for found in volumes),
        readiness_probe=container_probe(vmi.spec.readiness_probe),
        liveness_probe=container_probe(vmi.spec.liveness_probe),
    )
