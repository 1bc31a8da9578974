"""Interfaces of the guest and the networks that they connect to."""

from msgspec import field

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32


class DHCPPrivateOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    option: Int32
    value: str


class DHCPOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    boot_file_name: str | None = None
    ntp_servers: tuple[str, ...] | None = None
    private_options: tuple[DHCPPrivateOptions, ...] | None = None
    tftp_server_name: str | None = None


class DeprecatedInterfaceMacvtap(Model, frozen=True, kw_only=True):
    """TBD"""


class DeprecatedInterfacePasst(Model, frozen=True, kw_only=True):
    """TBD"""


class DeprecatedInterfaceSlirp(Model, frozen=True, kw_only=True):
    """TBD"""


class InterfaceBridge(Model, frozen=True, kw_only=True):
    """TBD"""


class InterfaceMasquerade(Model, frozen=True, kw_only=True):
    """TBD"""


class InterfacePasstBinding(Model, frozen=True, kw_only=True):
    """TBD"""


class InterfaceSRIOV(Model, frozen=True, kw_only=True):
    """TBD"""


class PluginBinding(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str


class Port(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None
    port: Int32
    protocol: str | None = None


class PortRange(Model, frozen=True, kw_only=True):
    """TBD"""

    end: Int32
    protocol: str
    start: Int32


class Interface(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    acpi_index: Int32 | None = None
    binding: PluginBinding | None = None
    boot_order: Int32 | None = None
    bridge: InterfaceBridge | None = None
    dhcp_options: DHCPOptions | None = None
    mac_address: str | None = None
    macvtap: DeprecatedInterfaceMacvtap | None = None
    masquerade: InterfaceMasquerade | None = None
    model: str | None = None
    passt: DeprecatedInterfacePasst | None = None
    passt_binding: InterfacePasstBinding | None = None
    pci_address: str | None = None
    port_ranges: tuple[PortRange, ...] | None = None
    ports: tuple[Port, ...] | None = None
    slirp: DeprecatedInterfaceSlirp | None = None
    sriov: InterfaceSRIOV | None = None
    state: str | None = None
    tag: str | None = None


class ClaimRequest(Model, frozen=True, kw_only=True):
    """TBD"""

    claim_name: str | None = None
    request_name: str | None = None


class MultusNetwork(Model, frozen=True, kw_only=True):
    """TBD"""

    default: bool | None = None
    network_name: str


class PodNetwork(Model, frozen=True, kw_only=True):
    """TBD"""

    vm_ipv6_network_cidr: str | None = field(default=None, name="vmIPv6NetworkCIDR")
    vm_network_cidr: str | None = field(default=None, name="vmNetworkCIDR")


class Network(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    multus: MultusNetwork | None = None
    pod: PodNetwork | None = None
    resource_claim: ClaimRequest | None = None
