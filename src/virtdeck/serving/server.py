"""One listening socket that serves an ASGI app; several may live in one process."""

import asyncio
import logging
import ssl
from types import TracebackType
from typing import Self

import anyio

from virtdeck.basis.errors import HostFault, Invalid
from virtdeck.serving.asgi import App, Scope
from virtdeck.serving.edge import guard
from virtdeck.serving.lean_uvicorn import ServerState
from virtdeck.serving.limits import Exempt, Limits, limit_body, limit_time
from virtdeck.serving.protocols import HttpProtocol, ServingConfig
from virtdeck.serving.tls import Tls, server_context

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def is_probe(scope: Scope) -> bool:
    """A request for health, readiness or metrics."""
    return scope["path"] in ("/healthz", "/readyz", "/livez", "/metrics")


def never(_scope: Scope) -> bool:
    """No request at all."""
    return False


class Server:
    """Serves ``app`` on ``bind`` (``127.0.0.1:8443``, port 0 for any) inside ``async with``.

    Leaving it stops listening, lets requests finish for ``limits.stop_seconds``, then cancels them.
    untimed: requests that may take longer than ``limits.request_seconds`` (watches, event streams).
    Without ``tls`` only loopback is served, unless ``plain_anywhere`` says that a proxy stands in front.
    """

    def __init__(
        self,
        app: App,
        bind: str,
        tls: Tls | None = None,
        *,
        limits: Limits | None = None,
        untimed: Exempt = never,
        plain_anywhere: bool = False,
    ) -> None:
        self.host, self.port = parse_bind(bind)
        if tls is None and self.host not in _LOOPBACK and not plain_anywhere:
            raise Invalid(f"{bind} is not loopback and has no certificate: it would be served in the clear")
        self.limits = limits or Limits()
        bounded = limit_time(limit_body(app, self.limits), self.limits, untimed)
        self._config = ServingConfig(guard(bounded, is_probe), self.limits)
        self._tls = tls
        self._state = ServerState()
        self._listener: asyncio.Server | None = None
        self._tls_context: ssl.SSLContext | None = None

    @property
    def url(self) -> str:
        """Where a client on this host reaches the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}"

    async def __aenter__(self) -> Self:
        # Requests are logged by serving.edge; uvicorn's own lines would repeat them unescaped.
        for name in ("uvicorn.error", "uvicorn.access"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self._config.load()
        context = self._tls_context = self._context()
        try:
            self._listener = await asyncio.get_running_loop().create_server(
                self._protocol,
                self.host,
                self.port,
                ssl=context,
                backlog=1024,
                reuse_address=True,
                ssl_handshake_timeout=self.limits.head_seconds if context else None,
                ssl_shutdown_timeout=self.limits.stop_seconds if context else None,
            )
        except OSError as fault:
            raise HostFault(f"cannot listen on {self.host}:{self.port}: {fault.strerror or fault}") from fault
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with anyio.CancelScope(shield=True):  # bounded: twice stop_seconds
            await self._stop()

    def trust(self, pem: str) -> None:
        """Client certificates of these authorities as well are accepted, on connections from now on."""
        if self._tls_context is not None:
            self._tls_context.load_verify_locations(cadata=pem)
            if self._tls_context.verify_mode == ssl.CERT_NONE:
                self._tls_context.verify_mode = ssl.CERT_OPTIONAL

    def _protocol(self) -> HttpProtocol:
        return HttpProtocol(self._config, self._state, {})

    def _context(self) -> ssl.SSLContext | None:
        if self._tls is None:
            return None
        try:
            return server_context(self._tls)
        except (OSError, ssl.SSLError) as fault:
            raise Invalid(f"the certificate {self._tls.cert} cannot be used: {fault}") from fault

    async def _stop(self) -> None:
        if self._listener is None:
            return
        self._listener.close()
        for connection in list(self._state.connections):
            connection.shutdown()
        await self._drain()
        for task in list(self._state.tasks):
            task.cancel()
        await self._drain()
        for connection in list(self._state.connections):
            connection.transport.abort()

    async def _drain(self) -> None:
        tasks = list(self._state.tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=self.limits.stop_seconds)


def parse_bind(bind: str) -> tuple[str, int]:
    """Host and port of ``127.0.0.1:80`` or ``[::1]:80``. Raises: Invalid."""
    host, separator, port = bind.rpartition(":")
    if not separator or not host or not port.isdecimal() or int(port) > 65535:
        raise Invalid(f"{bind!r} is not an address and port such as 127.0.0.1:8443")
    return host.strip("[]"), int(port)
