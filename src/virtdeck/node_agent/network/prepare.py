"""Makes the pod's network as planned and reports what the launcher must know of it."""

import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import HostFault
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.node_agent.network.namespace import run_in_namespace
from virtdeck.node_agent.network.netlink import Address, Gateway, Link, Netlink
from virtdeck.node_agent.network.nftables import apply_rules, translation_rules
from virtdeck.node_agent.network.plan import POD_DEVICE, GuestLink, Uplink, plan_links
from virtdeck.node_agent.network.resolver import Resolver, choose_resolver
from virtdeck.node_agent.network.tap import add_tap
from virtdeck.wire.launcher import DhcpFacts, InterfaceFacts

_SYSCTL = Path("/proc/sys/net")
_HOST_RESOLVERS = (Path("/etc/resolv.conf"), Path("/run/systemd/resolve/resolv.conf"))
# eth0's alias keeps the address that moved to the guest: it lives exactly as long as the namespace does.
_ALIAS_PREFIX = "virtdeck:"


@dataclass(frozen=True)
class PreparedNetwork:
    """What the launcher is told of the network that was made."""

    interfaces: tuple[InterfaceFacts, ...] = ()
    dhcp: tuple[DhcpFacts, ...] = ()


async def prepare_network(
    vmi: VirtualMachineInstance, namespace: int, launcher_uid: int, pod_resolver: str | None = None
) -> PreparedNetwork:
    """The namespace has what the VMI's interfaces need; a repeated call changes nothing that is right.

    pod_resolver: text of the pod's own resolv.conf. Raises: Invalid, HostFault.
    """
    if not vmi.spec.domain.devices.interfaces:
        return PreparedNetwork()
    texts = [pod_resolver] if pod_resolver else []
    work = _Work(vmi, launcher_uid, texts + [p.read_text() for p in _HOST_RESOLVERS if p.exists()])
    return await run_in_namespace(namespace, work.run)


@dataclass(frozen=True)
class _Work:
    vmi: VirtualMachineInstance
    launcher_uid: int
    resolvers: list[str]

    def run(self) -> PreparedNetwork:
        """Runs on a thread that is in the pod's namespace."""
        with Netlink() as netlink:
            uplink = _observe_uplink(netlink)
            links = plan_links(self.vmi, uplink)
            _set_sysctls(links)
            for link in links:
                _make(netlink, link, self.launcher_uid)
        fallback = str(uplink.gateway) if uplink.gateway else None
        return describe(links, choose_resolver(self.resolvers, fallback), self.vmi)


def describe(
    links: tuple[GuestLink, ...], resolver: Resolver, vmi: VirtualMachineInstance
) -> PreparedNetwork:
    """The links as the launcher is told of them."""
    host_name = vmi.spec.hostname or vmi.metadata.name.split(".", 1)[0]
    return PreparedNetwork(
        interfaces=tuple(InterfaceFacts(name=i.name, tap=i.tap, mac=i.mac, mtu=i.mtu) for i in links),
        dhcp=tuple(
            DhcpFacts(
                bridge=link.bridge,
                server=str(link.server.ip),
                address=str(link.guest.ip),
                prefix_length=link.guest.network.prefixlen,
                mac=link.mac,
                router=str(link.router) if link.router else None,
                dns=resolver.servers,
                search=resolver.search,
                mtu=link.mtu,
                host_name=host_name[:63],
            )
            for link in links
            if link.guest is not None
        ),
    )


def _observe_uplink(netlink: Netlink) -> Uplink:
    links = netlink.links()
    device = links.get(POD_DEVICE)
    if device is None:
        raise HostFault(f"the pod has no {POD_DEVICE}; did its CNI plugin run?")
    if device.alias.startswith(_ALIAS_PREFIX):
        return parse_alias(device)
    return Uplink(
        mac=device.mac,
        mtu=device.mtu,
        addresses=netlink.addresses(device.index),
        gateway=netlink.default_gateway(socket.AF_INET),
    )


def format_alias(uplink: Uplink) -> str:
    """The uplink's addresses as eth0's alias keeps them."""
    addresses = ",".join(str(address) for address in uplink.addresses)
    return f"{_ALIAS_PREFIX}{addresses} {uplink.gateway or '-'}"


def parse_alias(device: Link) -> Uplink:
    """The uplink as it was before its addresses moved to the guest."""
    addresses, gateway = device.alias.removeprefix(_ALIAS_PREFIX).split(" ", 1)
    found: tuple[Address, ...] = tuple(ipaddress.ip_interface(a) for a in addresses.split(",") if a)
    next_hop: Gateway | None = None if gateway == "-" else ipaddress.ip_address(gateway)
    return Uplink(device.mac, device.mtu, found, next_hop)


def _set_sysctls(links: tuple[GuestLink, ...]) -> None:
    # The launcher's DHCP server has no capability to take port 67.
    _write_sysctl("ipv4/ip_unprivileged_port_start", "0")
    for name in ("all", "default", POD_DEVICE):
        _write_sysctl(f"ipv6/conf/{name}/accept_ra", "0", required=False)
    if any(link.binding == "masquerade" for link in links):
        _write_sysctl("ipv4/ip_forward", "1")
    if any(link.guest_v6 is not None for link in links):
        _write_sysctl("ipv6/conf/all/forwarding", "1")


def _write_sysctl(name: str, value: str, *, required: bool = True) -> None:
    try:
        (_SYSCTL / name).write_text(value)
    except OSError as fault:
        if required:
            raise HostFault(f"the sysctl net/{name} cannot be set: {fault.strerror}") from fault


def _make(netlink: Netlink, link: GuestLink, launcher_uid: int) -> None:
    bridge = _ensure(netlink, link.bridge, lambda: netlink.add_bridge(link.bridge, link.bridge_mac, link.mtu))
    tap = _ensure(netlink, link.tap, lambda: add_tap(link.tap, launcher_uid))
    for address in (link.server, link.server_v6):
        if address is not None:
            netlink.add_address(bridge.index, address)
    netlink.set_link(tap.index, master=bridge.index, mtu=link.mtu)
    netlink.set_link(bridge.index)
    if link.binding == "masquerade":
        apply_rules(translation_rules(link))
    else:
        _hand_over_uplink(netlink, bridge)


def _ensure(netlink: Netlink, name: str, add: Callable[[], None]) -> Link:
    found = netlink.links().get(name)
    if found is None:
        add()
        found = netlink.links()[name]
    return found


def _hand_over_uplink(netlink: Netlink, bridge: Link) -> None:
    """eth0 is a port of the bridge without addresses; they are noted first, for a kill in between."""
    device = netlink.links()[POD_DEVICE]
    uplink = _observe_uplink(netlink)
    if not device.alias.startswith(_ALIAS_PREFIX):
        netlink.set_link(device.index, alias=format_alias(uplink))
    for address in netlink.addresses(device.index):
        netlink.delete_address(device.index, address)
    netlink.set_link(device.index, master=bridge.index)
