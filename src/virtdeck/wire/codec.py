"""Messages to frames and back."""

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from virtdeck.basis.errors import Invalid
from virtdeck.wire.framing import FrameDecoder, encode_frame
from virtdeck.wire.launcher import Message, Reply, Request

_T = TypeVar("_T")

_encoder = msgspec.json.Encoder()
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_replies: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


def encode_message(message: Message) -> bytes:
    """The message as one frame."""
    return encode_frame(_encoder.encode(message))


class RequestDecoder:
    """What the launcher receives."""

    def __init__(self) -> None:
        self._frames = FrameDecoder()

    def feed(self, data: bytes) -> Iterator[Request]:
        """Yield each request that ``data`` completes. Raises: Invalid."""
        for payload in self._frames.feed(data):
            yield _decode(_requests, payload)


class ReplyDecoder:
    """What virt-handler receives."""

    def __init__(self) -> None:
        self._frames = FrameDecoder()

    def feed(self, data: bytes) -> Iterator[Reply]:
        """Yield each reply that ``data`` completes. Raises: Invalid."""
        for payload in self._frames.feed(data):
            yield _decode(_replies, payload)


def _decode(decoder: "msgspec.json.Decoder[_T]", payload: bytes) -> _T:
    try:
        return decoder.decode(payload)
    except msgspec.DecodeError as fault:
        raise Invalid(f"the peer sent a message that is not in the protocol: {fault}") from fault
