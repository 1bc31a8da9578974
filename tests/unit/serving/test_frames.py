"""WebSocket frames: what passes and what ends a connection."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.basis.errors import Invalid
from virtdeck.serving.frames import (
    FrameReader,
    FrameTracker,
    Opcode,
    decode_close,
    encode_close,
    encode_head,
    parse_head,
)

MASK = b"\x01\x02\x03\x04"


def masked(opcode: int, payload: bytes, *, final: bool = True) -> bytes:
    """A client's frame."""
    head = bytearray(encode_head(opcode, len(payload)))
    head[0] = (head[0] & 0x7F) | (0x80 if final else 0)
    head[1] |= 0x80
    return bytes(head) + MASK + bytes(byte ^ MASK[i % 4] for i, byte in enumerate(payload))


def pieces(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    position = 0
    for size in sizes:
        yield data[position : position + size]
        position += size
    yield data[position:]


@given(st.lists(st.binary(max_size=300), max_size=5), st.lists(st.integers(1, 100), max_size=20))
def test_payloads_arrive_whole_however_the_bytes_are_cut(messages: list[bytes], sizes: list[int]) -> None:
    sent = b"".join(masked(Opcode.BINARY, message) for message in messages)
    reader, got, ends = FrameReader(1 << 20), b"", 0
    for piece in pieces(sent, sizes):
        for opcode, payload, end in reader.feed(piece):
            assert opcode == Opcode.BINARY
            got += payload
            ends += end
    assert got == b"".join(messages)
    assert ends == len(messages)


@given(st.lists(st.binary(max_size=300), max_size=5), st.lists(st.integers(1, 100), max_size=20))
def test_a_tracker_knows_the_boundaries_however_the_bytes_are_cut(
    messages: list[bytes], sizes: list[int]
) -> None:
    sent = b"".join(encode_head(Opcode.BINARY, len(message)) + message for message in messages)
    tracker = FrameTracker()
    for piece in pieces(sent, sizes):
        tracker.feed(piece)
    assert tracker.at_boundary
    assert not tracker.closed
    tracker.feed(encode_close(1000, "bye"))
    assert tracker.closed


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (encode_head(Opcode.BINARY, 1) + b"x", "ProtocolError"),  # not masked
        (b"\xf2\x80" + MASK, "ProtocolError"),  # reserved bits
        (b"\x83\x80" + MASK, "ProtocolError"),  # reserved opcode
        (b"\x09\x80" + MASK, "ProtocolError"),  # a fragmented ping
        (b"\x89\xfe\x00\x7e" + MASK, "ProtocolError"),  # a ping of 126 bytes
        (b"\x80\x80" + MASK, "ProtocolError"),  # continues nothing
        (b"\x82\xff" + b"\xff" * 8 + MASK, "ProtocolError"),  # length beyond 2^63
        (b"\x82\xff" + (1 << 40).to_bytes(8, "big") + MASK, "MessageTooBig"),
        (masked(Opcode.TEXT, b"\xff\xfe"), "InvalidText"),
        (masked(Opcode.TEXT, b"\xe4\xbd"), "InvalidText"),  # half a character at the end
        (masked(Opcode.BINARY, b"a", final=False) + masked(Opcode.BINARY, b"b"), "ProtocolError"),
    ],
)
def test_a_frame_that_breaks_the_rules_is_refused(frame: bytes, reason: str) -> None:
    with pytest.raises(Invalid) as caught:
        list(FrameReader(1 << 20).feed(frame))
    assert caught.value.reason == reason


def test_a_text_may_be_cut_within_a_character() -> None:
    text = "虛擬機".encode()
    sent = masked(Opcode.TEXT, text[:4], final=False) + masked(Opcode.CONTINUATION, text[4:])
    assert b"".join(payload for _, payload, _ in FrameReader(1 << 20).feed(sent)) == text


def test_control_frames_may_stand_between_fragments() -> None:
    sent = masked(Opcode.BINARY, b"a", final=False) + masked(Opcode.PING, b"p") + masked(0, b"b")
    assert [found[:2] for found in FrameReader(1 << 20).feed(sent)] == [
        (Opcode.BINARY, b"a"),
        (Opcode.PING, b"p"),
        (Opcode.BINARY, b"b"),
    ]


def test_a_close_reason_is_cut_to_what_fits_and_stays_text() -> None:
    frame = encode_close(4409, "é" * 100)
    head = parse_head(frame)
    assert head is not None
    assert head.length <= 125
    code, reason = decode_close(frame[head.size :])
    assert (code, set(reason)) == (4409, {"é"})


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1015, 2999, 5000])
def test_codes_that_may_not_be_sent_are_refused(code: int) -> None:
    with pytest.raises(Invalid):
        decode_close(code.to_bytes(2, "big"))
