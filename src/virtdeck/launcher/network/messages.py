"""DHCP messages (RFC 2131, 2132): what a guest asks, and the one answer it can get."""

import struct
from ipaddress import IPv4Address, IPv4Network
from typing import Final

from msgspec import Struct

from virtdeck.wire.launcher import DhcpFacts

_FIXED = struct.Struct(">BBBBIHH4s4s4s4s16s64s128s4s")
_COOKIE: Final = bytes((99, 130, 83, 99))
_REQUEST_OP: Final = 1
_REPLY_OP: Final = 2
_ETHERNET: Final = 1
_SMALLEST_REPLY_BYTES: Final = 300  # BOOTP's size; some old clients drop what is shorter
_INFINITE: Final = b"\xff\xff\xff\xff"

DISCOVER, OFFER, REQUEST, DECLINE, ACK, NAK, RELEASE, INFORM = range(1, 9)

_PAD, _END = 0, 255
_MASK, _ROUTER, _DNS, _HOST_NAME, _DOMAIN, _MTU, _NTP = 1, 3, 6, 12, 15, 26, 42
_REQUESTED_ADDRESS, _LEASE, _KIND, _SERVER = 50, 51, 53, 54
_TFTP_SERVER, _BOOT_FILE, _SEARCH = 66, 67, 119


class DhcpRequest(Struct, frozen=True, kw_only=True):
    """What a client asks. kind: DHCP message type. Addresses are None when not given."""

    kind: int
    transaction: int
    flags: int
    mac: str
    current: str | None
    requested: str | None
    server: str | None


class DhcpExtras(Struct, frozen=True, kw_only=True):
    """What the VMI adds. Source: spec.domain.devices.interfaces[].dhcpOptions."""

    boot_file: str | None = None
    tftp_server: str | None = None
    ntp_servers: tuple[str, ...] = ()
    private: tuple[tuple[int, str], ...] = ()


def parse_request(data: bytes) -> DhcpRequest | None:
    """The request, or None for anything that is not one."""
    if len(data) < _FIXED.size:
        return None
    op, hardware, length, _, transaction, _, flags, current, _, _, _, address, _, _, cookie = (
        _FIXED.unpack_from(data)
    )
    options = _parse_options(data[_FIXED.size :])
    kind = options.get(_KIND, b"")
    if (op, hardware, length, cookie, len(kind)) != (_REQUEST_OP, _ETHERNET, 6, _COOKIE, 1):
        return None
    return DhcpRequest(
        kind=kind[0],
        transaction=transaction,
        flags=flags,
        mac=address[:6].hex(":"),
        current=_address(current),
        requested=_address(options.get(_REQUESTED_ADDRESS)),
        server=_address(options.get(_SERVER)),
    )


def answer(request: DhcpRequest, facts: DhcpFacts, extras: DhcpExtras) -> bytes | None:
    """The reply, or None when the request is somebody else's or needs no answer."""
    if request.mac != facts.mac.lower() or request.server not in (None, facts.server):
        return None
    match request.kind:
        case 1:
            return _reply(request, facts, OFFER, _lease_options(facts, extras))
        case 3:
            wanted = request.requested or request.current
            if wanted not in (None, facts.address):
                return _reply(request, facts, NAK, b"")
            return _reply(request, facts, ACK, _lease_options(facts, extras))
        case 8:
            return _reply(request, facts, ACK, _options(facts, extras))
    return None


def _reply(request: DhcpRequest, facts: DhcpFacts, kind: int, options: bytes) -> bytes:
    given = facts.address if kind in (OFFER, ACK) and request.kind != INFORM else "0.0.0.0"  # noqa: S104
    fixed = _FIXED.pack(
        _REPLY_OP,
        _ETHERNET,
        6,
        0,
        request.transaction,
        0,
        request.flags,
        _packed(request.current or "0.0.0.0"),  # noqa: S104
        _packed(given),
        _packed(facts.server),
        bytes(4),
        bytes.fromhex(request.mac.replace(":", "")),
        b"",
        b"",
        _COOKIE,
    )
    head = _option(_KIND, bytes((kind,))) + _option(_SERVER, _packed(facts.server))
    return (fixed + head + options + bytes((_END,))).ljust(_SMALLEST_REPLY_BYTES, bytes((_PAD,)))


def _lease_options(facts: DhcpFacts, extras: DhcpExtras) -> bytes:
    return _option(_LEASE, _INFINITE) + _options(facts, extras)


def _options(facts: DhcpFacts, extras: DhcpExtras) -> bytes:
    mask = IPv4Network(f"0.0.0.0/{facts.prefix_length}").netmask.packed
    pairs: list[tuple[int, bytes]] = [
        (_MASK, mask),
        (_ROUTER, _packed(facts.router) if facts.router else b""),
        (_DNS, b"".join(_packed(server) for server in facts.dns)),
        (_HOST_NAME, facts.host_name.encode()),
        (_DOMAIN, facts.search[0].encode() if facts.search else b""),
        (_MTU, facts.mtu.to_bytes(2, "big")),
        (_NTP, b"".join(_packed(server) for server in extras.ntp_servers)),
        (_TFTP_SERVER, (extras.tftp_server or "").encode()),
        (_BOOT_FILE, (extras.boot_file or "").encode()),
        (_SEARCH, b"".join(_domain_name(name) for name in facts.search)),
        *((code, value.encode()) for code, value in extras.private),
    ]
    return b"".join(_option(code, value) for code, value in pairs if value)


def _option(code: int, value: bytes) -> bytes:
    """One option; a long value goes on in another of the same code (RFC 3396)."""
    parts = [value[at : at + 255] for at in range(0, len(value), 255)]
    return b"".join(bytes((code, len(part))) + part for part in parts)


def _domain_name(name: str) -> bytes:
    """RFC 1035 labels."""
    labels = [label.encode()[:63] for label in name.strip(".").split(".")]
    return b"".join(bytes((len(label),)) + label for label in labels) + b"\0"


def _parse_options(data: bytes) -> dict[int, bytes]:
    """Options by code; ends at the first that is cut short."""
    found: dict[int, bytes] = {}
    at = 0
    while at < len(data) and data[at] != _END:
        if data[at] == _PAD:
            at += 1
            continue
        if at + 2 > len(data) or at + 2 + data[at + 1] > len(data):
            break
        length = data[at + 1]
        found[data[at]] = data[at + 2 : at + 2 + length]
        at += 2 + length
    return found


def _address(data: bytes | None) -> str | None:
    return str(IPv4Address(data)) if data and len(data) == 4 and any(data) else None


def _packed(address: str) -> bytes:
    return IPv4Address(address).packed
