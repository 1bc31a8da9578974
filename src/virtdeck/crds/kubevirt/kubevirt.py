"""KubeVirt: one installation."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core.references import LocalObjectReference
from virtdeck.crds.core.scheduling import Affinity, Toleration
from virtdeck.crds.kubevirt.configuration import KubeVirtConfiguration
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Count, Duration, Int32


class CertConfig(Model, frozen=True, kw_only=True):
    """How long certificates last."""

    duration: Annotated[Duration | None, doc("How long a certificate holds, as 24h.")] = None
    renew_before: Annotated[
        Duration | None, doc("How long before its end it is renewed, as 4h48m; less than duration.")
    ] = None


class KubeVirtSelfSignConfiguration(Model, frozen=True, kw_only=True):
    """Certificates that the installation signs itself."""

    ca: Annotated[
        CertConfig | None,
        doc("Of the authority that signs the others; 168h, renewed 33h36m before its end, when absent."),
    ] = None
    ca_overlap_interval: Annotated[Duration | None, doc("Deprecated: use ca.renewBefore.")] = None
    ca_rotate_interval: Annotated[Duration | None, doc("Deprecated: use ca.duration.")] = None
    cert_rotate_interval: Annotated[Duration | None, doc("Deprecated: use server.duration.")] = None
    server: Annotated[
        CertConfig | None,
        doc(
            "Of the components; 24h, renewed 4h48m before its end, when absent. It may not outlast the "
            "authority's."
        ),
    ] = None


class KubeVirtCertificateRotateStrategy(Model, frozen=True, kw_only=True):
    """How certificates are renewed."""

    self_signed: Annotated[
        KubeVirtSelfSignConfiguration | None, doc("Certificates that the installation signs itself.")
    ] = None


class NodePlacement(Model, frozen=True, kw_only=True):
    """Nodes that pods run on."""

    affinity: Annotated[Affinity | None, doc("On which nodes, near or away from which pods.")] = None
    node_selector: Annotated[dict[str, str] | None, doc("Labels that nodes must have.")] = None
    tolerations: Annotated[
        tuple[Toleration, ...] | None, doc("Taints of nodes that do not keep pods away.")
    ] = None


class ComponentConfig(Model, frozen=True, kw_only=True):
    """Where components run, and how many of them."""

    node_placement: Annotated[
        NodePlacement | None,
        doc("Nodes that they run on; control plane nodes for infra, all nodes for workloads when absent."),
    ] = None
    replicas: Annotated[
        Count | None, doc("How many of each, above 0; by the number of nodes when absent. Not for workloads.")
    ] = None


class CustomizeComponentsPatch(Model, frozen=True, kw_only=True):
    """A change to one of the installation's objects."""

    patch: Annotated[str, doc("The patch, as JSON.")]
    resource_name: Annotated[str, doc("Name of the object, or * for all of its kind.")]
    resource_type: Annotated[str, doc("Kind of the object, as Deployment.")]
    type: Annotated[str, doc("How the patch is written: json, merge or strategic.")]


class Flags(Model, frozen=True, kw_only=True):
    """Further arguments of components."""

    api: Annotated[dict[str, str] | None, doc("Of virt-api.")] = None
    controller: Annotated[dict[str, str] | None, doc("Of virt-controller.")] = None
    handler: Annotated[dict[str, str] | None, doc("Of virt-handler.")] = None


class CustomizeComponents(Model, frozen=True, kw_only=True):
    """Changes to the installation's objects."""

    flags: Annotated[Flags | None, doc("Further arguments of components.")] = None
    patches: Annotated[tuple[CustomizeComponentsPatch, ...] | None, doc("Patches.")] = None


class KubeVirtWorkloadUpdateStrategy(Model, frozen=True, kw_only=True):
    """How running VMs get to a new release's launcher."""

    batch_eviction_interval: Annotated[
        Duration | None, doc("Time between two batches of Evict, as 1m, which is the default.")
    ] = None
    batch_eviction_size: Annotated[
        Int32 | None, doc("How many guests are evicted in one batch; 10 when absent.")
    ] = None
    workload_update_methods: Annotated[
        tuple[str, ...] | None,
        doc(
            "How guests come to the newer release: LiveMigrate moves them, Evict ends those that cannot "
            "move; not at all when empty."
        ),
    ] = None


class GenerationStatus(Model, frozen=True, kw_only=True):
    """An object as it was last applied."""

    name: Annotated[str, doc("Its name.")]
    group: Annotated[str, doc("Its group.")]
    hash: Annotated[str | None, doc("Its contents.")] = None
    last_generation: Annotated[int, doc("Its generation.")]
    namespace: Annotated[str | None, doc("Its namespace.")] = None
    resource: Annotated[str, doc("Its resource.")]


class KubeVirtSpec(Model, frozen=True, kw_only=True):
    """What is installed and how it is set up."""

    certificate_rotate_strategy: Annotated[
        KubeVirtCertificateRotateStrategy | None, doc("How long certificates hold and when they are renewed.")
    ] = None
    configuration: Annotated[
        KubeVirtConfiguration | None, doc("Settings of all virtual machines and of the components.")
    ] = None
    customize_components: Annotated[
        CustomizeComponents | None, doc("Changes to the objects that the installation consists of.")
    ] = None
    image_pull_policy: Annotated[
        str | None,
        one_of("Always", "IfNotPresent", "Never"),
        doc(
            "When registries are asked for the components' images: Always, IfNotPresent (the default) or "
            "Never."
        ),
    ] = None
    image_pull_secrets: Annotated[
        tuple[LocalObjectReference, ...] | None,
        doc("Secrets with the registry's credentials; none when absent."),
    ] = None
    image_registry: Annotated[
        str | None, doc("Registry of the components' images; virt-operator's own when absent.")
    ] = None
    image_tag: Annotated[
        str | None,
        doc("Release of the components; virt-operator's own when absent. A change updates the installation."),
    ] = None
    infra: Annotated[
        ComponentConfig | None, doc("Where virt-api and virt-controller run, and how many of them.")
    ] = None
    monitor_account: Annotated[
        str | None, doc("Service account of Prometheus, which may then read metrics.")
    ] = None
    monitor_namespace: Annotated[str | None, doc("Namespace of Prometheus.")] = None
    product_component: Annotated[
        str | None, doc("What the product's objects are labelled with: component.")
    ] = None
    product_name: Annotated[str | None, doc("What the product's objects are labelled with: name.")] = None
    product_version: Annotated[str | None, doc("What the product's objects are labelled with: version.")] = (
        None
    )
    service_monitor_namespace: Annotated[str | None, doc("Namespace of the ServiceMonitor.")] = None
    synchronization_port: Annotated[
        str | None, doc("Port at which other clusters are met for migrations.")
    ] = None
    uninstall_strategy: Annotated[
        str | None,
        doc("Uninstalling removes VMs (RemoveWorkloads) or is refused (BlockUninstallIfWorkloadsExist)."),
    ] = None
    workload_update_strategy: Annotated[
        KubeVirtWorkloadUpdateStrategy | None, doc("How running VMs get to a new release's launcher.")
    ] = None
    workloads: Annotated[ComponentConfig | None, doc("Where VMs run.")] = None


class KubeVirtStatus(Model, frozen=True, kw_only=True):
    """How far the installation is."""

    conditions: Annotated[
        tuple[Condition, ...] | None, doc("Questions about the object and their answers.")
    ] = None
    default_architecture: Annotated[str | None, doc("Architecture of VMIs that name none.")] = None
    generations: Annotated[tuple[GenerationStatus, ...] | None, doc("Objects as they were last applied.")] = (
        None
    )
    observed_deployment_config: Annotated[str | None, doc("What is installed, in every detail.")] = None
    observed_deployment_id: Annotated[str | None, doc("What is installed, as a checksum.")] = field(
        default=None, name="observedDeploymentID"
    )
    observed_generation: Annotated[int | None, doc("Generation that this status is about.")] = None
    observed_kube_virt_registry: Annotated[str | None, doc("Registry of what is installed.")] = None
    observed_kube_virt_version: Annotated[str | None, doc("Release that is installed.")] = None
    operator_version: Annotated[str | None, doc("Release of the operator.")] = None
    outdated_virtual_machine_instance_workloads: Annotated[
        Int32 | None, doc("VMIs with an older release's launcher.")
    ] = None
    phase: Annotated[str | None, doc("Deploying, Deployed, Deleting or Deleted.")] = None
    synchronization_addresses: Annotated[
        tuple[str, ...] | None, doc("Where other clusters are met for migrations.")
    ] = None
    target_deployment_config: Annotated[str | None, doc("What shall be installed, in every detail.")] = None
    target_deployment_id: Annotated[str | None, doc("What shall be installed, as a checksum.")] = field(
        default=None, name="targetDeploymentID"
    )
    target_kube_virt_registry: Annotated[str | None, doc("Registry of what shall be installed.")] = None
    target_kube_virt_version: Annotated[str | None, doc("Release that shall be installed.")] = None


class KubeVirt(Model, frozen=True, kw_only=True):
    """One installation."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[KubeVirtSpec, doc("What is installed and how it is set up.")]
    status: Annotated[KubeVirtStatus, doc("How far the installation is.")] = KubeVirtStatus()
