"""How an app writes an endless answer straight to its connection, past ASGI's messages.

An event that hundreds of watchers wait for is framed once, and costs each of them one write.
"""

import asyncio
from dataclasses import dataclass

from virtdeck.serving.asgi import Scope
from virtdeck.serving.lean_uvicorn import FlowControl

CHUNKS_EXTENSION = "virtdeck.chunks"


@dataclass(frozen=True)
class Chunks:
    """The connection of one request whose answer's head is out, without a length."""

    transport: asyncio.Transport
    flow: FlowControl

    @property
    def ready(self) -> bool:
        """Whether the peer is there and takes what it was sent."""
        return not self.flow.write_paused and not self.transport.is_closing()

    def write(self, frames: bytes) -> None:
        """Whole frames are on their way. Only while ``ready``."""
        self.transport.write(frames)


def frame(data: bytes) -> bytes:
    """The data as one chunk of HTTP/1.1."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def chunks_of(scope: Scope) -> Chunks | None:
    """The way to write chunks to this request's connection; None where its answer has none."""
    found: Chunks | None = scope.get("extensions", {}).get(CHUNKS_EXTENSION)
    return found if scope.get("method") == "GET" and scope.get("http_version") == "1.1" else None
