"""Interfaces of the guest and the networks that they connect to."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class DHCPPrivateOptions(Model, frozen=True, kw_only=True):
    """A DHCP option with a number of one's own."""

    option: Annotated[Int32, doc("Number, 224 to 254.")]
    value: Annotated[str, doc("Text of the option.")]


class DHCPOptions(Model, frozen=True, kw_only=True):
    """What the guest is told beside its address."""

    boot_file_name: Annotated[str | None, doc("File that is booted from the network.")] = None
    ntp_servers: Annotated[tuple[str, ...] | None, doc("IPv4 addresses of time servers.")] = None
    private_options: Annotated[
        tuple[DHCPPrivateOptions, ...] | None, doc("Options with numbers of one's own.")
    ] = None
    tftp_server_name: Annotated[str | None, doc("Server of the boot file.")] = None


class DeprecatedInterfaceMacvtap(Model, frozen=True, kw_only=True):
    """No longer supported."""


class DeprecatedInterfacePasst(Model, frozen=True, kw_only=True):
    """No longer supported."""


class DeprecatedInterfaceSlirp(Model, frozen=True, kw_only=True):
    """No longer supported."""


class InterfaceBridge(Model, frozen=True, kw_only=True):
    """The guest has the pod's own address, by a bridge."""


class InterfaceMasquerade(Model, frozen=True, kw_only=True):
    """The guest is behind the pod's address, by address translation."""


class InterfacePasstBinding(Model, frozen=True, kw_only=True):
    """The guest's connections are made by passt, a program of the pod."""


class InterfaceSRIOV(Model, frozen=True, kw_only=True):
    """The guest has a part of the network card itself."""


class PluginBinding(Model, frozen=True, kw_only=True):
    """A way of connecting that an administrator added."""

    name: Annotated[str, doc("Name in the KubeVirt object.")]


class Port(Model, frozen=True, kw_only=True):
    """A port that reaches the guest; all do when none is listed."""

    name: Annotated[str | None, doc("Name, for services.")] = None
    port: Annotated[Int32, doc("Number, 1 to 65535.")]
    protocol: Annotated[str | None, doc("TCP (the default) or UDP.")] = None


class PortRange(Model, frozen=True, kw_only=True):
    """Ports that reach the guest."""

    end: Annotated[Int32, doc("Last port.")]
    protocol: Annotated[str, doc("TCP or UDP.")]
    start: Annotated[Int32, doc("First port.")]


class Interface(Model, frozen=True, kw_only=True):
    """One network card of the guest, connected to the network of the same name."""

    name: Annotated[str, doc("Name of the interface and of its network.")]
    acpi_index: Annotated[Int32 | None, doc("Number from which the guest derives the card's name.")] = None
    binding: Annotated[PluginBinding | None, doc("It is connected in a way that an administrator added.")] = (
        None
    )
    boot_order: Annotated[
        Int32 | None, doc("Place in the order in which the firmware tries to boot, 1 first.")
    ] = None
    bridge: Annotated[InterfaceBridge | None, doc("The guest has the pod's own address.")] = None
    dhcp_options: Annotated[DHCPOptions | None, doc("What the guest is told by DHCP.")] = None
    mac_address: Annotated[str | None, doc("Hardware address, as 02:00:00:12:34:56; chosen when absent.")] = (
        None
    )
    macvtap: Annotated[DeprecatedInterfaceMacvtap | None, doc("No longer supported.")] = None
    masquerade: Annotated[InterfaceMasquerade | None, doc("The guest is behind the pod's address.")] = None
    model: Annotated[
        str | None, doc("virtio (the default), e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139.")
    ] = None
    passt: Annotated[DeprecatedInterfacePasst | None, doc("No longer supported.")] = None
    passt_binding: Annotated[
        InterfacePasstBinding | None, doc("The guest's connections are made by passt.")
    ] = None
    pci_address: Annotated[str | None, doc("Place on the PCI bus, as 0000:81:01.0.")] = None
    port_ranges: Annotated[tuple[PortRange, ...] | None, doc("Ports that reach the guest, as ranges.")] = None
    ports: Annotated[tuple[Port, ...] | None, doc("Ports that reach the guest; all when empty.")] = None
    slirp: Annotated[DeprecatedInterfaceSlirp | None, doc("No longer supported.")] = None
    sriov: Annotated[InterfaceSRIOV | None, doc("The guest has a part of the network card itself.")] = None
    state: Annotated[str | None, doc("up, down (the cable is out), or absent (it is taken away).")] = None
    tag: Annotated[str | None, doc("Word by which the guest finds it in its metadata.")] = None


class ClaimRequest(Model, frozen=True, kw_only=True):
    """A device that was claimed through Kubernetes' resource claims."""

    claim_name: Annotated[str | None, doc("Name of the claim in spec.resourceClaims.")] = None
    request_name: Annotated[str | None, doc("Request of the claim.")] = None


class MultusNetwork(Model, frozen=True, kw_only=True):
    """A further network, by Multus."""

    default: Annotated[bool | None, doc("It takes the place of the pod network.")] = None
    network_name: Annotated[str, doc("NetworkAttachmentDefinition, as name or namespace/name.")]


class PodNetwork(Model, frozen=True, kw_only=True):
    """The network that every pod has."""

    vm_ipv6_network_cidr: Annotated[
        str | None, doc("IPv6 network of the guest with masquerade; fd10:0:2::/120 when absent.")
    ] = field(default=None, name="vmIPv6NetworkCIDR")
    vm_network_cidr: Annotated[
        str | None, doc("Network of the guest with masquerade; 10.0.2.0/24 when absent.")
    ] = field(default=None, name="vmNetworkCIDR")


class Network(Model, frozen=True, kw_only=True):
    """What an interface connects to: a name and exactly one source."""

    name: Annotated[str, doc("Name, which an interface refers to.")]
    multus: Annotated[MultusNetwork | None, doc("A further network, by Multus.")] = None
    pod: Annotated[PodNetwork | None, doc("The network that every pod has.")] = None
    resource_claim: Annotated[ClaimRequest | None, doc("A network card that was claimed.")] = None
