"""A VNC client's bytes: who watches cannot act, and nobody asks for the screen alone."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.basis.errors import Invalid
from virtdeck.node_agent.api.rfb import RfbClientFilter

GREETING = b"RFB 003.008\n" + b"\x01"
PIXEL_FORMAT = b"\x00" + bytes(19)
ENCODINGS = b"\x02\x00" + struct.pack(">H", 3) + bytes(12)
UPDATE = b"\x03" + bytes(9)
KEY = b"\x04\x01\x00\x00" + struct.pack(">I", 0xFF0D)
POINTER = b"\x05\x01\x00\x10\x00\x10"
CUT_TEXT = b"\x06" + bytes(3) + struct.pack(">i", 5) + b"hello"
EXTENDED_CUT_TEXT = b"\x06" + bytes(3) + struct.pack(">i", -6) + bytes(6)
CONTINUOUS = b"\x96" + bytes(9)
FENCE = b"\xf8" + bytes(3) + bytes(4) + b"\x02" + b"ab"
XVP = b"\xfa\x00\x01\x02"
DESKTOP_SIZE = b"\xfb\x00" + struct.pack(">HH", 800, 600) + b"\x01\x00" + bytes(16)
QEMU_KEY = b"\xff\x00\x00\x01" + bytes(8)
QEMU_AUDIO = b"\xff\x01\x00\x00"
QEMU_AUDIO_FORMAT = b"\xff\x01\x00\x02" + bytes(6)

HARMLESS = [PIXEL_FORMAT, ENCODINGS, UPDATE, CONTINUOUS, FENCE, QEMU_AUDIO, QEMU_AUDIO_FORMAT]
ACTING = [KEY, POINTER, CUT_TEXT, EXTENDED_CUT_TEXT, XVP, DESKTOP_SIZE, QEMU_KEY]


@pytest.mark.parametrize("message", ACTING)
def test_a_watcher_cannot_act(message: bytes) -> None:
    watch = RfbClientFilter(watch=True)
    assert watch(GREETING + b"\x01" + message + UPDATE) == GREETING + b"\x01" + UPDATE


@pytest.mark.parametrize("message", HARMLESS)
def test_a_watcher_may_ask_for_pictures(message: bytes) -> None:
    watch = RfbClientFilter(watch=True)
    assert watch(GREETING + b"\x01" + message) == GREETING + b"\x01" + message


@pytest.mark.parametrize("watch", [True, False])
def test_the_screen_is_always_shared(watch: bool) -> None:
    assert RfbClientFilter(watch=watch)(GREETING + b"\x00") == GREETING + b"\x01"


def test_old_clients_choose_no_security() -> None:
    assert RfbClientFilter(watch=False)(b"RFB 003.003\n\x00" + KEY) == b"RFB 003.003\n\x01" + KEY


def test_who_may_act_is_passed_on_unread() -> None:
    free = RfbClientFilter(watch=False)
    free(GREETING + b"\x01")
    anything = bytes(range(256))
    assert free(anything) == anything


@given(st.lists(st.sampled_from(HARMLESS + ACTING), max_size=12), st.lists(st.integers(1, 40), min_size=1))
def test_it_does_not_matter_how_the_bytes_are_cut(messages: list[bytes], sizes: list[int]) -> None:
    stream = GREETING + b"\x01" + b"".join(messages)
    watch, passed, position, turn = RfbClientFilter(watch=True), b"", 0, 0
    while position < len(stream):
        size = sizes[turn % len(sizes)]
        passed += watch(stream[position : position + size])
        position, turn = position + size, turn + 1
    assert passed == GREETING + b"\x01" + b"".join(m for m in messages if m in HARMLESS)


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", GREETING[:12] + b"\x02", GREETING + b"\x01\x63"])
def test_what_is_not_rfb_is_refused(data: bytes) -> None:
    with pytest.raises(Invalid):
        RfbClientFilter(watch=True)(data)


def test_an_endless_message_is_refused() -> None:
    watch = RfbClientFilter(watch=True)
    watch(GREETING + b"\x01\x06" + bytes(3) + struct.pack(">i", 0x7FFFFFFF))
    with pytest.raises(Invalid):
        watch(bytes(2 << 20))


@given(st.binary(max_size=200))
def test_no_bytes_of_a_watcher_do_more_than_be_refused(data: bytes) -> None:
    watch = RfbClientFilter(watch=True)
    try:
        passed = watch(GREETING + b"\x01" + data)
    except Invalid:
        return
    assert len(passed) <= len(GREETING) + 1 + len(data)
