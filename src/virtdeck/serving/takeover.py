"""How an app takes a WebSocket's connection over as bytes, past ASGI's messages.

ASGI hands each message through two queues and copies it three times; a screen's pixels cannot afford that.
"""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from virtdeck.serving.asgi import Scope

TAKEOVER_EXTENSION = "virtdeck.takeover"
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3


class Successor(asyncio.Protocol):
    """A protocol that continues a server's connection after the handshake."""

    on_lost: Callable[[Exception | None], None]

    def shutdown(self) -> None:
        """The server stops: the peer is told and the connection ends soon."""
        raise NotImplementedError

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_lost(exc)


@dataclass(frozen=True)
class Takeover:
    """One WebSocket request that is not answered yet. key: its Sec-WebSocket-Key."""

    key: str
    hand_over: Callable[[bytes, Successor], asyncio.Transport]

    def accept(self, successor: Successor, subprotocol: str | None = None) -> asyncio.Transport:
        """The request is accepted and the successor speaks WebSocket frames from here on."""
        return self.hand_over(acceptance(self.key, subprotocol), successor)


def takeover_of(scope: Scope) -> Takeover:
    """The way to take this WebSocket request over. Raises: KeyError on a server that is not ours."""
    found: Takeover = scope["extensions"][TAKEOVER_EXTENSION]
    return found


def accept_token(key: str) -> str:
    """What the server answers to a client's Sec-WebSocket-Key."""
    digest = hashlib.sha1(key.encode() + _GUID, usedforsecurity=False).digest()
    return base64.b64encode(digest).decode()


def acceptance(key: str, subprotocol: str | None) -> bytes:
    """The 101 response."""
    head = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
    head += f"sec-websocket-accept: {accept_token(key)}\r\n"
    if subprotocol:
        head += f"sec-websocket-protocol: {subprotocol}\r\n"
    return (head + "\r\n").encode()
