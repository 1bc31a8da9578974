"""A WebSocket joined with a byte stream or datagrams, protocol to protocol, with back-pressure.

Both ends stop reading as soon as the other end's buffer is full, so a slow peer costs one buffer.
"""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass

import anyio

from virtdeck.basis.errors import Invalid
from virtdeck.serving.frames import FrameReader, Opcode, decode_close, encode_close, encode_head
from virtdeck.serving.takeover import Successor, Takeover

HIGH_WATER_BYTES = 256 * 1024  # one read of uvloop
_COPIED_BYTES = 16 * 1024  # below one TLS record a copy is cheaper than a record for the head alone
_LONGEST_FRAME_BYTES = 16 * 1024 * 1024
_LONGEST_DATAGRAM_BYTES = 65_507
_CLOSE_SECONDS = 2.0  # for the peer's answer to a close frame, and for the backend to take the rest
_ERROR_CODES = {"ProtocolError": 1002, "InvalidText": 1007, "MessageTooBig": 1009}

Filter = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Ending:
    """How a bridge ended. by: who closed first, ``client``, ``backend`` or ``server``."""

    by: str
    code: int
    reason: str = ""


@dataclass(frozen=True)
class BridgeOptions:
    """What a bridge may be told.

    from_client: what is passed on of the client's bytes (all, unless given).
    backend_gone: close code and sentence for the client when the backend ends.
    """

    subprotocol: str | None = None
    from_client: Filter | None = None
    backend_gone: tuple[int, str] = (1000, "")
    ping_seconds: float = 20.0


class Bridge:
    """One client's WebSocket and one backend."""

    def __init__(self, takeover: Takeover, options: BridgeOptions) -> None:
        self.options = options
        self._takeover = takeover
        self._ending: Ending | None = None
        self._over = anyio.Event()
        self.client = _Client(self)
        self.backend = _Backend(self)

    async def run(self, backend: socket.socket, first: bytes = b"") -> Ending:
        """Join the client, which is accepted, with the connected ``backend``; returns at the end of both.

        first: sent to the client before anything of the backend.
        Cancel: the client is told 1001 and both ends are closed.
        """
        backend.setblocking(False)
        await self._connect(backend)
        try:
            self.client.accept(self._takeover)
            if first:
                self.client.send(first)
            self.backend.begin()
            await self._watch()
        finally:
            self.close(1001, "the server stops")
            with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
                await self.backend.wait_closed()
            self.backend.transport.abort()
        return self._ending or Ending("server", 1001)

    def close(self, code: int, reason: str) -> None:
        """The client has been told ``code`` and why; the bridge ends. Only the first ending counts."""
        self.end(Ending("server", code, reason))

    def end(self, ending: Ending) -> None:
        """The bridge ends like this, unless it has ended already."""
        if self._ending is None:
            self._ending = ending
            self.client.finish(ending)
            self._over.set()

    async def _connect(self, backend: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        if backend.type == socket.SOCK_DGRAM:
            await loop.create_datagram_endpoint(lambda: self.backend, sock=backend)
        elif backend.family == socket.AF_UNIX:
            await loop.create_unix_connection(lambda: self.backend, sock=backend)
        else:
            await loop.create_connection(lambda: self.backend, sock=backend)

    async def _watch(self) -> None:
        while not self._over.is_set():
            with anyio.move_on_after(self.options.ping_seconds):
                await self._over.wait()
                return
            self.client.ping()


class _Client(Successor):
    """The WebSocket's side."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._keep = bridge.options.from_client
        self._frames = FrameReader(_LONGEST_FRAME_BYTES)
        self._alive = True
        self._closing = False
        self.transport: asyncio.Transport

    def accept(self, takeover: Takeover) -> None:
        self.transport = takeover.accept(self, self._bridge.options.subprotocol)
        self.transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)

    def send(self, data: bytes) -> None:
        if self._closing:
            return
        head = encode_head(Opcode.BINARY, len(data))
        if len(data) < _COPIED_BYTES:
            self.transport.write(head + data)
        else:
            self.transport.writelines((head, data))

    def ping(self) -> None:
        """Ask for a sign of life; a client that gave none since the last time is taken for gone."""
        if not self._alive:
            self.transport.abort()
            return
        self._alive = False
        self.transport.write(encode_head(Opcode.PING, 0))

    def finish(self, ending: Ending) -> None:
        if self.transport.is_closing():
            return
        self._closing = True
        code = ending.code if ending.code not in (1005, 1006) else 1000
        self.transport.write(encode_close(code, ending.reason))
        if ending.by == "client":
            self.transport.close()
        else:
            self.transport.resume_reading()  # the answer must be read even if the backend was slow
            asyncio.get_running_loop().call_later(_CLOSE_SECONDS, self.transport.close)

    def shutdown(self) -> None:
        self._bridge.close(1001, "the server stops")

    def data_received(self, data: bytes) -> None:
        self._alive = True
        try:
            for opcode, payload, end in self._frames.feed(data):
                self._take(opcode, payload, end)
        except Invalid as fault:
            self._bridge.close(_ERROR_CODES.get(fault.reason, 1002), fault.message)

    def connection_lost(self, exc: Exception | None) -> None:
        self._bridge.end(Ending("client", 1006))
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._bridge.backend.pause()

    def resume_writing(self) -> None:
        self._bridge.backend.resume()

    def _take(self, opcode: int, payload: bytes, end: bool) -> None:
        if opcode == Opcode.CLOSE:
            if self._closing:
                self.transport.close()
            else:
                self._bridge.end(Ending("client", *decode_close(payload)))
        elif opcode == Opcode.PING:
            self.transport.write(encode_head(Opcode.PONG, len(payload)) + payload)
        elif opcode != Opcode.PONG and not self._closing:
            self._bridge.backend.send(self._keep(payload) if self._keep else payload, end)


class _Backend(asyncio.Protocol, asyncio.DatagramProtocol):
    """The byte stream's side, or the datagrams'."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._message = bytearray()
        self._closed = anyio.Event()
        self._datagrams = False
        self._early: list[bytes] | None = []
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment] # datagrams have the same few methods
        self._datagrams = transport.get_extra_info("socket").type == socket.SOCK_DGRAM
        if not self._datagrams:
            self.transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)
            self.transport.pause_reading()  # until the client is there

    def begin(self) -> None:
        """The client is there: it gets what came before it, and what comes."""
        early, self._early = self._early, None
        for data in early or ():
            self._bridge.client.send(data)
        self.resume()

    async def wait_closed(self) -> None:
        """What was written is out and the connection is closed."""
        if not self.transport.is_closing():
            self.transport.close()
        await self._closed.wait()

    def send(self, data: bytes, end: bool) -> None:
        if self.transport.is_closing():
            return
        if not self._datagrams:
            self.transport.write(data)
            return
        self._message += data
        if len(self._message) > _LONGEST_DATAGRAM_BYTES:
            raise Invalid("a message is longer than a datagram can be", reason="MessageTooBig")
        if end:
            self.transport.sendto(bytes(self._message))  # type: ignore[attr-defined]
            self._message.clear()

    def pause(self) -> None:
        if not self._datagrams and not self.transport.is_closing():
            self.transport.pause_reading()

    def resume(self) -> None:
        if not self._datagrams and not self.transport.is_closing():
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        if self._early is None:
            self._bridge.client.send(data)
            return
        # uvloop begins to read after connection_made, whatever was paused there (a VNC server speaks first).
        self._early.append(data)
        self.transport.resume_reading()
        self.transport.pause_reading()

    def datagram_received(self, data: bytes, addr: object) -> None:
        if self._early is None:
            self._bridge.client.send(data)
        else:
            self._early.append(data)

    def error_received(self, exc: Exception) -> None:
        """A datagram was refused (ICMP): the client's to time out, as with UDP itself."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._bridge.end(Ending("backend", *self._bridge.options.backend_gone))

    def pause_writing(self) -> None:
        if not self._bridge.client.transport.is_closing():
            self._bridge.client.transport.pause_reading()

    def resume_writing(self) -> None:
        if not self._bridge.client.transport.is_closing():
            self._bridge.client.transport.resume_reading()
