"""The boundary of a server: no error leaves it but as a Status, and each request leaves one log line."""

import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import structlog

from virtdeck.basis.errors import Bug, VirtdeckError
from virtdeck.serving.asgi import App, Message, Receive, Scope, Send, answer_status
from virtdeck.serving.status import code_of, status_of

log = structlog.get_logger()

Quiet = Callable[[Scope], bool]

_ESCAPED = {c: f"\\x{c:02x}" for c in (*range(0x20), *range(0x7F, 0xA0))}
_ESCAPED |= {c: f"\\u{c:04x}" for c in (0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def printable(text: str, longest: int = 512) -> str:
    """The text with control and direction characters escaped, cut to ``longest``."""
    return text[:longest].translate(_ESCAPED)


def guard(app: App, quiet: Quiet) -> App:
    """The app with a summary line for each request and every error answered as a Kubernetes Status.

    quiet: requests whose success is not worth a line (probes).
    The line has neither query nor headers: both may carry secrets.
    ``scope["state"]["user"]``, set by whoever authenticates, is logged.
    """

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await app(scope, receive, send)
            return
        watched = _Watched(scope, send)
        try:
            await app(scope, receive, watched.send)
        except VirtdeckError as error:
            await watched.fail(error)
        except Exception as fault:
            if _gone(fault):
                watched.code = watched.code or 499
            else:
                log.exception("request_broke", path=printable(scope["path"]))
                await watched.fail(Bug(str(fault)))
        finally:
            watched.write_line(quiet)

    return guarded


class _Watched:
    """One request: what was answered, when it began."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self.code = 0
        self._begin = time.monotonic()
        self._send = send
        self._complete = False

    async def send(self, message: Message) -> None:
        kind = message["type"]
        if kind.endswith("response.start"):
            self.code = message["status"]
            message["headers"] = [(b"date", http_date()), *message.get("headers", ())]
        elif kind == "websocket.accept":
            self.code = 101
        elif kind == "websocket.close":
            self.code = self.code or 403
            self._complete = True
        elif kind.endswith("response.body"):
            self._complete = not message.get("more_body", False)
        await self._send(message)

    async def fail(self, error: VirtdeckError) -> None:
        if isinstance(error, Bug):
            log.error("invariant_broke", message=error.message, exc_info=error)
        if self._complete:
            return
        if not self.code:
            await answer_status(self.scope, self.send, status_of(error))
        elif self.code == 101:
            await self.send(
                {"type": "websocket.close", "code": 4000 + code_of(error), "reason": _short(error)}
            )
        else:  # half a response is out: the only honest end is a broken connection
            raise ConnectionAbortedError(error.message) from error

    def write_line(self, quiet: Quiet) -> None:
        if self.scope.get("state", {}).get("taken_over"):
            self.code = 101
        if self.code < 400 and quiet(self.scope):
            return
        log.info(
            "request_served",
            method=self.scope.get("method", "WEBSOCKET"),
            path=printable(self.scope["path"]),
            code=self.code,
            milliseconds=round((time.monotonic() - self._begin) * 1000, 1),
            **_who(self.scope),
        )


_date: tuple[int, bytes] = (0, b"")


def http_date() -> bytes:
    """Now, as the Date header writes it."""
    global _date  # noqa: PLW0603 - formatted once a second, not once a request
    now = int(time.time())
    if _date[0] != now:
        _date = (now, formatdate(now, usegmt=True).encode())
    return _date[1]


def _who(scope: Scope) -> dict[str, Any]:
    user = scope.get("state", {}).get("user")
    client = scope.get("client")
    named = {"user": printable(str(user), 256)} if user else {}
    return named | ({"peer": client[0]} if client else {})


def _gone(fault: Exception) -> bool:
    # uvicorn raises its own ClientDisconnected, Starlette wraps it; both descend from OSError.
    return isinstance(fault, OSError) and type(fault).__name__ in ("ClientDisconnected", "ClientDisconnect")


def _short(error: VirtdeckError) -> str:
    return str(status_of(error)["message"]).encode()[:120].decode(errors="ignore")
