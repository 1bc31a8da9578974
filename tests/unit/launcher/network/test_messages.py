"""DHCP messages: the guest's own requests are answered, everything else is not."""

import struct
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.launcher.network.messages import (
    ACK,
    DISCOVER,
    INFORM,
    NAK,
    OFFER,
    RELEASE,
    REQUEST,
    DhcpExtras,
    answer,
    parse_request,
)
from virtdeck.wire.launcher import DhcpFacts

FACTS = DhcpFacts(
    bridge="k6t-eth0",
    server="10.0.2.1",
    address="10.0.2.2",
    prefix_length=24,
    mac="02:00:00:00:00:07",
    router="10.0.2.1",
    dns=("10.9.8.7", "10.9.8.6"),
    search=("ns.svc.cluster.local", "svc"),
    mtu=1450,
    host_name="demo",
)
EXTRAS = DhcpExtras(
    boot_file="boot", tftp_server="tftp", ntp_servers=("10.1.1.1",), private=((230, "x" * 300),)
)


def message(kind: int, mac: str = FACTS.mac, current: str = "0.0.0.0", **options: bytes) -> bytes:
    head = struct.pack(
        ">BBBBIHH4s4s4s4s16s64s128s",
        *(1, 1, 6, 0, 0xABCD, 0, 0x8000),
        *(IPv4Address(current).packed, bytes(4), bytes(4), bytes(4)),
        *(bytes.fromhex(mac.replace(":", "")), b"", b""),
    )
    body = bytes((53, 1, kind)) + b"".join(
        bytes((int(code[1:]), len(value))) + value for code, value in options.items()
    )
    return head + bytes((99, 130, 83, 99)) + body + b"\xff"


def reply_to(data: bytes) -> bytes | None:
    request = parse_request(data)
    return answer(request, FACTS, EXTRAS) if request else None


def options_of(reply: bytes) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    at = 240
    while reply[at] != 255:
        length = reply[at + 1]
        found[reply[at]] = found.get(reply[at], b"") + reply[at + 2 : at + 2 + length]
        at += 2 + length
    return found


@pytest.mark.parametrize(
    ("data", "kind", "given"),
    [
        (message(DISCOVER), OFFER, "10.0.2.2"),
        (message(REQUEST, o50=IPv4Address("10.0.2.2").packed), ACK, "10.0.2.2"),
        (message(REQUEST, current="10.0.2.2"), ACK, "10.0.2.2"),
        (message(REQUEST, o50=IPv4Address("10.0.2.9").packed), NAK, "0.0.0.0"),
        (message(REQUEST, current="192.168.0.1"), NAK, "0.0.0.0"),
        (message(INFORM, current="10.0.2.2"), ACK, "0.0.0.0"),
    ],
)
def test_the_guest_gets_its_one_address(data: bytes, kind: int, given: str) -> None:
    reply = reply_to(data)
    assert reply is not None
    assert options_of(reply)[53] == bytes((kind,))
    assert str(IPv4Address(reply[16:20])) == given
    assert reply[4:8] == data[4:8]
    assert len(reply) >= 300


@pytest.mark.parametrize(
    "data",
    [
        message(DISCOVER, mac="02:00:00:00:00:08"),
        message(REQUEST, o54=IPv4Address("10.0.2.200").packed),
        message(RELEASE),
        message(DISCOVER)[:200],
        b"\x02" + message(DISCOVER)[1:],
        message(DISCOVER).replace(bytes((99, 130, 83, 99)), bytes(4)),
        b"",
    ],
)
def test_nothing_else_is_answered(data: bytes) -> None:
    assert reply_to(data) is None


def test_the_offer_carries_all_that_the_guest_needs() -> None:
    reply = reply_to(message(DISCOVER))
    assert reply is not None
    options = options_of(reply)
    assert options[1] == bytes((255, 255, 255, 0))
    assert options[6] == bytes((10, 9, 8, 7, 10, 9, 8, 6))
    assert options[12] == b"demo"
    assert options[26] == (1450).to_bytes(2, "big")
    assert options[51] == b"\xff" * 4
    assert options[119] == b"\x02ns\x03svc\x07cluster\x05local\x00\x03svc\x00"
    assert (options[66], options[67], options[230]) == (b"tftp", b"boot", b"x" * 300)


@given(st.binary(max_size=1500))
def test_garbage_raises_nothing(data: bytes) -> None:
    reply_to(data)


@given(st.binary(max_size=400))
def test_garbage_options_raise_nothing(data: bytes) -> None:
    reply_to(message(DISCOVER)[:-1] + data)
