"""Decides what a VMI's interfaces need in its pod: a pure function from the spec and the pod's facts."""

import hashlib
import ipaddress
from dataclasses import dataclass
from typing import Literal

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.kubevirt import network as api
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.node_agent.network.netlink import Address, Gateway

POD_DEVICE = "eth0"
_MAX_INTERFACES = 1  # secondary networks come with CNI and Multus
# Source: KubeVirt's defaults of spec.networks[].pod
_DEFAULT_CIDR = "10.0.2.0/24"
_DEFAULT_CIDR_V6 = "fd10:0:2::/120"
# What the DHCP server answers from when the guest has the pod's own address.
_BRIDGE_SERVER = ipaddress.IPv4Interface("169.254.75.10/32")
_BRIDGE_MAC = "02:00:00:00:00:00"

Binding = Literal["masquerade", "bridge"]


@dataclass(frozen=True)
class Port:
    """A port of ``interfaces[].ports`` that is led to the guest."""

    protocol: Literal["tcp", "udp"]
    number: int


@dataclass(frozen=True)
class Uplink:
    """The pod's network device as CNI left it; ``addresses`` also when they have moved to the guest."""

    mac: str
    mtu: int
    addresses: tuple[Address, ...]
    gateway: Gateway | None = None

    def first(self, version: int) -> Address | None:
        """The device's first address of this IP version."""
        return next((address for address in self.addresses if address.version == version), None)


@dataclass(frozen=True)
class GuestLink:
    """What one interface of the guest is to get; ``guest`` is its address, ``server`` the bridge's."""

    name: str
    binding: Binding
    bridge: str
    tap: str
    mac: str
    bridge_mac: str
    mtu: int
    server: Address
    guest: Address | None
    router: Gateway | None
    server_v6: Address | None = None
    guest_v6: Address | None = None
    ports: tuple[Port, ...] = ()


def plan_links(vmi: VirtualMachineInstance, uplink: Uplink) -> tuple[GuestLink, ...]:
    """The links that the VMI's interfaces need. Raises: Invalid for what is not offered."""
    interfaces = vmi.spec.domain.devices.interfaces or ()
    networks = {network.name: network for network in vmi.spec.networks or ()}
    if len(interfaces) > _MAX_INTERFACES:
        raise _invalid("spec.domain.devices.interfaces", "only the pod network is offered: one interface")
    return tuple(
        _plan_link(index, interface, networks.get(interface.name), vmi, uplink)
        for index, interface in enumerate(interfaces)
    )


def _plan_link(
    index: int,
    interface: api.Interface,
    network: api.Network | None,
    vmi: VirtualMachineInstance,
    uplink: Uplink,
) -> GuestLink:
    path = f"spec.domain.devices.interfaces[{index}]"
    if network is None or network.pod is None:
        raise _invalid(path, f"network {interface.name!r} is not the pod network; others need Multus")
    mac = guest_mac(interface, vmi)
    if interface.masquerade is not None:
        return _masquerade(interface, mac, network.pod, uplink)
    if interface.bridge is not None:
        return _bridge(interface.name, mac, uplink)
    raise _invalid(path, "the bindings masquerade and bridge are offered")


def _masquerade(interface: api.Interface, mac: str, pod: api.PodNetwork, uplink: Uplink) -> GuestLink:
    server, guest = _pair(pod.vm_network_cidr or _DEFAULT_CIDR)
    server_v6 = guest_v6 = None
    if uplink.first(6) is not None:
        server_v6, guest_v6 = _pair(pod.vm_ipv6_network_cidr or _DEFAULT_CIDR_V6)
    return GuestLink(
        name=interface.name,
        binding="masquerade",
        bridge=f"k6t-{POD_DEVICE}",
        tap="tap0",
        mac=mac,
        bridge_mac=_BRIDGE_MAC,
        mtu=uplink.mtu,
        server=server,
        guest=guest,
        router=server.ip,
        server_v6=server_v6,
        guest_v6=guest_v6,
        ports=_ports(interface.ports or ()),
    )


def _bridge(name: str, mac: str, uplink: Uplink) -> GuestLink:
    return GuestLink(
        name=name,
        binding="bridge",
        bridge=f"k6t-{POD_DEVICE}",
        tap="tap0",
        mac=mac,
        bridge_mac=_BRIDGE_MAC,
        mtu=uplink.mtu,
        server=_BRIDGE_SERVER,
        guest=uplink.first(4),
        router=uplink.gateway,
    )


def guest_mac(interface: api.Interface, vmi: VirtualMachineInstance) -> str:
    """The spec's address, or a locally administered one that stays for as long as the VM does."""
    if interface.mac_address:
        return interface.mac_address.replace("-", ":").lower()
    owners = (owner.uid for owner in vmi.metadata.owner_references or () if owner.controller)
    digest = hashlib.sha256(f"{next(owners, vmi.metadata.uid)}/{interface.name}".encode()).digest()
    return "02:" + digest[:5].hex(":")


def _pair(cidr: str) -> tuple[Address, Address]:
    """The bridge's address and the guest's: the first two hosts of the network."""
    network = ipaddress.ip_network(cidr, strict=False)
    if network.num_addresses < 4:
        raise _invalid("spec.networks[].pod", f"{cidr} has no room for the guest and its gateway")
    first = network.network_address
    prefix = network.prefixlen
    return ipaddress.ip_interface(f"{first + 1}/{prefix}"), ipaddress.ip_interface(f"{first + 2}/{prefix}")


def _ports(ports: tuple[api.Port, ...]) -> tuple[Port, ...]:
    return tuple(
        Port("udp" if (port.protocol or "TCP").upper() == "UDP" else "tcp", port.port) for port in ports
    )


def _invalid(field: str, message: str) -> Invalid:
    return Invalid(f"{field}: {message}", reason="InvalidNetwork", causes=(Cause(field, message),))
