"""A small HTTP/1.1 client: kept connections, TLS with a client certificate, answers as streams.

aiohttp would do, but costs 8 MB and 0.1 s of a start, and this server must be small and soon ready.
"""

import asyncio
import ssl
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import httptools

from virtdeck.basis.errors import Lost

_READ_BYTES = 64 * 1024
_KEPT_PER_ENDPOINT = 8
_CONNECT_SECONDS = 10.0
_MOST_IDLE_SECONDS = 30.0  # well below what servers keep: a request must not meet a connection that just ends

Headers = list[tuple[str, str]]


@dataclass(frozen=True)
class Endpoint:
    """Where a server is and how it is spoken to. server_name: what its certificate must say."""

    host: str
    port: int
    context: ssl.SSLContext | None
    server_name: str | None = None


class _Response:
    """What the parser has seen so far."""

    def __init__(self) -> None:
        self.headers: Headers = []
        self.pieces: deque[bytes] = deque()
        self.head_complete = False
        self.complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.decode("latin-1").lower(), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        self.head_complete = True

    def on_body(self, body: bytes) -> None:
        self.pieces.append(body)

    def on_message_complete(self) -> None:
        # A 100 Continue is complete as well, but it is not the answer.
        self.complete = True


class Connection:
    """One TCP connection, one exchange at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._response = _Response()
        self._parser = httptools.HttpResponseParser(self._response)
        self.status = 0
        self.reusable = False
        self.idle_since = 0.0

    @property
    def headers(self) -> Headers:
        return self._response.headers

    def is_stale(self) -> bool:
        """Whether the server has closed the idle connection, or may be about to."""
        waited = time.monotonic() - self.idle_since
        return self._reader.at_eof() or self._writer.is_closing() or waited > _MOST_IDLE_SECONDS

    async def send(self, method: str, path: str, headers: Headers, body: bytes) -> None:
        """The request is sent and the answer's head is here. Raises: Lost."""
        self._response = _Response()
        self._parser = httptools.HttpResponseParser(self._response)
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        if body or method in ("POST", "PUT", "PATCH"):
            lines.append(f"content-length: {len(body)}")
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        try:
            await self._writer.drain()
        except OSError as fault:
            raise Lost(f"the connection broke: {fault}") from fault
        while not self._response.head_complete:
            await self._read()
        self.status = self._parser.get_status_code()

    async def body(self) -> AsyncIterator[bytes]:
        """The answer's body as it comes. Raises: Lost."""
        while True:
            while self._response.pieces:
                yield self._response.pieces.popleft()
            if self._response.complete:
                self.reusable = self._can_be_kept()
                return
            await self._read()

    def _can_be_kept(self) -> bool:
        # The parser's own answer to this holds only inside its callbacks.
        said = {value.lower() for name, value in self.headers if name == "connection"}
        measured = {name for name, _value in self.headers} & {"content-length", "transfer-encoding"}
        bodiless = self.status in (204, 304)
        return "close" not in said and bool(measured or bodiless) and self._parser.get_http_version() == "1.1"

    async def _read(self) -> None:
        try:
            data = await self._reader.read(_READ_BYTES)
            if not data:
                self._end()
                return
            self._parser.feed_data(data)
        except (OSError, httptools.HttpParserError) as fault:
            raise Lost(f"the connection broke: {fault}") from fault

    def _end(self) -> None:
        named = {name for name, _value in self.headers}
        if not self._response.head_complete or named & {"content-length", "transfer-encoding"}:
            raise Lost("the server closed the connection before its answer was complete")
        self._response.complete = True  # an answer without length ends with the connection

    def close(self) -> None:
        self._writer.close()


@dataclass
class HttpClient:
    """Sends requests; connections are kept by endpoint."""

    _idle: dict[Endpoint, list[Connection]] = field(default_factory=dict)

    @asynccontextmanager
    async def request(
        self, endpoint: Endpoint, method: str, path: str, headers: Headers, body: bytes = b""
    ) -> AsyncIterator[Connection]:
        """The answer's head is here; its body may be read inside. Raises: Lost when nobody answers."""
        connection = await self._exchange(endpoint, method, path, headers, body)
        try:
            yield connection
        finally:
            self._keep(endpoint, connection)

    async def _exchange(
        self, endpoint: Endpoint, method: str, path: str, headers: Headers, body: bytes
    ) -> Connection:
        while kept := self._take(endpoint):
            try:
                await kept.send(method, path, headers, body)
            except Lost:
                # The server closed it at the very moment; nothing was processed by a server that behaves.
                kept.close()
                if method != "GET":
                    break
                continue
            except BaseException:
                kept.close()
                raise
            return kept
        connection = await open_connection(endpoint)
        try:
            await connection.send(method, path, headers, body)
        except BaseException:
            connection.close()
            raise
        return connection

    def _take(self, endpoint: Endpoint) -> Connection | None:
        idle = self._idle.get(endpoint, [])
        while idle:
            connection = idle.pop()
            if not connection.is_stale():
                return connection
            connection.close()
        return None

    def _keep(self, endpoint: Endpoint, connection: Connection) -> None:
        idle = self._idle.setdefault(endpoint, [])
        if connection.reusable and len(idle) < _KEPT_PER_ENDPOINT:
            connection.reusable = False
            connection.idle_since = time.monotonic()
            idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """No connection is open any more."""
        for idle in self._idle.values():
            for connection in idle:
                connection.close()
        self._idle.clear()


async def open_connection(endpoint: Endpoint) -> Connection:
    """A connection to the endpoint. Raises: Lost."""
    try:
        with anyio.fail_after(_CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(
                endpoint.host,
                endpoint.port,
                ssl=endpoint.context,
                server_hostname=endpoint.server_name if endpoint.context else None,
            )
    except (OSError, TimeoutError, ssl.SSLError) as fault:
        raise Lost(f"dial {endpoint.host}:{endpoint.port}: {fault or 'no answer'}") from fault
    return Connection(reader, writer)
