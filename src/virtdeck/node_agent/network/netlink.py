"""The few routing-netlink requests that a guest's network needs.

pyroute2 would do as well, but costs 9 MB and 0.1 s in a process that must stay small.
"""

import ipaddress
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

from virtdeck.basis.errors import HostFault

# Source: linux/netlink.h, linux/rtnetlink.h, linux/if_link.h, linux/if_addr.h
_NLM_F_REQUEST, _NLM_F_ACK, _NLM_F_DUMP = 0x1, 0x4, 0x300
_NLM_F_CREATE, _NLM_F_EXCL, _NLM_F_REPLACE = 0x400, 0x200, 0x100
_NLMSG_ERROR, _NLMSG_DONE = 2, 3
_RTM_NEWLINK, _RTM_GETLINK = 16, 18
_RTM_NEWADDR, _RTM_DELADDR, _RTM_GETADDR = 20, 21, 22
_RTM_GETROUTE = 26
_IFLA_ADDRESS, _IFLA_IFNAME, _IFLA_MTU, _IFLA_MASTER, _IFLA_LINKINFO, _IFLA_IFALIAS = 1, 3, 4, 10, 18, 20
_IFLA_INFO_KIND = 1
_IFA_ADDRESS, _IFA_LOCAL, _IFA_FLAGS = 1, 2, 8
_IFA_F_NODAD = 0x02
_RTA_OIF, _RTA_GATEWAY = 4, 5
_IFF_UP = 1
_NLA_F_NESTED = 0x8000
_NLA_TYPE_MASK = 0x3FFF

_HEADER = struct.Struct("=IHHII")
_IFINFOMSG = struct.Struct("=BxHiII")
_IFADDRMSG = struct.Struct("=BBBBI")
_RTMSG = struct.Struct("=BBBBBBBBI")
_RECEIVE_BYTES = 1 << 17
# The kernel answers at once; a longer silence means that the socket is broken.
_ANSWER_SECONDS = 2.0

Address = ipaddress.IPv4Interface | ipaddress.IPv6Interface
Gateway = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Link:
    """A network device as the kernel lists it; ``master`` is the bridge's index or 0."""

    index: int
    name: str
    mac: str
    mtu: int
    master: int
    up: bool
    alias: str


class Netlink:
    """A routing-netlink socket of the network namespace in which the calling thread is. Raises: HostFault."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        self._socket.settimeout(_ANSWER_SECONDS)
        self._socket.bind((0, 0))
        self._sequence = 0

    def __enter__(self) -> "Netlink":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def links(self) -> dict[str, Link]:
        """All devices by name."""
        body = _IFINFOMSG.pack(socket.AF_UNSPEC, 0, 0, 0, 0)
        found = (_parse_link(payload) for payload in self._ask(_RTM_GETLINK, _NLM_F_DUMP, body))
        return {link.name: link for link in found}

    def addresses(self, index: int) -> tuple[Address, ...]:
        """The device's addresses other than link-local ones."""
        body = _IFADDRMSG.pack(socket.AF_UNSPEC, 0, 0, 0, 0)
        return tuple(
            address
            for payload in self._ask(_RTM_GETADDR, _NLM_F_DUMP, body)
            if (address := _parse_address(payload, index)) is not None and not address.ip.is_link_local
        )

    def default_gateway(self, family: int) -> Gateway | None:
        """The next hop of the default route."""
        body = _RTMSG.pack(family, 0, 0, 0, 0, 0, 0, 0, 0)
        for payload in self._ask(_RTM_GETROUTE, _NLM_F_DUMP, body):
            if payload[0] != family or payload[1] != 0:
                continue
            gateway = dict(_attributes(payload[_RTMSG.size :])).get(_RTA_GATEWAY)
            if gateway:
                return ipaddress.ip_address(gateway)
        return None

    def add_bridge(self, name: str, mac: str, mtu: int) -> None:
        """The bridge is there."""
        body = (
            _IFINFOMSG.pack(0, 0, 0, 0, 0)
            + _attribute(_IFLA_IFNAME, name.encode() + b"\0")
            + _attribute(_IFLA_ADDRESS, _mac_bytes(mac))
            + _attribute(_IFLA_MTU, struct.pack("=I", mtu))
            + _attribute(_IFLA_LINKINFO | _NLA_F_NESTED, _attribute(_IFLA_INFO_KIND, b"bridge\0"))
        )
        self._tell(_RTM_NEWLINK, _NLM_F_CREATE | _NLM_F_EXCL, body)

    def set_link(
        self,
        index: int,
        *,
        master: int | None = None,
        mtu: int | None = None,
        alias: str | None = None,
        up: bool = True,
    ) -> None:
        """The device has these properties."""
        flags = _IFF_UP if up else 0
        body = _IFINFOMSG.pack(0, 0, index, flags, _IFF_UP)
        if master is not None:
            body += _attribute(_IFLA_MASTER, struct.pack("=I", master))
        if mtu is not None:
            body += _attribute(_IFLA_MTU, struct.pack("=I", mtu))
        if alias is not None:
            body += _attribute(_IFLA_IFALIAS, alias.encode())
        self._tell(_RTM_NEWLINK, 0, body)

    def add_address(self, index: int, address: Address) -> None:
        """The device has the address (a repeated call changes nothing)."""
        self._tell(_RTM_NEWADDR, _NLM_F_CREATE | _NLM_F_REPLACE, _address_body(index, address))

    def delete_address(self, index: int, address: Address) -> None:
        """The device no longer has the address."""
        self._tell(_RTM_DELADDR, 0, _address_body(index, address))

    def _tell(self, kind: int, flags: int, body: bytes) -> None:
        for _ in self._ask(kind, flags | _NLM_F_ACK, body):
            pass

    def _ask(self, kind: int, flags: int, body: bytes) -> Iterator[bytes]:
        self._sequence += 1
        header = _HEADER.pack(_HEADER.size + len(body), kind, flags | _NLM_F_REQUEST, self._sequence, 0)
        try:
            self._socket.send(header + body)
            yield from self._answers()
        except OSError as fault:
            raise HostFault(f"the kernel refused a network change: {fault.strerror or fault}") from fault

    def _answers(self) -> Iterator[bytes]:
        while True:
            data = self._socket.recv(_RECEIVE_BYTES)
            while data:
                length, kind, _flags, sequence, _port = _HEADER.unpack_from(data)
                payload, data = data[_HEADER.size : length], data[_aligned(length) :]
                if sequence != self._sequence:
                    continue
                if kind == _NLMSG_DONE:
                    return
                if kind == _NLMSG_ERROR:
                    (code,) = struct.unpack_from("=i", payload)
                    if code:
                        raise OSError(-code, os.strerror(-code))
                    return
                yield payload


def _aligned(length: int) -> int:
    return (length + 3) & ~3


def _attribute(kind: int, value: bytes) -> bytes:
    length = 4 + len(value)
    return struct.pack("=HH", length, kind) + value + bytes(_aligned(length) - length)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        if length < 4:
            return
        yield kind & _NLA_TYPE_MASK, data[4:length]
        data = data[_aligned(length) :]


def _parse_link(payload: bytes) -> Link:
    _family, _kind, index, flags, _change = _IFINFOMSG.unpack_from(payload)
    found = dict(_attributes(payload[_IFINFOMSG.size :]))
    return Link(
        index=index,
        name=found.get(_IFLA_IFNAME, b"").rstrip(b"\0").decode(errors="replace"),
        mac=found.get(_IFLA_ADDRESS, b"").hex(":"),
        mtu=int.from_bytes(found.get(_IFLA_MTU, b""), "little"),
        master=int.from_bytes(found.get(_IFLA_MASTER, b""), "little"),
        up=bool(flags & _IFF_UP),
        alias=found.get(_IFLA_IFALIAS, b"").rstrip(b"\0").decode(errors="replace"),
    )


def _parse_address(payload: bytes, wanted_index: int) -> Address | None:
    _family, prefix, _flags, _scope, index = _IFADDRMSG.unpack_from(payload)
    found = dict(_attributes(payload[_IFADDRMSG.size :]))
    raw = found.get(_IFA_LOCAL) or found.get(_IFA_ADDRESS)
    if index != wanted_index or raw is None:
        return None
    return ipaddress.ip_interface(f"{ipaddress.ip_address(raw)}/{prefix}")


def _address_body(index: int, address: Address) -> bytes:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    body = _IFADDRMSG.pack(family, address.network.prefixlen, 0, 0, index)
    body += _attribute(_IFA_LOCAL, address.ip.packed) + _attribute(_IFA_ADDRESS, address.ip.packed)
    if address.version == 6:
        # Nobody else is on this link: waiting for duplicate detection would only delay the guest.
        body += _attribute(_IFA_FLAGS, struct.pack("=I", _IFA_F_NODAD))
    return body


def _mac_bytes(mac: str) -> bytes:
    return bytes.fromhex(mac.replace(":", "").replace("-", ""))
