"""A WebSocket request as another server is asked, and the head of what it answers."""

import ssl
from dataclasses import dataclass

from virtdeck.basis.errors import Invalid, Lost
from virtdeck.serving.asgi import Headers


@dataclass(frozen=True)
class Target:
    """Where a WebSocket request goes. path: with its query. server_name: whom the certificate must name."""

    host: str
    port: int
    path: str
    headers: Headers
    tls: ssl.SSLContext | None = None
    server_name: str | None = None


def encode_request(key: str, target: Target) -> bytes:
    """The upgrade request with this Sec-WebSocket-Key. Raises: Invalid when a header would break the line."""
    lines = [
        f"GET {target.path} HTTP/1.1".encode(),
        b"host: " + (target.server_name or target.host).encode(),
        b"upgrade: websocket",
        b"connection: Upgrade",
        b"sec-websocket-version: 13",
        b"sec-websocket-key: " + key.encode(),
        *(name + b": " + value for name, value in target.headers),
    ]
    if any(b"\r" in line or b"\n" in line or b"\0" in line for line in lines):
        raise Invalid("a header of the request holds a line break")
    return b"\r\n".join(lines) + b"\r\n\r\n"


def parse_answer(head: bytes) -> tuple[int, Headers]:
    """Status and headers, names in lower case. Raises: Lost when it is not HTTP."""
    lines = head.split(b"\r\n")
    status = lines[0].split(b" ", 2)
    if len(status) < 2 or status[0] not in (b"HTTP/1.1", b"HTTP/1.0") or not status[1].isdigit():
        raise Lost("the other server does not speak HTTP")
    fields = (line.partition(b":") for line in lines[1:])
    return int(status[1]), [(name.strip().lower(), value.strip()) for name, _, value in fields]
