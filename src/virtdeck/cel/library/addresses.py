"""IP addresses and networks."""

import ipaddress
from dataclasses import dataclass
from typing import ClassVar

from virtdeck.cel.costs import FLAT, Traversal
from virtdeck.cel.signatures import Library, function, method
from virtdeck.cel.types import BOOL, INT, STRING, opaque
from virtdeck.cel.values import EvaluationError

_IP, _CIDR = opaque("net.IP"), opaque("net.CIDR")


@dataclass(frozen=True, slots=True)
class Address:
    """An address without a zone that is not IPv4 in IPv6's clothes."""

    cel_type: ClassVar[str] = "net.IP"
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Network:
    """A network with the address that it was given by."""

    cel_type: ClassVar[str] = "net.CIDR"
    interface: ipaddress.IPv4Interface | ipaddress.IPv6Interface


def _address(text: str) -> Address:
    try:
        found = ipaddress.ip_address(text)
    except ValueError as fault:
        raise EvaluationError(
            f'IP Address "{text}" parse error during conversion from string: {fault}'
        ) from fault
    if isinstance(found, ipaddress.IPv6Address):
        if found.scope_id is not None:
            raise EvaluationError(f'IP address with zone value is not allowed: "{text}"')
        if found.ipv4_mapped is not None:
            raise EvaluationError(f'IPv4-mapped IPv6 address is not allowed: "{text}"')
    return Address(found)


def _network(text: str) -> Network:
    address, slash, prefix = text.partition("/")
    if not slash or not prefix.isascii() or not prefix.isdigit() or (len(prefix) > 1 and prefix[0] == "0"):
        raise EvaluationError(f'network address parse error during conversion from string: "{text}"')
    try:
        return Network(ipaddress.ip_interface(f"{_address(address).ip}/{prefix}"))
    except ValueError as fault:
        raise EvaluationError(
            f"network address parse error during conversion from string: {fault}"
        ) from fault


def _is_address(text: str) -> bool:
    try:
        _address(text)
    except EvaluationError:
        return False
    return True


def _is_network(text: str) -> bool:
    try:
        _network(text)
    except EvaluationError:
        return False
    return True


def _is_global_unicast(address: Address) -> bool:
    ip = address.ip
    broadcast = isinstance(ip, ipaddress.IPv4Address) and int(ip) == 2**32 - 1
    return not (broadcast or ip.is_unspecified or ip.is_loopback or ip.is_multicast or ip.is_link_local)


def _is_link_local_multicast(address: Address) -> bool:
    ip = address.ip
    if isinstance(ip, ipaddress.IPv4Address):
        return ip in ipaddress.IPv4Network("224.0.0.0/24")
    return ip.is_multicast and ip.packed[1] & 0x0F == 2


def _contains_address(network: Network, address: Address) -> bool:
    return address.ip.version == network.interface.version and address.ip in network.interface.network


def _contains_network(network: Network, other: Network) -> bool:
    inner, outer = other.interface, network.interface
    if inner.version != outer.version or inner.network.prefixlen < outer.network.prefixlen:
        return False
    return inner.ip in outer.network


def _masked(network: Network) -> Network:
    return Network(ipaddress.ip_interface(str(network.interface.network)))


_COST, _TWICE = Traversal(), Traversal(factor=0.2)

ADDRESSES: Library = {
    "ip": (
        function(_IP, STRING, run=_address, cost=_COST),
        method(_IP, _CIDR, run=lambda network: Address(network.interface.ip), cost=FLAT),
    ),
    "isIP": (function(BOOL, STRING, run=_is_address, cost=_COST),),
    "ip.isCanonical": (function(BOOL, STRING, run=lambda text: str(_address(text).ip) == text, cost=_TWICE),),
    "family": (method(INT, _IP, run=lambda address: address.ip.version),),
    "isUnspecified": (method(BOOL, _IP, run=lambda address: address.ip.is_unspecified),),
    "isLoopback": (method(BOOL, _IP, run=lambda address: address.ip.is_loopback),),
    "isLinkLocalMulticast": (method(BOOL, _IP, run=_is_link_local_multicast),),
    "isLinkLocalUnicast": (method(BOOL, _IP, run=lambda address: address.ip.is_link_local),),
    "isGlobalUnicast": (method(BOOL, _IP, run=_is_global_unicast),),
    "cidr": (function(_CIDR, STRING, run=_network, cost=_COST),),
    "isCIDR": (function(BOOL, STRING, run=_is_network, cost=_COST),),
    "containsIP": (
        method(BOOL, _CIDR, _IP, run=_contains_address),
        method(BOOL, _CIDR, STRING, run=lambda network, text: _contains_address(network, _address(text))),
    ),
    "containsCIDR": (
        method(BOOL, _CIDR, _CIDR, run=_contains_network),
        method(BOOL, _CIDR, STRING, run=lambda network, text: _contains_network(network, _network(text))),
    ),
    "masked": (method(_CIDR, _CIDR, run=_masked),),
    "prefixLength": (method(INT, _CIDR, run=lambda network: network.interface.network.prefixlen),),
    "string": (
        function(STRING, _IP, run=lambda address: str(address.ip)),
        function(STRING, _CIDR, run=lambda network: str(network.interface)),
    ),
}
