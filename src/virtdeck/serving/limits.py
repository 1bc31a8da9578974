"""What a peer may send and how slowly, and small ASGI wrappers that hold it to that."""

from collections.abc import Callable
from dataclasses import dataclass

import anyio

from virtdeck.basis.errors import Unready, VirtdeckError
from virtdeck.serving.asgi import App, Message, Receive, Scope, Send

Exempt = Callable[[Scope], bool]


@dataclass(frozen=True)
class Limits:
    """Bounds of one server; sizes in bytes."""

    body: int = 3 * 1024 * 1024  # as kube-apiserver
    head: int = 64 * 1024  # request line and headers; tokens and extra fields need some
    url: int = 8 * 1024
    head_seconds: float = 10.0  # from the first byte, and from the connection's begin
    body_idle_seconds: float = 30.0  # between two pieces of a body
    write_stall_seconds: float = 60.0  # the peer reads nothing
    keep_alive_seconds: int = 75
    request_seconds: float = 60.0  # from head to the response's end, streams excepted
    stop_seconds: float = 2.0  # what requests get to finish when the server stops
    websocket_message: int = 1024 * 1024
    websocket_ping_seconds: float = 20.0  # proxies cut what is silent for 30 to 60 s
    connections: int = 4096


def body_too_large(limit: int) -> VirtdeckError:
    """The refusal of a body beyond the limit: 413."""
    return VirtdeckError(f"the request body is larger than {limit} bytes", reason="RequestEntityTooLarge")


def limit_body(app: App, limits: Limits) -> App:
    """The app, refusing bodies that are too large (413) or come too slowly (408 as a Timeout)."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        if _announced(scope) > limits.body:
            raise body_too_large(limits.body)
        await app(scope, _bounded(receive, limits), send)

    return limited


def limit_time(app: App, limits: Limits, exempt: Exempt) -> App:
    """The app, ended with 504 when it has not answered in time; ``exempt`` names streams."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or exempt(scope):
            await app(scope, receive, send)
            return
        try:
            with anyio.fail_after(limits.request_seconds):
                await app(scope, receive, send)
        except TimeoutError as fault:
            raise Unready("the request took too long and was given up", reason="Timeout") from fault

    return limited


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value)
    return 0


def _bounded(receive: Receive, limits: Limits) -> Receive:
    taken = 0
    complete = False

    async def bounded() -> Message:
        nonlocal taken, complete
        if complete:  # what comes now is the disconnect, which may take as long as it likes
            return await receive()
        try:
            with anyio.fail_after(limits.body_idle_seconds):
                message = await receive()
        except TimeoutError as fault:
            raise VirtdeckError("the request body came too slowly", reason="RequestTimeout") from fault
        taken += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if taken > limits.body:
            raise body_too_large(limits.body)
        return message

    return bounded
