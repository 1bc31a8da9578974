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
        tuple[str, ...] | None,
        doc(
            "Machine types that VMIs may use, with wildcards, as q35* and pc-q35*; the usual ones when "
            "absent."
        ),
    ] = None
    machine_type: Annotated[str | None, doc("Machine type of VMIs that name none, as q35.")] = None
    ovmf_path: Annotated[
        str | None, doc("Folder of the UEFI firmware in the launcher; the distribution's when absent.")
    ] = None


class ArchConfiguration(Model, frozen=True, kw_only=True):
    """Settings by architecture."""

    amd64: Annotated[ArchSpecificConfiguration | None, doc("For amd64.")] = None
    arm64: Annotated[ArchSpecificConfiguration | None, doc("For arm64.")] = None
    default_architecture: Annotated[
        str | None,
        doc(
            "Architecture of VMIs that name none; that of the nodes virtdeck's own components run on when "
            "absent."
        ),
    ] = None
    ppc64le: Annotated[ArchSpecificConfiguration | None, doc("No longer supported.")] = None
    s390x: Annotated[ArchSpecificConfiguration | None, doc("For s390x.")] = None


class ChangedBlockTrackingSelectors(Model, frozen=True, kw_only=True):
    """For which VMs changed blocks are remembered."""

    namespace_label_selector: Annotated[
        LabelSelector | None, doc("Machines in namespaces with these labels.")
    ] = None
    virtual_machine_label_selector: Annotated[LabelSelector | None, doc("Machines with these labels.")] = None


class DisableFreePageReporting(Model, frozen=True, kw_only=True):
    """Guests do not give free memory back."""


class DisableSerialConsoleLog(Model, frozen=True, kw_only=True):
    """Serial consoles are not logged."""


class VirtualMachineOptions(Model, frozen=True, kw_only=True):
    """Settings of all guests."""

    disable_free_page_reporting: Annotated[
        DisableFreePageReporting | None,
        doc("There: guests do not give free memory back to the host by themselves."),
    ] = None
    disable_serial_console_log: Annotated[
        DisableSerialConsoleLog | None,
        doc(
            "There: what guests say on serial consoles is not logged, unless a VMI asks for it by "
            "logSerialConsole."
        ),
    ] = None


class InstancetypeConfiguration(Model, frozen=True, kw_only=True):
    """Instance types."""

    reference_policy: Annotated[
        str | None,
        doc(
            "How a machine keeps to its instance type and preference: reference (the default) by a copy "
            "that does not change, expand writes their settings into the machine once, expandAll does so "
            "for all machines there are."
        ),
    ] = None


class LiveUpdateConfiguration(Model, frozen=True, kw_only=True):
    """How far guests may grow while they run."""

    max_cpu_sockets: Annotated[
        int | None,
        doc(
            "How many sockets a guest may grow to that names no maxSockets; maxHotplugRatio × sockets "
            "when absent."
        ),
    ] = None
    max_guest: Annotated[
        Quantity | None,
        doc(
            "How much memory a guest may grow to that names no maxGuest, as 8Gi; maxHotplugRatio × guest "
            "when absent."
        ),
    ] = None
    max_hotplug_ratio: Annotated[
        int | None, doc("Factor on what a guest starts with, for the two others; 4 when absent.")
    ] = None


class SMBiosConfiguration(Model, frozen=True, kw_only=True):
    """What the firmware says of the system."""

    family: Annotated[str | None, doc("Family of the system in guests' DMI tables.")] = None
    manufacturer: Annotated[str | None, doc("Manufacturer of the system.")] = None
    product: Annotated[str | None, doc("Product name of the system.")] = None
    sku: Annotated[str | None, doc("Article number of the system.")] = None
    version: Annotated[str | None, doc("Version of the system.")] = None


class KubeVirtConfiguration(Model, frozen=True, kw_only=True):
    """Settings of all virtual machines and of the components."""

    additional_guest_memory_overhead_ratio: Annotated[
        str | None,
        doc(
            'Factor on the memory that is reckoned for launchers, as "1.5"; at least 1.0, which is the '
            "default. More keeps guests from being ended on nodes that are tight."
        ),
    ] = None
    api_configuration: Annotated[
        ReloadableComponentConfiguration | None, doc("How often virt-api may ask the API server.")
    ] = None
    architecture_configuration: Annotated[
        ArchConfiguration | None, doc("Machine types and firmware, by architecture.")
    ] = None
    auto_cpu_limit_namespace_label_selector: Annotated[
        LabelSelector | None,
        doc(
            "Namespaces in which launchers that name no CPU limit get one of 1 for each processor of the "
            "guest; none when absent."
        ),
    ] = field(default=None, name="autoCPULimitNamespaceLabelSelector")
    changed_block_tracking_label_selectors: Annotated[
        ChangedBlockTrackingSelectors | None,
        doc(
            "For which machines changed blocks are remembered, so that backups can be incremental; none "
            "when absent."
        ),
    ] = None
    common_instancetypes_deployment: Annotated[
        CommonInstancetypesDeployment | None,
        doc("Whether virtdeck's own instance types and preferences are kept in the cluster."),
    ] = None
    confidential_compute: Annotated[
        ConfidentialComputeConfiguration | None, doc("Encrypted guests on processors that can.")
    ] = None
    controller_configuration: Annotated[
        ReloadableComponentConfiguration | None,
        doc(
            "How often virt-controller may ask the API server; 200 requests in a second, 400 at once when "
            "absent."
        ),
    ] = None
    cpu_model: Annotated[
        str | None, doc("Processor model of VMIs that name none; host-model when absent.")
    ] = None
    cpu_request: Annotated[
        Quantity | None,
        doc(
            "CPU request of launchers for each processor of a guest, as 100m, where the VMI names none; "
            "derived from developerConfiguration.cpuAllocationRatio when absent."
        ),
    ] = None
    default_runtime_class: Annotated[
        str | None, doc("Runtime class of launchers' pods; the node's own when absent.")
    ] = None
    developer_configuration: Annotated[
        DeveloperConfiguration | None, doc("Feature gates, log levels, and settings for trying things out.")
    ] = None
    emulated_machines: Annotated[
        tuple[str, ...] | None,
        doc("Machine types that VMIs may use, with wildcards. Deprecated: use architectureConfiguration."),
    ] = None
    eviction_strategy: Annotated[
        str | None,
        doc(
            "What happens to VMIs that say nothing when their node is drained: LiveMigrate, "
            "LiveMigrateIfPossible, External or None, which is the default."
        ),
    ] = None
    handler_configuration: Annotated[
        ReloadableComponentConfiguration | None,
        doc(
            "How often virt-handler may ask the API server; 50 requests in a second, 100 at once when absent."
        ),
    ] = None
    hypervisors: Annotated[
        tuple[HypervisorConfiguration, ...] | None,
        doc(
            "Hypervisors that may be used: kvm (the default), hyperv-direct. Needs the feature gate "
            "ConfigurableHypervisor."
        ),
    ] = None
    image_pull_policy: Annotated[
        str | None,
        one_of("Always", "IfNotPresent", "Never"),
        doc("When registries are asked for launchers' images: Always, IfNotPresent (the default) or Never."),
    ] = None
    instancetype: Annotated[InstancetypeConfiguration | None, doc("Instance types.")] = None
    ksm_configuration: Annotated[
        KSMConfiguration | None,
        doc(
            "On which nodes equal pages of guests' memory are kept only once, when memory gets tight; "
            "none when absent."
        ),
    ] = None
    live_update_configuration: Annotated[
        LiveUpdateConfiguration | None, doc("How far guests may grow while they run.")
    ] = None
    machine_type: Annotated[
        str | None, doc("Machine type of VMIs that name none. Deprecated: use architectureConfiguration.")
    ] = None
    mediated_devices_configuration: Annotated[
        MediatedDevicesConfiguration | None,
        doc("Mediated devices (virtual GPUs) that virt-handler makes on nodes."),
    ] = None
    mem_balloon_stats_period: Annotated[
        int | None, doc("Seconds between reports of how guests use their memory; 10 when absent, 0 for none.")
    ] = None
    migrations: Annotated[
        MigrationConfiguration | None,
        doc("How guests move between nodes; a MigrationPolicy says otherwise for some."),
    ] = None
    min_cpu_model: Annotated[str | None, doc("No longer of any effect.")] = field(
        default=None, name="minCPUModel"
    )
    network: Annotated[NetworkConfiguration | None, doc("How guests are connected.")] = None
    obsolete_cpu_models: Annotated[
        dict[str, bool] | None,
        doc(
            "Processor models that nodes do not offer, each with true, as Conroe: true; the oldest ones "
            "when absent."
        ),
    ] = field(default=None, name="obsoleteCPUModels")
    ovmf_path: Annotated[
        str | None, doc("Folder of the UEFI firmware. Deprecated: use architectureConfiguration.")
    ] = None
    permitted_host_devices: Annotated[
        PermittedHostDevices | None,
        doc("Devices of nodes that guests may have, and the names that they ask for them by."),
    ] = None
    persistent_reservation_configuration: Annotated[
        PersistentReservationConfiguration | None, doc("SCSI persistent reservations of guests.")
    ] = None
    role_aggregation_strategy: Annotated[
        str | None,
        doc(
            "AggregateToDefault (the default) adds kubevirt.io:view, edit and admin to Kubernetes' own "
            "roles; Manual leaves it to the administrator to bind them."
        ),
    ] = None
    seccomp_configuration: Annotated[
        SeccompConfiguration | None, doc("Which system calls launchers may make.")
    ] = None
    selinux_launcher_type: Annotated[
        str | None, doc("SELinux type of launchers; the container runtime's own when absent.")
    ] = None
    smbios: Annotated[SMBiosConfiguration | None, doc("What the firmware of guests says of the system.")] = (
        None
    )
    support_container_resources: Annotated[
        tuple[SupportContainerResources, ...] | None,
        doc("What containers beside the guest ask of the node, by kind of container."),
    ] = None
    supported_guest_agent_versions: Annotated[
        tuple[str, ...] | None,
        doc(
            "Versions of the guest agent that count as supported. Deprecated: what an agent can do is "
            "asked of it."
        ),
    ] = None
    tls_configuration: Annotated[TLSConfiguration | None, doc("Which TLS the components speak.")] = None
    virt_template_deployment: Annotated[
        VirtTemplateDeployment | None, doc("Whether templates of virtual machines are served.")
    ] = None
    virtual_machine_instances_per_node: Annotated[
        Int32 | None, doc("How many VMIs a node takes at most; 110 when absent.")
    ] = None
    virtual_machine_options: Annotated[VirtualMachineOptions | None, doc("Settings of all guests.")] = None
    vm_rollout_strategy: Annotated[
        str | None,
        doc(
            "What a change of a running machine's template does: Stage (the default) waits for the next "
            "start, LiveUpdate lets it reach the guest where that is possible."
        ),
    ] = None
    vm_state_storage_class: Annotated[
        str | None,
        doc("Class of storage for claims with EFI variables and TPMs; the default class when absent."),
    ] = None
    webhook_configuration: Annotated[
        ReloadableComponentConfiguration | None, doc("How often virt-api's webhooks may ask the API server.")
    ] = None
