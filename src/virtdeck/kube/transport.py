"""HTTP to one API server: kept connections, a deadline on each exchange, faults as our errors."""

import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

from multidict import CIMultiDict

from virtdeck.basis.errors import Unready
from virtdeck.kube.access import Access, tls_context
from virtdeck.kube.errors import error_from_reply
from virtdeck.kube.lean_aiohttp import aiohttp
from virtdeck.kube.objects import encode_body

DEADLINE_SECONDS = 15.0
CONNECT_SECONDS = 5.0
TOKEN_LIFE_SECONDS = 60.0  # how long a token file's content is kept; clusters renew it at 80 % of an hour
KEPT_SECONDS = 60.0  # less than servers keep idle connections, so that none is used just as it closes
JSON = "application/json"

Query = Mapping[str, str] | None


class Reply(NamedTuple):
    """An answer as it came."""

    status: int
    body: bytes


class Transport:
    """One identity's exchanges with one API server; closed by whoever opened it."""

    def __init__(self, access: Access, session: aiohttp.ClientSession, tls: ssl.SSLContext | None) -> None:
        self.access = access
        self.session = session
        self._tls = tls
        self._impersonation: CIMultiDict[str] = CIMultiDict()
        self._token: tuple[float, str] | None = None

    def as_user(
        self, user: str, groups: tuple[str, ...], extra: Mapping[str, tuple[str, ...]]
    ) -> "Transport":
        """The same connections, each exchange on behalf of this user."""
        other = Transport(self.access, self.session, self._tls)
        headers = other._impersonation
        headers.add("Impersonate-User", user)
        for group in groups:
            headers.add("Impersonate-Group", group)
        for name, values in extra.items():
            for value in values:
                headers.add(f"Impersonate-Extra-{quote(name, safe='')}", value)
        return other

    async def exchange(
        self,
        method: str,
        path: str,
        *,
        query: Query = None,
        body: object = None,
        content_type: str = JSON,
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> Reply:
        """The server's answer, whatever its code. Raises: Unready when none came in time."""
        timeout = aiohttp.ClientTimeout(total=deadline_seconds, sock_connect=CONNECT_SECONDS)
        async with self.stream(
            method, path, query=query, body=body, content_type=content_type, timeout=timeout
        ) as response:
            return Reply(response.status, await response.read())

    async def call(self, method: str, path: str, **options: Any) -> bytes:
        """The body of a successful answer. Raises: the error that the Status names."""
        status, body = await self.exchange(method, path, **options)
        if status >= 400:
            raise error_from_reply(status, body)
        return body

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        path: str,
        *,
        query: Query = None,
        body: object = None,
        content_type: str = JSON,
        timeout: aiohttp.ClientTimeout,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """An answer whose body the caller reads piece by piece, before it leaves the block."""
        headers = self._headers()
        data = None
        if body is not None:
            data = encode_body(body)
            headers["Content-Type"] = content_type
        with faults_as_unready(self.access.server):
            async with self.session.request(
                method,
                self.access.server + path,
                params=query,
                data=data,
                headers=headers,
                ssl=self._tls or False,
                server_hostname=self.access.server_name,
                timeout=timeout,
                allow_redirects=False,
            ) as response:
                yield response

    @asynccontextmanager
    async def websocket(
        self,
        path: str,
        *,
        protocols: tuple[str, ...],
        query: Query = None,
        max_message_bytes: int = 4 * 1024 * 1024,
    ) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """An open WebSocket. Raises: the error that the refusal's code names."""
        with faults_as_unready(self.access.server):
            try:
                socket = await self.session.ws_connect(
                    self.access.server + path,
                    protocols=protocols,
                    params=query,
                    headers=self._headers(),
                    ssl=self._tls or False,
                    server_hostname=self.access.server_name,
                    max_msg_size=max_message_bytes,
                    timeout=aiohttp.ClientWSTimeout(ws_close=CONNECT_SECONDS),
                )
            except aiohttp.WSServerHandshakeError as refusal:
                raise error_from_reply(refusal.status, b"") from refusal
        async with socket:
            yield socket

    def _headers(self) -> CIMultiDict[str]:
        headers = self._impersonation.copy()
        headers["Accept"] = JSON
        token = self._bearer_token()
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return headers

    def _bearer_token(self) -> str | None:
        if self.access.token_file is None:
            return self.access.token
        now = time.monotonic()
        if self._token is None or now - self._token[0] > TOKEN_LIFE_SECONDS:
            self._token = (now, self.access.token_file.read_text().strip())
        return self._token[1]


@contextmanager
def faults_as_unready(server: str) -> Iterator[None]:
    """A connection that fails or an answer that stays out becomes Unready: the same call may work later."""
    try:
        yield
    except TimeoutError as fault:
        raise Unready(f"the API server {server} did not answer in time", reason="ApiServerSlow") from fault
    except (aiohttp.ClientError, OSError) as fault:
        problem = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
        raise Unready(
            f"the API server {server} cannot be reached: {problem}",
            reason="ApiServerUnreachable",
            after_seconds=0.1,
        ) from fault


@asynccontextmanager
async def open_transport(access: Access, user_agent: str) -> AsyncIterator[Transport]:
    """A transport that lives as long as the block; connections are kept for the next exchange."""
    tls = tls_context(access)
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEPT_SECONDS, ttl_dns_cache=30)
    async with aiohttp.ClientSession(
        connector=connector,
        headers={"User-Agent": user_agent},
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=True,
        trust_env=False,
    ) as session:
        try:
            yield Transport(access, session, tls)
        finally:
            # Nothing waits for the last word of TLS: a loop that ends meanwhile leaves its sockets open.
            await connector.close(abort_ssl=True)
