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
from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Int32, Quantity
from virtdeck.crds.selectors import LabelSelector


class ArchSpecificConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    emulated_machines: tuple[str, ...] | None = None
    machine_type: str | None = None
    ovmf_path: str | None = None


class ArchConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    amd64: ArchSpecificConfiguration | None = None
    arm64: ArchSpecificConfiguration | None = None
    default_architecture: str | None = None
    ppc64le: ArchSpecificConfiguration | None = None
    s390x: ArchSpecificConfiguration | None = None


class ChangedBlockTrackingSelectors(Model, frozen=True, kw_only=True):
    """TBD"""

    namespace_label_selector: LabelSelector | None = None
    virtual_machine_label_selector: LabelSelector | None = None


class DisableFreePageReporting(Model, frozen=True, kw_only=True):
    """TBD"""


class DisableSerialConsoleLog(Model, frozen=True, kw_only=True):
    """TBD"""


class VirtualMachineOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    disable_free_page_reporting: DisableFreePageReporting | None = None
    disable_serial_console_log: DisableSerialConsoleLog | None = None


class InstancetypeConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    reference_policy: str | None = None


class LiveUpdateConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    max_cpu_sockets: int | None = None
    max_guest: Quantity | None = None
    max_hotplug_ratio: int | None = None


class SMBiosConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    family: str | None = None
    manufacturer: str | None = None
    product: str | None = None
    sku: str | None = None
    version: str | None = None


class KubeVirtConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    additional_guest_memory_overhead_ratio: str | None = None
    api_configuration: ReloadableComponentConfiguration | None = None
    architecture_configuration: ArchConfiguration | None = None
    auto_cpu_limit_namespace_label_selector: LabelSelector | None = field(
        default=None, name="autoCPULimitNamespaceLabelSelector"
    )
    changed_block_tracking_label_selectors: ChangedBlockTrackingSelectors | None = None
    common_instancetypes_deployment: CommonInstancetypesDeployment | None = None
    confidential_compute: ConfidentialComputeConfiguration | None = None
    controller_configuration: ReloadableComponentConfiguration | None = None
    cpu_model: str | None = None
    cpu_request: Quantity | None = None
    default_runtime_class: str | None = None
    developer_configuration: DeveloperConfiguration | None = None
    emulated_machines: tuple[str, ...] | None = None
    eviction_strategy: str | None = None
    handler_configuration: ReloadableComponentConfiguration | None = None
    hypervisors: tuple[HypervisorConfiguration, ...] | None = None
    image_pull_policy: Annotated[str | None, one_of("Always", "IfNotPresent", "Never")] = None
    instancetype: InstancetypeConfiguration | None = None
    ksm_configuration: KSMConfiguration | None = None
    live_update_configuration: LiveUpdateConfiguration | None = None
    machine_type: str | None = None
    mediated_devices_configuration: MediatedDevicesConfiguration | None = None
    mem_balloon_stats_period: int | None = None
    migrations: MigrationConfiguration | None = None
    min_cpu_model: str | None = field(default=None, name="minCPUModel")
    network: NetworkConfiguration | None = None
    obsolete_cpu_models: dict[str, bool] | None = field(default=None, name="obsoleteCPUModels")
    ovmf_path: str | None = None
    permitted_host_devices: PermittedHostDevices | None = None
    persistent_reservation_configuration: PersistentReservationConfiguration | None = None
    role_aggregation_strategy: str | None = None
    seccomp_configuration: SeccompConfiguration | None = None
    selinux_launcher_type: str | None = None
    smbios: SMBiosConfiguration | None = None
    support_container_resources: tuple[SupportContainerResources, ...] | None = None
    supported_guest_agent_versions: tuple[str, ...] | None = None
    tls_configuration: TLSConfiguration | None = None
    virt_template_deployment: VirtTemplateDeployment | None = None
    virtual_machine_instances_per_node: Int32 | None = None
    virtual_machine_options: VirtualMachineOptions | None = None
    vm_rollout_strategy: str | None = None
    vm_state_storage_class: str | None = None
    webhook_configuration: ReloadableComponentConfiguration | None = None
