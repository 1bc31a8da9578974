"""WebSockets of aggregated servers: the handshake passed on, then bytes both ways with back-pressure."""

import asyncio

import anyio

from virtdeck.basis.errors import Lost
from virtdeck.serving.takeover import Successor, takeover_of
from virtdeck.standalone.apiserver.aggregation.http_client import Endpoint, Headers
from virtdeck.standalone.apiserver.aggregation.identity_headers import forwarded_headers
from virtdeck.standalone.apiserver.aggregation.proxy import target_of
from virtdeck.standalone.apiserver.problems import unavailable
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.resources.registry import Delegate
from virtdeck.standalone.apiserver.service import Service

_CONNECT_SECONDS = 10.0
_HEAD_SECONDS = 30.0
_MOST_HEAD_BYTES = 64 * 1024
_HIGH_WATER_BYTES = 256 * 1024
_PASSED = ("sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol")


async def proxy_websocket(call: Call, service: Service, delegate: Delegate) -> None:
    """The WebSocket was joined with the other server's until one end closed it, or its refusal was passed on.

    Raises: StatusError 503 when the other server cannot be reached.
    """
    try:
        endpoint = service.upstreams.delegate(delegate)
        backend = await _connect(endpoint)
        try:
            backend.transport.write(_handshake(call, f"{endpoint.server_name}:{delegate.port}"))
            with anyio.fail_after(_HEAD_SECONDS):
                await backend.head_here.wait()
            status, headers, rest = backend.take_head()
            if status != 101:
                await _pass_refusal(call, backend, status, headers, rest)
                return
            await _join(call, backend, headers, rest)
        finally:
            backend.transport.abort()
    except (Lost, OSError, TimeoutError) as fault:
        raise unavailable(f"error trying to reach service: {fault or 'no answer in time'}") from fault


async def _connect(endpoint: Endpoint) -> "_Backend":
    with anyio.fail_after(_CONNECT_SECONDS):
        _transport, backend = await asyncio.get_running_loop().create_connection(
            _Backend,
            endpoint.host,
            endpoint.port,
            ssl=endpoint.context,
            server_hostname=endpoint.server_name if endpoint.context else None,
        )
    return backend


def _handshake(call: Call, host: str) -> bytes:
    passed = [(name, call.headers[name]) for name in _PASSED if name in call.headers]
    headers = [
        ("host", host),
        ("connection", "Upgrade"),
        ("upgrade", "websocket"),
        *passed,
        *forwarded_headers(call.scope, call.user),
    ]
    lines = [f"GET {target_of(call)} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1")


async def _pass_refusal(call: Call, backend: "_Backend", status: int, headers: Headers, rest: bytes) -> None:
    length = next((int(value) for name, value in headers if name == "content-length"), 0)
    with anyio.move_on_after(_HEAD_SECONDS):
        body = await backend.read_rest(rest, min(length, _MOST_HEAD_BYTES))
        kind = next((value for name, value in headers if name == "content-type"), "text/plain")
        head = [(b"content-type", kind.encode("latin-1")), (b"content-length", str(len(body)).encode())]
        await call.send({"type": "websocket.http.response.start", "status": status, "headers": head})
        await call.send({"type": "websocket.http.response.body", "body": body, "more_body": False})


async def _join(call: Call, backend: "_Backend", headers: Headers, rest: bytes) -> None:
    client = _Client(backend)
    protocol = next((value for name, value in headers if name == "sec-websocket-protocol"), None)
    client.transport = takeover_of(call.scope).accept(client, protocol)
    client.transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)
    backend.join(client, rest)
    with anyio.CancelScope():
        try:
            await client.over.wait()
        finally:
            client.finish()


class _Backend(asyncio.Protocol):
    """The other server's side: first the head of its answer, then bytes."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.head_here = anyio.Event()
        self._received = bytearray()
        self._more = anyio.Event()
        self._client: _Client | None = None
        self._lost = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)

    def data_received(self, data: bytes) -> None:
        if self._client is not None:
            self._client.send(data)
            return
        self._received += data
        if b"\r\n\r\n" in self._received or len(self._received) > _MOST_HEAD_BYTES:
            self.head_here.set()
        self._more.set()

    def take_head(self) -> tuple[int, Headers, bytes]:
        """Status, headers, and what came behind them. Raises: Lost."""
        head, found, rest = bytes(self._received).partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        parts = lines[0].split(" ", 2)
        if not found or len(parts) < 2 or not parts[1].isdecimal():
            raise Lost("the server closed the connection or did not answer in HTTP")
        pairs = (line.partition(":") for line in lines[1:])
        self._received.clear()
        return int(parts[1]), [(name.strip().lower(), value.strip()) for name, _, value in pairs], rest

    async def read_rest(self, rest: bytes, length: int) -> bytes:
        """A body of this length, or what there is of it when the connection ends."""
        while len(rest) + len(self._received) < length and not self._lost:
            self._more = anyio.Event()
            await self._more.wait()
        return (rest + bytes(self._received))[:length]

    def join(self, client: "_Client", rest: bytes) -> None:
        """What comes from here on goes to the client."""
        self._client = client
        if rest or self._received:
            client.send(rest + bytes(self._received))
            self._received.clear()
        if self._lost:
            client.over.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self.head_here.set()
        self._more.set()
        if self._client is not None:
            self._client.over.set()

    def pause_writing(self) -> None:
        if self._client is not None and not self._client.transport.is_closing():
            self._client.transport.pause_reading()

    def resume_writing(self) -> None:
        if self._client is not None and not self._client.transport.is_closing():
            self._client.transport.resume_reading()


class _Client(Successor):
    """The client's side."""

    transport: asyncio.Transport

    def __init__(self, backend: _Backend) -> None:
        self._backend = backend
        self.over = anyio.Event()

    def send(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        if not self._backend.transport.is_closing():
            self._backend.transport.write(data)

    def finish(self) -> None:
        """What was sent to the client arrives, then its connection is closed."""
        if not self.transport.is_closing():
            self.transport.close()

    def shutdown(self) -> None:
        self.over.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.over.set()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        if not self._backend.transport.is_closing():
            self._backend.transport.pause_reading()

    def resume_writing(self) -> None:
        if not self._backend.transport.is_closing():
            self._backend.transport.resume_reading()
