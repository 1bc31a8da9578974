"""launcher.sock: one virt-handler at a time, told everything, its requests answered."""

import asyncio
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, cast

from virtdeck.basis.errors import Invalid
from virtdeck.launcher.log import log
from virtdeck.wire.codec import RequestDecoder, encode_message
from virtdeck.wire.launcher import Failed, Hello, LauncherState, Message, Reply, Request

MAX_REQUESTS: Final = 64  # at the same time; virt-handler has a handful
MAX_UNREAD_BYTES: Final = 16 * 1024 * 1024  # a peer that reads nothing is no peer
_CREDENTIALS = struct.Struct("3i")

Answer = Callable[[Request], Awaitable[Reply]]
ReadState = Callable[[], LauncherState]


class Server:
    """Speaks to the newest peer; an older one is closed."""

    def __init__(self, hello: Hello, read_state: ReadState, answer: Answer, tasks: asyncio.TaskGroup) -> None:
        self._hello = hello
        self._read_state = read_state
        self._answer = answer
        self._tasks = tasks
        self._peer: _Peer | None = None
        self.greeted = asyncio.Event()

    def tell(self, message: Message) -> None:
        """The peer, if there is one, gets this message."""
        if self._peer is not None:
            self._peer.send(message)

    def welcome(self, peer: "_Peer") -> None:
        """This peer counts from now on."""
        if self._peer is not None:
            self._peer.close()
        self._peer = peer
        peer.send(self._hello)
        peer.send(self._read_state())
        self.greeted.set()

    def forget(self, peer: "_Peer") -> None:
        """This peer is gone."""
        if self._peer is peer:
            self._peer = None

    def take(self, peer: "_Peer", request: Request) -> None:
        """The request is being carried out."""
        self._tasks.create_task(self._carry_out(peer, request))

    async def _carry_out(self, peer: "_Peer", request: Request) -> None:
        try:
            peer.send(await self._answer(request))
        finally:
            peer.open_requests -= 1


class _Peer(asyncio.Protocol):
    def __init__(self, server: Server) -> None:
        self._server = server
        self._decoder = RequestDecoder()
        self._transport: asyncio.Transport | None = None
        self.open_requests = 0

    def send(self, message: Message) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        transport.write(encode_message(message))
        if transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            transport.abort()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        uid = _peer_uid(self._transport)
        if uid in (0, os.getuid()):
            self._server.welcome(self)
        else:
            log("peer_refused", level="warning", uid=uid)
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        try:
            for request in self._decoder.feed(data):
                self._take(request)
        except Invalid as fault:
            log("peer_not_understood", level="warning", error=str(fault))
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.forget(self)

    def _take(self, request: Request) -> None:
        if self.open_requests >= MAX_REQUESTS:
            self.send(
                Failed(id=request.id, reason="Unready", message="too many requests are being carried out")
            )
            return
        self.open_requests += 1
        self._server.take(self, request)


def _peer_uid(transport: asyncio.Transport) -> int:
    peer: socket.socket = transport.get_extra_info("socket")
    raw = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(raw)[1])


@asynccontextmanager
async def listening(server: Server, path: str) -> AsyncIterator[None]:
    """The server takes connections while the block runs."""
    loop = asyncio.get_running_loop()
    listener = await loop.create_unix_server(lambda: _Peer(server), path)
    try:
        yield
    finally:
        listener.close()
