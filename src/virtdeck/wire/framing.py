"""Frames on a byte stream: 4 bytes of big-endian length, then that many bytes."""

from collections.abc import Iterator

from virtdeck.basis.errors import Invalid

MAX_FRAME_BYTES = 4 * 1024 * 1024
_HEADER_BYTES = 4


def encode_frame(payload: bytes) -> bytes:
    """The payload with its length before it. Raises: Invalid when it is too long."""
    if len(payload) > MAX_FRAME_BYTES:
        raise Invalid(f"a frame may have at most {MAX_FRAME_BYTES} bytes, this one has {len(payload)}")
    return len(payload).to_bytes(_HEADER_BYTES, "big") + payload


class FrameDecoder:
    """Collects received bytes and hands out whole frames."""

    def __init__(self) -> None:
        self._received = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield each frame that ``data`` completes. Raises: Invalid when a longer one is announced."""
        self._received += data
        while len(self._received) >= _HEADER_BYTES:
            length = int.from_bytes(self._received[:_HEADER_BYTES], "big")
            if length > MAX_FRAME_BYTES:
                raise Invalid(
                    f"the peer announced a frame of {length} bytes, at most {MAX_FRAME_BYTES} are taken"
                )
            end = _HEADER_BYTES + length
            if len(self._received) < end:
                return
            payload = bytes(self._received[_HEADER_BYTES:end])
            del self._received[:end]
            yield payload
