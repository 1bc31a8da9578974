"""The words of ASGI, and answers that need no framework."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from virtdeck.serving.status import encode_status, retry_after_header

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


async def answer(
    scope: Scope, send: Send, code: int, body: bytes, content_type: bytes, headers: Headers | None = None
) -> None:
    """The whole response has been sent, to an HTTP request or in place of a WebSocket's acceptance."""
    prefix = "websocket.http" if scope["type"] == "websocket" else "http"
    head = [(b"content-type", content_type), (b"content-length", str(len(body)).encode()), *(headers or [])]
    await send({"type": f"{prefix}.response.start", "status": code, "headers": head})
    await send({"type": f"{prefix}.response.body", "body": body, "more_body": False})


async def answer_status(
    scope: Scope, send: Send, status: dict[str, Any], headers: Headers | None = None
) -> None:
    """The Status has been sent with its own code."""
    head = [(b"x-content-type-options", b"nosniff"), *retry_after_header(status), *(headers or [])]
    await answer(scope, send, status["code"], encode_status(status), b"application/json", head)
