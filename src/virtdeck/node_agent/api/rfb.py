"""Reads what a VNC client says (RFB, RFC 6143), so that watching is watching and nobody is thrown off.

Only sizes are understood, never contents: a message is passed on whole or left out.
"""

from collections.abc import Callable

from virtdeck.basis.errors import Invalid

_LONGEST_MESSAGE_BYTES = 1024 * 1024
_VERSIONS = {b"RFB 003.003\n": 3, b"RFB 003.007\n": 7, b"RFB 003.008\n": 8}
_SECURITY_NONE = 1

# Message types. Source: RFC 6143 section 7.5 and the registry of RFB extensions.
_SET_PIXEL_FORMAT, _SET_ENCODINGS, _UPDATE_REQUEST, _KEY, _POINTER, _CUT_TEXT = 0, 2, 3, 4, 5, 6
_CONTINUOUS_UPDATES, _FENCE, _XVP, _SET_DESKTOP_SIZE, _QEMU = 150, 248, 250, 251, 255
_QEMU_KEY, _QEMU_AUDIO = 0, 1
_QEMU_AUDIO_FORMAT = 2

_ACTING = frozenset({_KEY, _POINTER, _CUT_TEXT, _XVP, _SET_DESKTOP_SIZE})
_FIXED_BYTES = {
    _SET_PIXEL_FORMAT: 20,
    _UPDATE_REQUEST: 10,
    _KEY: 8,
    _POINTER: 6,
    _CONTINUOUS_UPDATES: 10,
    _XVP: 4,
}


class RfbClientFilter:
    """Takes a client's bytes and gives those that may go on to QEMU.

    The client always asks to share the screen, for an exclusive one would end every other session.
    With ``watch`` it cannot act: keys, pointer, clipboard, power and size are left out.
    Once the greeting is over, the bytes of who may act pass unread.
    """

    def __init__(self, *, watch: bool) -> None:
        self._watch = watch
        self._pending = b""
        self._step = self._take_version
        self._free = False

    def __call__(self, data: bytes) -> bytes:
        """What may be passed on of everything so far. Raises: Invalid for what is not RFB."""
        if self._free:
            return data
        self._pending += data
        passed = bytearray()
        while not self._free and (size := self._step(passed)):
            self._pending = self._pending[size:]
        if self._free:
            passed += self._pending
            self._pending = b""
        elif len(self._pending) > _LONGEST_MESSAGE_BYTES:
            raise Invalid("a VNC message is too long", reason="ProtocolError")
        return bytes(passed)

    # Each step appends what may pass and answers how much it has read; 0 when more bytes are needed.

    def _take_version(self, passed: bytearray) -> int:
        if len(self._pending) < 12:
            return 0
        version = self._pending[:12]
        if version not in _VERSIONS:
            raise Invalid("the client does not speak VNC 3.3, 3.7 or 3.8", reason="ProtocolError")
        passed += version
        self._step = self._take_init if _VERSIONS[version] == 3 else self._take_security
        return 12

    def _take_security(self, passed: bytearray) -> int:
        if not self._pending:
            return 0
        if self._pending[0] != _SECURITY_NONE:
            raise Invalid("the client chose a VNC password where none is asked", reason="ProtocolError")
        passed.append(_SECURITY_NONE)
        self._step = self._take_init
        return 1

    def _take_init(self, passed: bytearray) -> int:
        if not self._pending:
            return 0
        passed.append(1)
        self._step = self._take_message
        self._free = not self._watch
        return 1

    def _take_message(self, passed: bytearray) -> int:
        size = message_size(self._pending)
        if not size or len(self._pending) < size:
            return 0
        if not acts(self._pending):
            passed += self._pending[:size]
        return size


def acts(message: bytes) -> bool:
    """The message does something to the guest."""
    return message[0] in _ACTING or (message[0] == _QEMU and message[1] == _QEMU_KEY)


def message_size(data: bytes) -> int:
    """How long the message is that begins ``data``; 0 when more bytes are needed to know. Raises: Invalid."""
    if not data:
        return 0
    if data[0] in _FIXED_BYTES:
        return _FIXED_BYTES[data[0]]
    if data[0] not in _COUNTED:
        raise Invalid(f"VNC message type {data[0]} is not known", reason="ProtocolError")
    least, size = _COUNTED[data[0]]
    return size(data) if len(data) >= least else 0


def _qemu_size(data: bytes) -> int:
    if data[1] == _QEMU_KEY:
        return 12
    if data[1] != _QEMU_AUDIO:
        raise Invalid(f"VNC message type 255/{data[1]} is not known", reason="ProtocolError")
    if len(data) < 4:
        return 0
    return 10 if _number(data, 2, 2) == _QEMU_AUDIO_FORMAT else 4


def _number(data: bytes, start: int, size: int) -> int:
    return int.from_bytes(data[start : start + size], "big")


def _signed(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 4], "big", signed=True)


# Message type to how many bytes tell its size, and how.
_COUNTED: dict[int, tuple[int, Callable[[bytes], int]]] = {
    _SET_ENCODINGS: (4, lambda data: 4 + 4 * _number(data, 2, 2)),
    # A negative length announces the extended clipboard.
    _CUT_TEXT: (8, lambda data: 8 + abs(_signed(data, 4))),
    _FENCE: (9, lambda data: 9 + data[8]),
    _SET_DESKTOP_SIZE: (8, lambda data: 8 + 16 * data[6]),
    _QEMU: (2, _qemu_size),
}
