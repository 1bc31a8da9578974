"""Servers on real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from virtdeck.serving.asgi import App, Receive, Scope, Send, answer
from virtdeck.serving.body import read_body
from virtdeck.serving.limits import Limits
from virtdeck.serving.server import Server


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """As in the product: what differs between event loops is what goes wrong here."""
    return "asyncio", {"use_uvloop": True}


QUICK = Limits(
    body=1000,
    head=2000,
    url=200,
    head_seconds=0.2,
    body_idle_seconds=0.2,
    write_stall_seconds=0.3,
    request_seconds=0.5,
    stop_seconds=0.3,
)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the body."""
    await answer(scope, send, 200, await read_body(receive), b"text/plain")


@asynccontextmanager
async def serving(app: App, limits: Limits = QUICK) -> AsyncIterator[Server]:
    """The app on a port of its own."""
    async with Server(app, "127.0.0.1:0", limits=limits) as server:
        yield server


async def exchange(server: Server, request: bytes, *, longest: int = 65536) -> bytes:
    """All that the server answers to these bytes until it closes or falls silent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request)
    answer = b""
    try:
        while piece := await asyncio.wait_for(reader.read(longest), 1.0):
            answer += piece
    except (TimeoutError, ConnectionError):
        pass
    writer.close()
    return answer
