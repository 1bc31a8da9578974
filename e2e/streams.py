"""A WebSocket for tests without an event loop of their own.

websockets' own synchronous client reads and writes one TLS connection in two threads, and about one handshake
in a thousand then ends as if the peer had closed it. Here one thread does both, in an event loop.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedOK


class Stream:
    """One open WebSocket; what it raises is websockets' own. Built by ``open_stream``."""

    def __init__(self, portal: BlockingPortal, connection: ClientConnection, resources: ExitStack) -> None:
        self._portal = portal
        self._connection = connection
        self._resources = resources

    def send(self, data: str | bytes) -> None:
        self._portal.call(self._connection.send, data)

    def recv(self, timeout: float | None = None) -> bytes:
        """The next message's bytes. Raises: TimeoutError, ConnectionClosed."""
        return self._portal.call(self._receive, timeout)

    async def _receive(self, seconds: float | None) -> bytes:
        with anyio.fail_after(seconds):
            data = await self._connection.recv(decode=False)
        return bytes(data)

    @property
    def close_code(self) -> int | None:
        """What the peer closed with; None while it is open."""
        return self._connection.close_code

    def close(self) -> None:
        self._portal.call(self._connection.close)

    def __iter__(self) -> Iterator[bytes]:
        """Messages until the peer closes without a fault. Raises: ConnectionClosedError."""
        while True:
            try:
                yield self.recv()
            except ConnectionClosedOK:
                return

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._resources.close()


def open_stream(url: str, **options: Any) -> Stream:
    """The WebSocket at the URL; options are those of websockets. Raises: InvalidStatus when refused."""
    with ExitStack() as resources:
        portal = resources.enter_context(start_blocking_portal())
        connection = portal.call(_connect, url, options)
        return Stream(portal, connection, resources.pop_all())


async def _connect(url: str, options: dict[str, Any]) -> ClientConnection:
    return await connect(url, **options)
