"""WebSocket frames (RFC 6455, section 5): bytes in, values out, nothing copied that need not be."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from websockets.speedups import apply_mask

from virtdeck.basis.errors import Bug, Invalid


class Opcode(IntEnum):
    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


CONTROL = (Opcode.CLOSE, Opcode.PING, Opcode.PONG)
_OPCODES = frozenset(Opcode)


@dataclass(frozen=True, slots=True)
class Head:
    """What a frame's head says. size: of the head, length: of the payload, in bytes."""

    opcode: int
    final: bool
    mask: bytes | None
    length: int
    size: int


def encode_head(opcode: int, length: int) -> bytes:
    """The head of a whole, unmasked message, as servers send it."""
    first = 0x80 | opcode
    if length < 126:
        return bytes((first, length))
    if length < 65536:
        return bytes((first, 126)) + length.to_bytes(2, "big")
    return bytes((first, 127)) + length.to_bytes(8, "big")


def encode_close(code: int, reason: str) -> bytes:
    """A close frame; the reason is cut to what fits (123 bytes)."""
    payload = code.to_bytes(2, "big") + reason.encode()[:123].decode(errors="ignore").encode()
    return encode_head(Opcode.CLOSE, len(payload)) + payload


def decode_close(payload: bytes) -> tuple[int, str]:
    """Code and reason of a close frame; 1005 when it names none. Raises: Invalid."""
    if not payload:
        return 1005, ""
    if len(payload) == 1:
        raise Invalid("a close frame has no whole code", reason="ProtocolError")
    code = int.from_bytes(payload[:2], "big")
    if not ((1000 <= code < 1016 and code not in (1004, 1005, 1006, 1015)) or 3000 <= code < 5000):
        raise Invalid("a close frame has a code that may not be sent", reason="ProtocolError")
    try:
        return code, payload[2:].decode()
    except UnicodeDecodeError as fault:
        raise Invalid("a close frame's reason is not UTF-8", reason="InvalidText") from fault


def parse_head(data: bytes | bytearray | memoryview, start: int = 0) -> Head | None:
    """The head that begins at ``start``; None while it is not whole. Raises: Invalid."""
    available = len(data) - start
    if available < 2:
        return None
    first, second = data[start], data[start + 1]
    length, size = second & 0x7F, 2
    if length >= 126:
        size += 2 if length == 126 else 8
    masked = bool(second & 0x80)
    if available < size + 4 * masked:
        return None
    if length >= 126:
        length = int.from_bytes(data[start + 2 : start + size], "big")
    mask = bytes(data[start + size : start + size + 4]) if masked else None
    head = Head(first & 0x0F, bool(first & 0x80), mask, length, size + 4 * masked)
    _check(head, reserved=first & 0x70)
    return head


class FrameReader:
    """Takes what a client sends and hands out (opcode, payload, end), data frames in pieces as they come.

    A screen or a serial line has no message boundaries, so nothing waits for a frame's end; ``end`` says
    that a message is complete for those who care. The opcode of a continuation is its message's.
    longest: payload bytes that one frame may announce.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._pending = b""
        self._head: Head | None = None
        self._left = 0
        self._mask = b""
        self._message: int | None = None
        self._text = codecs.getincrementaldecoder("utf-8")()

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes, bool]]:
        """Yield what ``data`` completes.

        Raises: Invalid with reason ProtocolError, InvalidText or MessageTooBig.
        """
        data = self._pending + data if self._pending else data
        self._pending = b""
        position = 0
        while True:
            if self._head is None:
                head = parse_head(data, position)
                if head is None:
                    break
                self._begin(head)
                position += head.size
            taken = data[position : position + self._left]
            if self._incomplete(taken):
                break
            position += len(taken)
            yield self._piece(taken)
        self._pending = data[position:]

    def _begin(self, head: Head) -> None:
        if head.mask is None:
            raise Invalid("a client's frame is not masked", reason="ProtocolError")
        if head.length > self._longest:
            raise Invalid(f"a frame is longer than {self._longest} bytes", reason="MessageTooBig")
        if head.opcode not in CONTROL:
            if (head.opcode == Opcode.CONTINUATION) == (self._message is None):
                raise Invalid("a frame does not continue the message before it", reason="ProtocolError")
            self._message = self._message if head.opcode == Opcode.CONTINUATION else head.opcode
        self._head, self._left, self._mask = head, head.length, head.mask

    def _incomplete(self, taken: bytes) -> bool:
        if self._head is not None and self._head.opcode in CONTROL:
            return len(taken) < self._left
        return bool(self._left) and not taken

    def _piece(self, taken: bytes) -> tuple[int, bytes, bool]:
        head = self._head
        if head is None:
            raise Bug("a piece without a frame")
        payload = apply_mask(taken, self._mask) if taken else b""
        turn = len(taken) % 4
        self._mask = self._mask[turn:] + self._mask[:turn]
        self._left -= len(taken)
        whole = not self._left
        self._head = None if whole else head
        if head.opcode in CONTROL:
            return head.opcode, payload, True
        opcode, end = self._message or Opcode.BINARY, whole and head.final
        if opcode == Opcode.TEXT:
            self._check_text(payload, end)
        self._message = None if end else opcode
        return opcode, payload, end

    def _check_text(self, payload: bytes, end: bool) -> None:
        try:
            self._text.decode(payload, end)
        except UnicodeDecodeError as fault:
            raise Invalid("a text message is not UTF-8", reason="InvalidText") from fault


class FrameTracker:
    """Follows frames that are passed on unread, to know where one ends and whether a close went by."""

    def __init__(self) -> None:
        self._left = 0
        self._pending = b""
        self.closed = False

    @property
    def at_boundary(self) -> bool:
        """A frame of our own may be sent now."""
        return not self._left and not self._pending

    def feed(self, data: bytes) -> None:
        """Account for ``data``. Raises: Invalid when it is not WebSocket frames."""
        if self._left >= len(data) and not self._pending:
            self._left -= len(data)
            return
        data = self._pending + data
        position = self._left
        self._left, self._pending = 0, b""
        while position < len(data):
            head = parse_head(data, position)
            if head is None:
                self._pending = data[position:]
                return
            self.closed = self.closed or head.opcode == Opcode.CLOSE
            position += head.size + head.length
        self._left = position - len(data)


def _check(head: Head, reserved: int) -> None:
    if reserved or head.opcode not in _OPCODES:
        raise Invalid("a frame has reserved bits or an unknown opcode", reason="ProtocolError")
    if head.length >> 63:
        raise Invalid("a frame's length is out of range", reason="ProtocolError")
    if head.opcode in CONTROL and (not head.final or head.length > 125):
        raise Invalid("a control frame is fragmented or too long", reason="ProtocolError")
