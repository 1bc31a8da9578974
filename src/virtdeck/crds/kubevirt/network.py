"""Interfaces of the guest and the networks that they connect to."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class DHCPPrivateOptions(Model, frozen=True, kw_only=True):
    """A DHCP option with a number of one's own."""

    option: Annotated[Int32, doc("Number of the option, 224 to 254.")]
    value: Annotated[str, doc("Text of the option.")]


class DHCPOptions(Model, frozen=True, kw_only=True):
    """What the guest is told beside its address."""

    boot_file_name: Annotated[str | None, doc("File that the guest boots from the network (option 67).")] = (
        None
    )
    ntp_servers: Annotated[tuple[str, ...] | None, doc("IPv4 addresses of time servers (option 42).")] = None
    private_options: Annotated[
        tuple[DHCPPrivateOptions, ...] | None, doc("Options with numbers of one's own, each once.")
    ] = None
    tftp_server_name: Annotated[str | None, doc("Server of the boot file (option 66).")] = None


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

    name: Annotated[
        str, doc("Name of the binding in the KubeVirt object's spec.configuration.network.binding.")
    ]


class Port(Model, frozen=True, kw_only=True):
    """A port that reaches the guest; all do when none is listed."""

    name: Annotated[str | None, doc("Name, for services; unique, at most 15 characters.")] = None
    port: Annotated[Int32, doc("Number, 1 to 65535.")]
    protocol: Annotated[str | None, doc("TCP (the default) or UDP.")] = None


class PortRange(Model, frozen=True, kw_only=True):
    """Ports that reach the guest."""

    end: Annotated[Int32, doc("Last port, at least start.")]
    protocol: Annotated[str, doc("TCP (the default) or UDP.")]
    start: Annotated[Int32, doc("First port, 1 to 65535.")]


class Interface(Model, frozen=True, kw_only=True):
    """One network card of the guest, connected to the network of the same name."""

    name: Annotated[str, doc("Name of the interface and of its network; one kind of binding follows.")]
    acpi_index: Annotated[
        Int32 | None,
        doc("Number from which systemd in the guest derives the card's name (eno5); unique, above 0."),
    ] = None
    binding: Annotated[
        PluginBinding | None, doc("It is connected in a way that an administrator added to the cluster.")
    ] = None
    boot_order: Annotated[
        Int32 | None,
        doc(
            "Place in the order in which the firmware tries to boot, 1 first; unique among disks and "
            "interfaces."
        ),
    ] = None
    bridge: Annotated[
        InterfaceBridge | None,
        doc(
            "The guest has the pod's own address, which the pod gives up. On the pod network only where "
            "the cluster permits it; such a guest cannot migrate."
        ),
    ] = None
    dhcp_options: Annotated[
        DHCPOptions | None,
        doc("What the guest is told by DHCP besides its address; only with bridge and masquerade."),
    ] = None
    mac_address: Annotated[
        str | None,
        doc(
            "Hardware address, as 02:00:00:12:34:56, and not the broadcast one. Chosen when absent, the "
            "same at each start of a VirtualMachine."
        ),
    ] = None
    macvtap: Annotated[
        DeprecatedInterfaceMacvtap | None, doc("No longer supported: use a binding plugin.")
    ] = None
    masquerade: Annotated[
        InterfaceMasquerade | None,
        doc(
            "The guest has an address of its own behind the pod's (10.0.2.2), out by address translation "
            "and in by ports; only on the pod network. The usual choice."
        ),
    ] = None
    model: Annotated[
        str | None,
        doc(
            "virtio (the default, fastest), or e1000, e1000e, igb, ne2k_pci, pcnet, rtl8139 for guests "
            "without its driver."
        ),
    ] = None
    passt: Annotated[DeprecatedInterfacePasst | None, doc("No longer supported: use passtBinding.")] = None
    passt_binding: Annotated[
        InterfacePasstBinding | None,
        doc(
            "The guest's connections are made by passt, as if a program of the pod made them; on the pod "
            "network. Needs the feature gate PasstBinding."
        ),
    ] = None
    pci_address: Annotated[
        str | None, doc("Place on the guest's PCI bus, as 0000:81:01.0; chosen when absent.")
    ] = None
    port_ranges: Annotated[
        tuple[PortRange, ...] | None,
        doc("Ports that reach the guest, as ranges; with masquerade. Needs the feature gate PortRangesSpec."),
    ] = None
    ports: Annotated[
        tuple[Port, ...] | None,
        doc("Ports of the pod that reach the guest with masquerade; all of them when empty."),
    ] = None
    slirp: Annotated[DeprecatedInterfaceSlirp | None, doc("No longer supported: use passtBinding.")] = None
    sriov: Annotated[
        InterfaceSRIOV | None,
        doc(
            "The guest has a virtual function of the network card to itself; its network is a Multus one "
            "of that kind."
        ),
    ] = None
    state: Annotated[
        str | None,
        doc(
            "up (the default), down (the cable is out; only with bridge and masquerade), or absent (it is "
            "taken away while the guest runs; only of Multus networks with bridge)."
        ),
    ] = None
    tag: Annotated[
        str | None, doc("Word by which a program in the guest finds the card in cloud-init's metadata.")
    ] = None


class ClaimRequest(Model, frozen=True, kw_only=True):
    """A device that was claimed through Kubernetes' resource claims."""

    claim_name: Annotated[str | None, doc("Name of a claim in spec.resourceClaims.")] = None
    request_name: Annotated[str | None, doc("Request of that claim.")] = None


class MultusNetwork(Model, frozen=True, kw_only=True):
    """A further network, by Multus."""

    default: Annotated[
        bool | None,
        doc(
            "true: it takes the place of the pod network; at most one such network, and no pod network "
            "beside it. false when absent."
        ),
    ] = None
    network_name: Annotated[
        str, doc("NetworkAttachmentDefinition, as name (of this namespace) or namespace/name.")
    ]


class PodNetwork(Model, frozen=True, kw_only=True):
    """The network that every pod has."""

    vm_ipv6_network_cidr: Annotated[
        str | None, doc("IPv6 network of the guest with masquerade; fd10:0:2::/120 when absent.")
    ] = field(default=None, name="vmIPv6NetworkCIDR")
    vm_network_cidr: Annotated[
        str | None,
        doc(
            "IPv4 network of the guest with masquerade: the first address is the gateway's, the second "
            "the guest's. 10.0.2.0/24 when absent."
        ),
    ] = field(default=None, name="vmNetworkCIDR")


class Network(Model, frozen=True, kw_only=True):
    """What an interface connects to: a name and exactly one source."""

    name: Annotated[str, doc("Name, which exactly one interface refers to.")]
    multus: Annotated[
        MultusNetwork | None,
        doc("A further network, by a NetworkAttachmentDefinition. Excludes pod and resourceClaim."),
    ] = None
    pod: Annotated[
        PodNetwork | None,
        doc("The network that every pod has; at most once. Excludes multus and resourceClaim."),
    ] = None
    resource_claim: Annotated[
        ClaimRequest | None,
        doc(
            "A network card that was claimed. Needs the feature gate NetworkDevicesWithDRA; excludes pod "
            "and multus."
        ),
    ] = None
