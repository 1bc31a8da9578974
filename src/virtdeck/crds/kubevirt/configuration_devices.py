"""Configuration of an installation: host devices and hypervisors."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.selectors import LabelSelector


class PciHostDevice(Model, frozen=True, kw_only=True):
    """A PCI device that guests may have."""

    external_resource_provider: Annotated[
        bool | None,
        doc("true: somebody else's device plugin offers it, virt-handler does not. false when absent."),
    ] = None
    pci_vendor_selector: Annotated[str, doc("Vendor and product in hex, as 10DE:1EB8.")]
    resource_name: Annotated[str, doc("Name under which a VMI asks for it, as nvidia.com/T4.")]


class MediatedHostDevice(Model, frozen=True, kw_only=True):
    """A mediated device (a part of a device) that guests may have."""

    external_resource_provider: Annotated[
        bool | None,
        doc("true: somebody else's device plugin offers it, virt-handler does not. false when absent."),
    ] = None
    mdev_name_selector: Annotated[str, doc("Name of its type, as GRID T4-1Q.")]
    resource_name: Annotated[str, doc("Name under which a VMI asks for it, as nvidia.com/T4.")]


class USBSelector(Model, frozen=True, kw_only=True):
    """USB devices by vendor and product."""

    product: Annotated[str, doc("Product in hex, as 0002.")]
    vendor: Annotated[str, doc("Vendor in hex, as 46f4.")]


class USBHostDevice(Model, frozen=True, kw_only=True):
    """USB devices that guests may have."""

    external_resource_provider: Annotated[
        bool | None,
        doc("true: somebody else's device plugin offers it, virt-handler does not. false when absent."),
    ] = None
    resource_name: Annotated[str, doc("Name under which a VMI asks for it, as nvidia.com/T4.")]
    selectors: Annotated[
        tuple[USBSelector, ...] | None, doc("Which devices; with several, one of each is given together.")
    ] = None


class PermittedHostDevices(Model, frozen=True, kw_only=True):
    """Devices of nodes that guests may have."""

    mediated_devices: Annotated[tuple[MediatedHostDevice, ...] | None, doc("Mediated devices.")] = None
    pci_host_devices: Annotated[tuple[PciHostDevice, ...] | None, doc("PCI devices.")] = None
    usb: Annotated[tuple[USBHostDevice, ...] | None, doc("USB devices.")] = None


class NodeMediatedDeviceTypesConfig(Model, frozen=True, kw_only=True):
    """Types of mediated devices for some nodes."""

    mediated_device_types: Annotated[tuple[str, ...] | None, doc("Types that are made.")] = None
    mediated_devices_types: Annotated[
        tuple[str, ...] | None, doc("Deprecated spelling of mediatedDeviceTypes.")
    ] = None
    node_selector: Annotated[dict[str, str], doc("Labels that the nodes have.")]


class MediatedDevicesConfiguration(Model, frozen=True, kw_only=True):
    """Mediated devices that are made on nodes."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    mediated_device_types: Annotated[tuple[str, ...] | None, doc("Types that are made.")] = None
    mediated_devices_types: Annotated[
        tuple[str, ...] | None, doc("Deprecated spelling of mediatedDeviceTypes.")
    ] = None
    node_mediated_device_types: Annotated[
        tuple[NodeMediatedDeviceTypesConfig, ...] | None, doc("Types for some nodes.")
    ] = None


class HypervisorConfiguration(Model, frozen=True, kw_only=True):
    """A hypervisor that may be used."""

    name: Annotated[str | None, doc("kvm or hyperv-direct.")] = None


class KSMConfiguration(Model, frozen=True, kw_only=True):
    """Equal pages of memory are shared."""

    node_label_selector: Annotated[
        LabelSelector | None, doc("On nodes with these labels; an empty selector means all of them.")
    ] = None


class PersistentReservationConfiguration(Model, frozen=True, kw_only=True):
    """SCSI persistent reservations of guests."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None


class TDXAttestationConfiguration(Model, frozen=True, kw_only=True):
    """How TDX guests are checked."""

    enforced: Annotated[bool | None, doc("Guests run only where they can be checked.")] = None
    qgs_socket_path: Annotated[str | None, doc("Socket of the quote service on nodes.")] = None


class TDXConfiguration(Model, frozen=True, kw_only=True):
    """Intel TDX."""

    attestation: Annotated[TDXAttestationConfiguration | None, doc("How guests are checked.")] = None


class ConfidentialComputeConfiguration(Model, frozen=True, kw_only=True):
    """Encrypted guests."""

    tdx: Annotated[TDXConfiguration | None, doc("Intel TDX.")] = None
