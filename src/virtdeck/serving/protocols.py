"""uvicorn's two protocols with what it leaves out: limits on the head, stalled readers, client certificates,
and handing a WebSocket's connection on as bytes."""

import asyncio
from typing import Any

import structlog

from virtdeck.serving.chunks import CHUNKS_EXTENSION, Chunks
from virtdeck.serving.lean_uvicorn import Config, HttpToolsProtocol, ServerState, WebSocketsSansIOProtocol
from virtdeck.serving.limits import Limits
from virtdeck.serving.status import encode_status, status
from virtdeck.serving.takeover import TAKEOVER_EXTENSION, Successor, Takeover
from virtdeck.serving.tls import TLS_EXTENSION, PeerCertificate, read_peer

log = structlog.get_logger()

_PHRASES = {
    400: "Bad Request",
    408: "Request Timeout",
    414: "URI Too Long",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}

_HEADER_EXTRA = 4  # bytes of a header beside its name and value: many empty ones are large as well


class ServingConfig(Config):
    """uvicorn's settings and ours."""

    def __init__(self, app: Any, limits: Limits) -> None:
        super().__init__(
            app,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            interface="asgi3",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            ws_max_size=limits.websocket_message,
            ws_ping_interval=limits.websocket_ping_seconds,
            ws_ping_timeout=limits.websocket_ping_seconds,
            ws_per_message_deflate=False,  # screens do not compress, and a bomb would
            timeout_keep_alive=limits.keep_alive_seconds,
        )
        self.limits = limits


class StallTimer:
    """Ends a connection whose peer reads nothing for too long."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.WriteTransport) -> None:
        """The connection is aborted in some seconds, unless cancelled."""
        self.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, transport.abort)

    def cancel(self) -> None:
        """The peer reads again, or is gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection."""

    config: ServingConfig

    def __init__(
        self,
        config: ServingConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = config.limits
        self._peer: PeerCertificate | None = None
        self._stall = StallTimer(config.limits.write_stall_seconds)
        self._head_timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True
        self._refusal = (400, "the request is not valid HTTP/1.1")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            self._refuse(503, "too many connections")
            return
        self._peer = read_peer(transport.get_extra_info("ssl_object"))
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stall.cancel()
        self._head_complete()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes and not self.transport.is_closing():
            if self._head_bytes > self._limits.head:
                self._refuse(431, f"the request's head is larger than {self._limits.head} bytes")
            elif self._head_timer is None:
                self._expect_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        extensions: dict[str, Any] = {
            TLS_EXTENSION: self._peer,
            CHUNKS_EXTENSION: Chunks(self.transport, self.flow),
        }
        self.scope["extensions"] = extensions

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self._limits.url:
            self._refusal = (414, f"the URL is longer than {self._limits.url} bytes")
            raise ValueError(self._refusal[1])

    def on_headers_complete(self) -> None:
        self._head_complete()
        if sum(len(name) + len(value) + _HEADER_EXTRA for name, value in self.headers) > self._limits.head:
            self._refusal = (431, f"the request's head is larger than {self._limits.head} bytes")
            raise ValueError(self._refusal[1])
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head = True
        self._head_bytes = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        unread = self.cycle is not None and self.cycle.more_body
        super().on_response_complete()
        if (
            unread
        ):  # the rest of the body would be taken for a request; the peer gets a moment to read the answer
            self.loop.call_later(self._limits.stop_seconds, self.transport.close)

    def pause_writing(self) -> None:
        self._stall.start(self.transport)
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stall.cancel()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._refusal)

    def _expect_head(self) -> None:
        self._head_timer = self.loop.call_later(self._limits.head_seconds, self._head_overdue)

    def _head_complete(self) -> None:
        self._in_head = False
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_overdue(self) -> None:
        self._head_timer = None
        if self._head_bytes:
            self._refuse(408, "the request's head came too slowly")
        else:
            self.transport.close()

    def _refuse(self, code: int, message: str) -> None:
        if self.transport.is_closing():
            return
        log.info("connection_refused", code=code, message=message, peer=self.client and self.client[0])
        if self.cycle is None or self.cycle.response_complete:
            body = encode_status(status(code, message))
            head = f"HTTP/1.1 {code} {_PHRASES[code]}\r\ncontent-type: application/json\r\n"
            head += f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode() + body)
        self.transport.close()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket connection, until the app takes its bytes over."""

    config: ServingConfig

    def __init__(
        self,
        config: ServingConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._stall = StallTimer(config.limits.write_stall_seconds)
        self._successor: Successor | None = None

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = {
            "websocket.http.response": {},
            TLS_EXTENSION: read_peer(self.transport.get_extra_info("ssl_object")),
            TAKEOVER_EXTENSION: Takeover(self.request.headers["Sec-WebSocket-Key"], self.hand_over),
        }
        self.scope["extensions"] = extensions
        await super().run_asgi()

    def hand_over(self, head: bytes, successor: Successor) -> asyncio.Transport:
        """``head`` (the whole 101 response) is sent; the successor has the connection from here on."""
        self.handshake_complete = True
        self.close_sent = True
        self.scope["state"]["taken_over"] = True
        self._successor = successor
        successor.on_lost = self.connection_lost
        self.transport.write(head)
        self.transport.set_protocol(successor)
        return self.transport

    def shutdown(self) -> None:
        if self._successor is not None:
            self._successor.shutdown()
        else:
            super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stall.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._stall.start(self.transport)
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stall.cancel()
        super().resume_writing()
