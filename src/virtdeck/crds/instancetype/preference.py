"""Preferences: what a guest system likes, where its virtual machine does not say."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.instancetype.preference_devices import DevicePreferences
from virtdeck.crds.instancetype.requirements import PreferenceRequirements
from virtdeck.crds.kubevirt.clock import ClockOffsetUTC, Timer
from virtdeck.crds.kubevirt.cpu import CPUFeature
from virtdeck.crds.kubevirt.features import FeatureAPIC, FeatureHyperv, FeatureKVM, FeatureState
from virtdeck.crds.kubevirt.firmware import EFI
from virtdeck.crds.kubevirt.security import LaunchSecurity
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count


class ClockOffset(Model, frozen=True, kw_only=True):
    """What the guest's clock shows: exactly one."""

    timezone: Annotated[str | None, doc("Time zone in which the clock runs, as Europe/Berlin.")] = None
    utc: Annotated[ClockOffsetUTC | None, doc("The clock runs on UTC.")] = None


class ClockPreferences(Model, frozen=True, kw_only=True):
    """The guest's clock."""

    preferred_clock_offset: Annotated[ClockOffset | None, doc("What the clock shows.")] = None
    preferred_timer: Annotated[
        Timer | None, doc("Timers that the guest has, for a template that names none.")
    ] = None


class SpreadOptions(Model, frozen=True, kw_only=True):
    """How the topology ``spread`` divides processors."""

    across: Annotated[str | None, doc("SocketsCores (the default), SocketsCoresThreads or CoresThreads.")] = (
        None
    )
    ratio: Annotated[
        Count | None,
        doc("Cores in each socket; 2 when absent. CoresThreads has always 2 threads in each core."),
    ] = None


class CPUPreferences(Model, frozen=True, kw_only=True):
    """How processors appear to the guest."""

    preferred_cpu_features: Annotated[
        tuple[CPUFeature, ...] | None, doc("Features that are added, unless the template names them.")
    ] = field(default=None, name="preferredCPUFeatures")
    preferred_cpu_topology: Annotated[
        str | None,
        doc(
            "What an instance type's processors appear as: sockets (the default), cores, threads, spread, or "
            "any when the guest system does not care."
        ),
    ] = field(default=None, name="preferredCPUTopology")
    spread_options: Annotated[SpreadOptions | None, doc("How the topology spread divides processors.")] = None


class FeaturePreferences(Model, frozen=True, kw_only=True):
    """Features of the machine, for a template that does not name them."""

    preferred_acpi: Annotated[FeatureState | None, doc("ACPI.")] = None
    preferred_apic: Annotated[FeatureAPIC | None, doc("Interrupt controller.")] = None
    preferred_hyperv: Annotated[
        FeatureHyperv | None, doc("Enlightenments of Hyper-V; each that the template does not name.")
    ] = None
    preferred_kvm: Annotated[FeatureKVM | None, doc("How KVM shows itself.")] = None
    preferred_pvspinlock: Annotated[FeatureState | None, doc("Waiting processors give way.")] = None
    preferred_smm: Annotated[FeatureState | None, doc("System management mode, which secure boot needs.")] = (
        None
    )


class FirmwarePreferences(Model, frozen=True, kw_only=True):
    """Firmware, for a template that names no boot loader."""

    preferred_efi: Annotated[EFI | None, doc("UEFI with these settings.")] = None
    preferred_use_bios: Annotated[bool | None, doc("SeaBIOS.")] = None
    preferred_use_bios_serial: Annotated[
        bool | None, doc("SeaBIOS writes to the serial console; needs preferredUseBios.")
    ] = None
    preferred_use_efi: Annotated[
        bool | None, doc("Deprecated, use preferredEfi: UEFI without secure boot.")
    ] = None
    preferred_use_secure_boot: Annotated[
        bool | None, doc("Deprecated, use preferredEfi: only signed code boots; needs preferredUseEfi.")
    ] = None


class MachinePreferences(Model, frozen=True, kw_only=True):
    """The kind of machine."""

    preferred_machine_type: Annotated[str | None, doc("q35, virt, or one of their versions.")] = None


class VolumePreferences(Model, frozen=True, kw_only=True):
    """Storage."""

    preferred_storage_class_name: Annotated[
        str | None, doc("Storage class of dataVolumeTemplates that name none.")
    ] = None


class VirtualMachinePreferenceSpec(Model, frozen=True, kw_only=True):
    """What fills in the fields that a virtual machine's template leaves open."""

    annotations: Annotated[
        dict[str, str] | None, doc("Annotations of the VMI that the template does not give.")
    ] = None
    clock: Annotated[ClockPreferences | None, doc("The guest's clock.")] = None
    cpu: Annotated[CPUPreferences | None, doc("How processors appear to the guest.")] = None
    devices: Annotated[DevicePreferences | None, doc("Devices.")] = None
    features: Annotated[FeaturePreferences | None, doc("Features of the machine.")] = None
    firmware: Annotated[FirmwarePreferences | None, doc("Firmware.")] = None
    machine: Annotated[MachinePreferences | None, doc("The kind of machine.")] = None
    prefer_spread_socket_to_core_ratio: Annotated[
        Count | None, doc("Deprecated, use cpu.spreadOptions.ratio: cores in each socket with spread.")
    ] = None
    preferred_architecture: Annotated[
        str | None, doc("Architecture of a virtual machine that names none: amd64, arm64 or s390x.")
    ] = None
    preferred_launch_security: Annotated[
        LaunchSecurity | None, doc("The host cannot read the guest's memory.")
    ] = None
    preferred_subdomain: Annotated[str | None, doc("Subdomain of a VMI that names none.")] = None
    preferred_termination_grace_period_seconds: Annotated[
        int | None, doc("How long the guest may take to power off, in seconds, when the template is silent.")
    ] = None
    requirements: Annotated[
        PreferenceRequirements | None, doc("The least that the guest system runs with; less is refused.")
    ] = None
    volumes: Annotated[VolumePreferences | None, doc("Storage.")] = None


class VirtualMachinePreference(Model, frozen=True, kw_only=True):
    """What a guest system likes, for the virtual machines of one namespace."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachinePreferenceSpec, doc("What fills in the open fields of templates.")]


class VirtualMachineClusterPreference(Model, frozen=True, kw_only=True):
    """What a guest system likes, for the virtual machines of all namespaces."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachinePreferenceSpec, doc("What fills in the open fields of templates.")]
