"""A WebSocket request carried on to another server, and the bytes of both joined unread.

Frames, masks, pings and close codes pass as they are, so a relay costs two reads and writes and no copy.
"""

import asyncio
import ssl
from dataclasses import dataclass

import anyio

from virtdeck.basis.errors import Invalid, Lost
from virtdeck.serving.asgi import Headers
from virtdeck.serving.bridge import HIGH_WATER_BYTES, Ending
from virtdeck.serving.frames import FrameTracker, encode_close
from virtdeck.serving.takeover import Successor, Takeover, accept_token
from virtdeck.serving.upgrade import Target, encode_request, parse_answer

_LONGEST_HEAD_BYTES = 64 * 1024
_LONGEST_REFUSAL_BYTES = 64 * 1024
_CLOSE_SECONDS = 2.0
_SILENCE_SECONDS = 90.0  # servers ping every 20 s; who is silent for so long is gone


@dataclass(frozen=True)
class Refusal:
    """What the other server answered instead of 101."""

    code: int
    headers: Headers
    body: bytes

    def header(self, name: bytes) -> bytes:
        """The value of this header, empty without."""
        return next((value for key, value in self.headers if key == name), b"")


async def dial(takeover: Takeover, target: Target) -> "Relay | Refusal":
    """Carry the request on; a Relay is ready to run, a Refusal is the other server's answer.

    The caller sets the deadline. Raises: Lost when the other server cannot be reached or talks nonsense.
    """
    upstream = _Upstream()
    server_name = target.server_name or target.host
    try:
        transport, _ = await asyncio.get_running_loop().create_connection(
            lambda: upstream,
            target.host,
            target.port,
            ssl=target.tls,
            server_hostname=server_name if target.tls else None,
        )
    except (OSError, ssl.SSLError) as fault:
        raise Lost(f"{target.host}:{target.port} cannot be reached: {fault}") from fault
    try:
        transport.write(encode_request(takeover.key, target))
        code, headers = await upstream.read_head()
        if code == 101:
            if dict(headers).get(b"sec-websocket-accept") != accept_token(takeover.key).encode():
                raise Lost(f"{target.host}:{target.port} did not answer this WebSocket request")
            return Relay(takeover, upstream, headers)
        body = await upstream.read_rest(headers)
        transport.close()
        return Refusal(code, headers, body)
    except BaseException:
        transport.abort()
        raise


class Relay:
    """Two connections after the handshake.

    lost_code: what the client is told when the server's connection ends without a close.
    silence_seconds: how long the server may send nothing; None when it need not ping.
    """

    def __init__(self, takeover: Takeover, upstream: "_Upstream", headers: Headers) -> None:
        self._takeover = takeover
        self._headers = headers
        self._ending: Ending | None = None
        self._over = anyio.Event()
        self.moved = 0
        self.upstream = upstream
        self.downstream = _Downstream(self)
        self.lost_code = (4502, "the connection to the node was lost")
        self.silence_seconds: float | None = _SILENCE_SECONDS

    async def run(self) -> Ending:
        """Accept the client and pass bytes until either end closes.

        Cancel: the client is told 1001.
        """
        protocol = dict(self._headers).get(b"sec-websocket-protocol", b"").decode("latin-1") or None
        try:
            self.downstream.transport = self._takeover.accept(self.downstream, protocol)
            self.downstream.transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)
            self.upstream.join(self)
            await self._watch()
        finally:
            self.close(1001, "the server stops")
            self.upstream.transport.close()
        return self._ending or Ending("server", 1001)

    def close(self, code: int, reason: str) -> None:
        """The client is told ``code`` and why as soon as no frame is half sent; the relay ends."""
        self.end(Ending("server", code, reason))

    def end(self, ending: Ending) -> None:
        """The relay ends like this, unless it has ended already."""
        if self._ending is None:
            self._ending = ending
            self.downstream.finish(ending)
            self._over.set()

    async def _watch(self) -> None:
        while not self._over.is_set():
            before = self.moved
            with anyio.move_on_after(self.silence_seconds):
                await self._over.wait()
                return
            if self.moved == before:
                self.close(*self.lost_code)


class _Downstream(Successor):
    """The client's side."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._frames = FrameTracker()  # of what the client is sent
        self.transport: asyncio.Transport

    def send(self, data: bytes) -> None:
        """Pass ``data`` on. Raises: Invalid when it is not WebSocket frames."""
        self._frames.feed(data)
        self.transport.write(data)

    def finish(self, ending: Ending) -> None:
        if self.transport.is_closing():
            return
        if self._frames.closed or not self._frames.at_boundary:
            self.transport.close()
            return
        self.transport.write(encode_close(ending.code, ending.reason))
        asyncio.get_running_loop().call_later(_CLOSE_SECONDS, self.transport.close)

    def shutdown(self) -> None:
        self._relay.close(1001, "the server stops")

    def data_received(self, data: bytes) -> None:
        upstream = self._relay.upstream.transport
        if not upstream.is_closing():
            upstream.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._relay.end(Ending("client", 1006))
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        if not self._relay.upstream.transport.is_closing():
            self._relay.upstream.transport.pause_reading()

    def resume_writing(self) -> None:
        if not self._relay.upstream.transport.is_closing():
            self._relay.upstream.transport.resume_reading()


class _Upstream(asyncio.Protocol):
    """The other server's side: first its answer's head, then its bytes."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._news = asyncio.Event()
        self._gone = False
        self._relay: Relay | None = None
        self.transport: asyncio.Transport

    def join(self, relay: Relay) -> None:
        """From here on bytes go to the relay's client, beginning with those that came with the head."""
        self._relay = relay
        self.transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)
        early = bytes(self._received)
        if early:
            self.data_received(early)
        if self._gone:
            relay.end(Ending("backend", *relay.lost_code))

    async def read_head(self) -> tuple[int, Headers]:
        """Status and headers of the answer. Raises: Lost."""
        while (end := self._received.find(b"\r\n\r\n")) < 0:
            if len(self._received) > _LONGEST_HEAD_BYTES:
                raise Lost("the other server's answer has too long a head")
            await self._more()
        head = bytes(self._received[:end])
        del self._received[: end + 4]
        return parse_answer(head)

    async def read_rest(self, headers: Headers) -> bytes:
        """The body of a refusal, cut to its bound."""
        announced = dict(headers).get(b"content-length", b"")
        wanted = (
            min(int(announced), _LONGEST_REFUSAL_BYTES) if announced.isdigit() else _LONGEST_REFUSAL_BYTES
        )
        try:
            while len(self._received) < wanted:
                await self._more()
        except Lost:
            pass  # a body without a length ends with the connection
        return bytes(self._received[:wanted])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment] # asyncio's own annotation is the base class

    def data_received(self, data: bytes) -> None:
        if self._relay is None:
            self._received += data
            self._news.set()
            return
        self._relay.moved += 1
        try:
            self._relay.downstream.send(data)
        except Invalid as fault:
            self._relay.close(4502, f"the other server sent what is no WebSocket frame: {fault.message}")

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone = True
        self._news.set()
        if self._relay is not None:
            self._relay.end(Ending("backend", *self._relay.lost_code))

    def pause_writing(self) -> None:
        if self._relay is not None and not self._relay.downstream.transport.is_closing():
            self._relay.downstream.transport.pause_reading()

    def resume_writing(self) -> None:
        if self._relay is not None and not self._relay.downstream.transport.is_closing():
            self._relay.downstream.transport.resume_reading()

    async def _more(self) -> None:
        if self._gone:
            raise Lost("the other server closed the connection")
        self._news.clear()
        await self._news.wait()
