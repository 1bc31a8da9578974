"""External Data Representation (RFC 4506), as far as libvirt's messages use it."""

import struct

from virtdeck.basis.errors import Bug

_UINT = struct.Struct(">I")
_INT = struct.Struct(">i")
_HYPER = struct.Struct(">q")
_UHYPER = struct.Struct(">Q")
_DOUBLE = struct.Struct(">d")


def uint(value: int) -> bytes:
    """Four bytes, unsigned."""
    return _UINT.pack(value)


def string(text: str) -> bytes:
    """Length, UTF-8 bytes, zeroes up to the next multiple of four."""
    data = text.encode()
    return _UINT.pack(len(data)) + data + b"\0" * (-len(data) % 4)


def optional_string(text: str | None) -> bytes:
    """A string that may be absent."""
    return _UINT.pack(0) if text is None else _UINT.pack(1) + string(text)


def uints(values: tuple[int, ...]) -> bytes:
    """A counted array of unsigned integers."""
    return _UINT.pack(len(values)) + b"".join(map(_UINT.pack, values))


class Reader:
    """Takes values off the front of one message. Raises: Bug when the message is too short."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def signed(self) -> int:
        return int(_INT.unpack(self._take(4))[0])

    def unsigned(self) -> int:
        return int(_UINT.unpack(self._take(4))[0])

    def hyper(self) -> int:
        return int(_HYPER.unpack(self._take(8))[0])

    def unsigned_hyper(self) -> int:
        return int(_UHYPER.unpack(self._take(8))[0])

    def double(self) -> float:
        return float(_DOUBLE.unpack(self._take(8))[0])

    def opaque(self, length: int) -> bytes:
        """``length`` bytes and their padding."""
        data = self._take(length)
        self._take(-length % 4)
        return data

    def string(self) -> str:
        return self.opaque(self.unsigned()).decode(errors="replace")

    def optional_string(self) -> str | None:
        return self.string() if self.unsigned() else None

    def _take(self, length: int) -> bytes:
        end = self._at + length
        if end > len(self._data):
            raise Bug(f"libvirt's message ends after {len(self._data)} bytes, {end} were expected")
        data = self._data[self._at : end]
        self._at = end
        return data
