"""KubeVirt: one installation."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core.references import LocalObjectReference
from virtdeck.crds.core.scheduling import Affinity, Toleration
from virtdeck.crds.kubevirt.configuration import KubeVirtConfiguration
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Duration, Int32


class CertConfig(Model, frozen=True, kw_only=True):
    """TBD"""

    duration: Duration | None = None
    renew_before: Duration | None = None


class KubeVirtSelfSignConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    ca: CertConfig | None = None
    ca_overlap_interval: Duration | None = None
    ca_rotate_interval: Duration | None = None
    cert_rotate_interval: Duration | None = None
    server: CertConfig | None = None


class KubeVirtCertificateRotateStrategy(Model, frozen=True, kw_only=True):
    """TBD"""

    self_signed: KubeVirtSelfSignConfiguration | None = None


class NodePlacement(Model, frozen=True, kw_only=True):
    """TBD"""

    affinity: Affinity | None = None
    node_selector: dict[str, str] | None = None
    tolerations: tuple[Toleration, ...] | None = None


class ComponentConfig(Model, frozen=True, kw_only=True):
    """TBD"""

    node_placement: NodePlacement | None = None
    replicas: int | None = None


class CustomizeComponentsPatch(Model, frozen=True, kw_only=True):
    """TBD"""

    patch: str
    resource_name: str
    resource_type: str
    type: str


class Flags(Model, frozen=True, kw_only=True):
    """TBD"""

    api: dict[str, str] | None = None
    controller: dict[str, str] | None = None
    handler: dict[str, str] | None = None


class CustomizeComponents(Model, frozen=True, kw_only=True):
    """TBD"""

    flags: Flags | None = None
    patches: tuple[CustomizeComponentsPatch, ...] | None = None


class KubeVirtWorkloadUpdateStrategy(Model, frozen=True, kw_only=True):
    """TBD"""

    batch_eviction_interval: Duration | None = None
    batch_eviction_size: Int32 | None = None
    workload_update_methods: tuple[str, ...] | None = None


class GenerationStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    group: str
    hash: str | None = None
    last_generation: int
    namespace: str | None = None
    resource: str


class KubeVirtSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    certificate_rotate_strategy: KubeVirtCertificateRotateStrategy | None = None
    configuration: KubeVirtConfiguration | None = None
    customize_components: CustomizeComponents | None = None
    image_pull_policy: Annotated[str | None, one_of("Always", "IfNotPresent", "Never")] = None
    image_pull_secrets: tuple[LocalObjectReference, ...] | None = None
    image_registry: str | None = None
    image_tag: str | None = None
    infra: ComponentConfig | None = None
    monitor_account: str | None = None
    monitor_namespace: str | None = None
    product_component: str | None = None
    product_name: str | None = None
    product_version: str | None = None
    service_monitor_namespace: str | None = None
    synchronization_port: str | None = None
    uninstall_strategy: str | None = None
    workload_update_strategy: KubeVirtWorkloadUpdateStrategy | None = None
    workloads: ComponentConfig | None = None


class KubeVirtStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    conditions: tuple[Condition, ...] | None = None
    default_architecture: str | None = None
    generations: tuple[GenerationStatus, ...] | None = None
    observed_deployment_config: str | None = None
    observed_deployment_id: str | None = field(default=None, name="observedDeploymentID")
    observed_generation: int | None = None
    observed_kube_virt_registry: str | None = None
    observed_kube_virt_version: str | None = None
    operator_version: str | None = None
    outdated_virtual_machine_instance_workloads: Int32 | None = None
    phase: str | None = None
    synchronization_addresses: tuple[str, ...] | None = None
    target_deployment_config: str | None = None
    target_deployment_id: str | None = field(default=None, name="targetDeploymentID")
    target_kube_virt_registry: str | None = None
    target_kube_virt_version: str | None = None


class KubeVirt(Model, frozen=True, kw_only=True):
    """TBD"""

    api_version: str | None = None
    kind: str | None = None
    metadata: ObjectMeta = ObjectMeta()
    spec: KubeVirtSpec
    status: KubeVirtStatus = KubeVirtStatus()
