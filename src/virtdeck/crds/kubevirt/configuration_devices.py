"""Configuration of an installation: host devices and hypervisors."""

from virtdeck.crds.model import Model
from virtdeck.crds.selectors import LabelSelector


class PciHostDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    external_resource_provider: bool | None = None
    pci_vendor_selector: str
    resource_name: str


class MediatedHostDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    external_resource_provider: bool | None = None
    mdev_name_selector: str
    resource_name: str


class USBSelector(Model, frozen=True, kw_only=True):
    """TBD"""

    product: str
    vendor: str


class USBHostDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    external_resource_provider: bool | None = None
    resource_name: str
    selectors: tuple[USBSelector, ...] | None = None


class PermittedHostDevices(Model, frozen=True, kw_only=True):
    """TBD"""

    mediated_devices: tuple[MediatedHostDevice, ...] | None = None
    pci_host_devices: tuple[PciHostDevice, ...] | None = None
    usb: tuple[USBHostDevice, ...] | None = None


class NodeMediatedDeviceTypesConfig(Model, frozen=True, kw_only=True):
    """TBD"""

    mediated_device_types: tuple[str, ...] | None = None
    mediated_devices_types: tuple[str, ...] | None = None
    node_selector: dict[str, str]


class MediatedDevicesConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
    mediated_device_types: tuple[str, ...] | None = None
    mediated_devices_types: tuple[str, ...] | None = None
    node_mediated_device_types: tuple[NodeMediatedDeviceTypesConfig, ...] | None = None


class HypervisorConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None


class KSMConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    node_label_selector: LabelSelector | None = None


class PersistentReservationConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None


class TDXAttestationConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    enforced: bool | None = None
    qgs_socket_path: str | None = None


class TDXConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    attestation: TDXAttestationConfiguration | None = None


class ConfidentialComputeConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    tdx: TDXConfiguration | None = None
