"""Configuration of an installation: ``spec.configuration`` of a KubeVirt."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.configuration_components import (
    CommonInstancetypesDeployment,
    DeveloperConfiguration,
    ReloadableComponentConfiguration,
    SeccompConfiguration,
    SupportContainerResources,
    TLSConfiguration,
    VirtTemplateDeployment,
)
from virtdeck.crds.kubevirt.configuration_devices import (
    ConfidentialComputeConfiguration,
    HypervisorConfiguration,
    KSMConfiguration,
    MediatedDevicesConfiguration,
    PermittedHostDevices,
    PersistentReservationConfiguration,
)
from virtdeck.crds.kubevirt.configuration_network import MigrationConfiguration, NetworkConfiguration
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Int32, Quantity
from virtdeck.crds.selectors import LabelSelector


class ArchSpecificConfiguration(Model, frozen=True, kw_only=True):
    """Settings for one architecture."""

    emulated_machines: Annotated[
        tuple[str, ...] | None, doc("Machine types that VMIs may use, with wildcards.")
    ] = None
    machine_type: Annotated[str | None, doc("Machine type of VMIs that name none.")] = None
    ovmf_path: Annotated[str | None, doc("Where the UEFI firmware lies.")] = None


class ArchConfiguration(Model, frozen=True, kw_only=True):
    """Settings by architecture."""

    amd64: Annotated[ArchSpecificConfiguration | None, doc("For amd64.")] = None
    arm64: Annotated[ArchSpecificConfiguration | None, doc("For arm64.")] = None
    default_architecture: Annotated[str | None, doc("Architecture of VMIs that name none.")] = None
    ppc64le: Annotated[ArchSpecificConfiguration | None, doc("No longer supported.")] = None
    s390x: Annotated[ArchSpecificConfiguration | None, doc("For s390x.")] = None


class ChangedBlockTrackingSelectors(Model, frozen=True, kw_only=True):
    """For which VMs changed blocks are remembered."""

    namespace_label_selector: Annotated[LabelSelector | None, doc("In which namespaces.")] = None
    virtual_machine_label_selector: Annotated[LabelSelector | None, doc("For which VMs.")] = None


class DisableFreePageReporting(Model, frozen=True, kw_only=True):
    """Guests do not give free memory back."""


class DisableSerialConsoleLog(Model, frozen=True, kw_only=True):
    """Serial consoles are not logged."""


class VirtualMachineOptions(Model, frozen=True, kw_only=True):
    """Settings of all guests."""

    disable_free_page_reporting: Annotated[
        DisableFreePageReporting | None, doc("Guests do not give free memory back.")
    ] = None
    disable_serial_console_log: Annotated[
        DisableSerialConsoleLog | None, doc("Serial consoles are not logged.")
    ] = None


class InstancetypeConfiguration(Model, frozen=True, kw_only=True):
    """Instance types."""

    reference_policy: Annotated[
        str | None, doc("How a VM refers to them: reference, expand or expandAll.")
    ] = None


class LiveUpdateConfiguration(Model, frozen=True, kw_only=True):
    """How far guests may grow while they run."""

    max_cpu_sockets: Annotated[int | None, doc("The most sockets.")] = None
    max_guest: Annotated[Quantity | None, doc("The most memory.")] = None
    max_hotplug_ratio: Annotated[int | None, doc("Factor on what a guest starts with; 4 when absent.")] = None


class SMBiosConfiguration(Model, frozen=True, kw_only=True):
    """What the firmware says of the system."""

    family: Annotated[str | None, doc("Family.")] = None
    manufacturer: Annotated[str | None, doc("Manufacturer.")] = None
    product: Annotated[str | None, doc("Product.")] = None
    sku: Annotated[str | None, doc("Article number.")] = None
    version: Annotated[str | None, doc("Version.")] = None


class KubeVirtConfiguration(Model, frozen=True, kw_only=True):
    """Settings of all virtual machines and of the components."""

    additional_guest_memory_overhead_ratio: Annotated[
        str | None, doc("Factor on the memory that launchers need, as 1.5.")
    ] = None
    api_configuration: Annotated[ReloadableComponentConfiguration | None, doc("Settings of virt-api.")] = None
    architecture_configuration: Annotated[ArchConfiguration | None, doc("Settings by architecture.")] = None
    auto_cpu_limit_namespace_label_selector: Annotated[
        LabelSelector | None, doc("Namespaces in which launchers get a CPU limit.")
    ] = field(default=None, name="autoCPULimitNamespaceLabelSelector")
    changed_block_tracking_label_selectors: Annotated[
        ChangedBlockTrackingSelectors | None, doc("For which VMs changed blocks are remembered.")
    ] = None
    common_instancetypes_deployment: Annotated[
        CommonInstancetypesDeployment | None, doc("Instance types and preferences that come along.")
    ] = None
    confidential_compute: Annotated[ConfidentialComputeConfiguration | None, doc("Encrypted guests.")] = None
    controller_configuration: Annotated[
        ReloadableComponentConfiguration | None, doc("Settings of virt-controller.")
    ] = None
    cpu_model: Annotated[
        str | None, doc("Processor model of VMIs that name none; host-model when absent.")
    ] = None
    cpu_request: Annotated[Quantity | None, doc("CPU request of VMIs that have none.")] = None
    default_runtime_class: Annotated[str | None, doc("Runtime class of launcher pods.")] = None
    developer_configuration: Annotated[
        DeveloperConfiguration | None, doc("Settings for trying things out, feature gates among them.")
    ] = None
    emulated_machines: Annotated[
        tuple[str, ...] | None, doc("Machine types that VMIs may use, with wildcards.")
    ] = None
    eviction_strategy: Annotated[str | None, doc("Eviction strategy of VMIs that name none.")] = None
    handler_configuration: Annotated[
        ReloadableComponentConfiguration | None, doc("Settings of virt-handler.")
    ] = None
    hypervisors: Annotated[
        tuple[HypervisorConfiguration, ...] | None, doc("Hypervisors that may be used.")
    ] = None
    image_pull_policy: Annotated[
        str | None,
        one_of("Always", "IfNotPresent", "Never"),
        doc("When registries are asked for launcher images."),
    ] = None
    instancetype: Annotated[InstancetypeConfiguration | None, doc("Instance types.")] = None
    ksm_configuration: Annotated[KSMConfiguration | None, doc("Equal pages of memory are shared.")] = None
    live_update_configuration: Annotated[
        LiveUpdateConfiguration | None, doc("How far guests may grow while they run.")
    ] = None
    machine_type: Annotated[str | None, doc("Machine type of amd64 VMIs that name none.")] = None
    mediated_devices_configuration: Annotated[
        MediatedDevicesConfiguration | None, doc("Mediated devices that are made on nodes.")
    ] = None
    mem_balloon_stats_period: Annotated[
        int | None, doc("Seconds between reports of guests' memory; 10 when absent, 0 for none.")
    ] = None
    migrations: Annotated[MigrationConfiguration | None, doc("How VMs move between nodes.")] = None
    min_cpu_model: Annotated[str | None, doc("No longer of any effect.")] = field(
        default=None, name="minCPUModel"
    )
    network: Annotated[NetworkConfiguration | None, doc("Networks of guests.")] = None
    obsolete_cpu_models: Annotated[dict[str, bool] | None, doc("Processor models that are not used.")] = (
        field(default=None, name="obsoleteCPUModels")
    )
    ovmf_path: Annotated[str | None, doc("Where the UEFI firmware lies.")] = None
    permitted_host_devices: Annotated[
        PermittedHostDevices | None, doc("Devices of nodes that guests may have.")
    ] = None
    persistent_reservation_configuration: Annotated[
        PersistentReservationConfiguration | None, doc("SCSI persistent reservations of guests.")
    ] = None
    role_aggregation_strategy: Annotated[
        str | None, doc("Whether user roles join Kubernetes' own: AggregateToDefault or Manual.")
    ] = None
    seccomp_configuration: Annotated[SeccompConfiguration | None, doc("Which system calls are allowed.")] = (
        None
    )
    selinux_launcher_type: Annotated[str | None, doc("SELinux type of launchers.")] = None
    smbios: Annotated[SMBiosConfiguration | None, doc("What the firmware says of the system.")] = None
    support_container_resources: Annotated[
        tuple[SupportContainerResources, ...] | None, doc("What helping containers ask of the node.")
    ] = None
    supported_guest_agent_versions: Annotated[
        tuple[str, ...] | None, doc("Versions of the guest agent that are supported.")
    ] = None
    tls_configuration: Annotated[TLSConfiguration | None, doc("TLS of the components.")] = None
    virt_template_deployment: Annotated[
        VirtTemplateDeployment | None, doc("Templates of virtual machines.")
    ] = None
    virtual_machine_instances_per_node: Annotated[Int32 | None, doc("The most VMIs on one node.")] = None
    virtual_machine_options: Annotated[VirtualMachineOptions | None, doc("Settings of all guests.")] = None
    vm_rollout_strategy: Annotated[
        str | None, doc("Whether changes wait for a restart (Stage) or reach running guests (LiveUpdate).")
    ] = None
    vm_state_storage_class: Annotated[str | None, doc("Class of storage for EFI variables and TPMs.")] = None
    webhook_configuration: Annotated[
        ReloadableComponentConfiguration | None, doc("Settings of webhooks.")
    ] = None
