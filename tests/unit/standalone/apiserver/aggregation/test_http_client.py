"""The HTTP client against a byte-for-byte scripted server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from virtdeck.basis.errors import Lost
from virtdeck.standalone.apiserver.aggregation import http_client
from virtdeck.standalone.apiserver.aggregation.http_client import Endpoint, HttpClient

pytestmark = pytest.mark.anyio
Script = Callable[[int], bytes | None]


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[tuple[Endpoint, list[bytes]]]:
    """Answers the n-th request with ``script(n)``; None closes the connection."""
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_ones.add(writer)
        try:
            while True:
                heads.append(await reader.readuntil(b"\r\n\r\n"))
                answer = script(len(heads))
                if answer is None:
                    break
                writer.write(answer)
                if b"close" in answer:
                    break
        except asyncio.IncompleteReadError:
            pass
        writer.close()
        await writer.wait_closed()
        open_ones.discard(writer)

    open_ones: set[asyncio.StreamWriter] = set()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield Endpoint("127.0.0.1", server.sockets[0].getsockname()[1], None), heads
        while open_ones:
            await asyncio.sleep(0)


OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"


async def fetch(client: HttpClient, endpoint: Endpoint, method: str = "GET") -> tuple[int, bytes]:
    async with client.request(endpoint, method, "/p", [("host", "h")]) as answer:
        return answer.status, b"".join([piece async for piece in answer.body()])


async def test_connection_is_kept_and_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    client = HttpClient()
    opened: list[Endpoint] = []
    real = http_client.open_connection

    async def counted(endpoint: Endpoint) -> http_client.Connection:
        opened.append(endpoint)
        return await real(endpoint)

    monkeypatch.setattr(http_client, "open_connection", counted)
    async with serving(lambda _n: OK) as (endpoint, heads):
        assert await fetch(client, endpoint) == (200, b"hi")
        assert await fetch(client, endpoint) == (200, b"hi")
        assert (len(heads), len(opened)) == (2, 1)
        client.close()


async def test_chunked_and_unbounded_bodies_are_whole() -> None:
    answers = {
        1: b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
        2: b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nto the end",
    }
    client = HttpClient()
    async with serving(answers.__getitem__) as (endpoint, _heads):
        assert await fetch(client, endpoint) == (200, b"abc")
        assert await fetch(client, endpoint) == (200, b"to the end")
        client.close()


async def test_kept_connection_that_died_is_replaced() -> None:
    client = HttpClient()
    async with serving(lambda n: None if n == 2 else OK) as (endpoint, heads):
        await fetch(client, endpoint)
        assert await fetch(client, endpoint) == (200, b"hi")
        assert len(heads) == 3
        client.close()


@pytest.mark.parametrize(
    "answer",
    [
        None,
        b"garbage\r\n\r\nclose",
        b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nshort",
    ],
)
async def test_answer_that_is_none_is_lost(answer: bytes | None) -> None:
    client = HttpClient()
    async with serving(lambda _n: answer) as (endpoint, _heads):
        with pytest.raises(Lost):
            await fetch(client, endpoint)


async def test_nobody_there_is_lost() -> None:
    with pytest.raises(Lost, match=r"dial 127\.0\.0\.1:1"):
        await fetch(HttpClient(), Endpoint("127.0.0.1", 1, None))
