"""B-05: slow and huge HTTP. What is too slow or too large is refused or dropped, and slows nobody."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import anyio
import pytest
from tests.contract.apiserver.running import Running
from tests.contract.apiserver.truth.client import trusting
from tests.contract.apiserver.truth.conftest import Starter

pytestmark = pytest.mark.anyio

LONGEST = 20.0  # with the quick limits of 2 s
SILENCE = 1.0  # after which no more of an answer is expected
CONFIGMAPS = b"/api/v1/namespaces/default/configmaps"
JSON = b"Host: h\r\nContent-Type: application/json\r\n"
SOCKETS = 40


@asynccontextmanager
async def connection(server: Running) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A TLS connection as the administrator."""
    pair = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting(server), limit=2**24)
    try:
        yield pair
    finally:
        pair[1].transport.abort()
        with anyio.move_on_after(1):
            await pair[1].wait_closed()


async def answers(server: Running, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Everything that is answered to these pieces, until the server closes or is silent for a while."""
    async with connection(server) as (reader, writer):
        found = b""
        try:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await anyio.sleep(pause)
            while part := await asyncio.wait_for(reader.read(2**20), SILENCE):
                found += part
        except (ConnectionError, TimeoutError, OSError):
            pass
        return found


def codes(raw: bytes) -> list[int]:
    """The status of each answer in the stream."""
    return [int(part[:3]) for part in raw.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize(
    ("what", "request_bytes", "code"),
    [
        ("head of 100 KiB", b"GET /version HTTP/1.1\r\nHost: h\r\nX: " + b"x" * 102_400 + b"\r\n\r\n", 431),
        ("many headers", b"GET /version HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n", 431),
        ("URL of 9 KiB", b"GET /version?" + b"x" * 9_216 + b" HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        (
            "body of 3 MiB and 1",
            b"POST %b HTTP/1.1\r\n%bContent-Length: 3145729\r\n\r\n" % (CONFIGMAPS, JSON),
            413,
        ),
        (
            "chunks without end",
            b"POST %b HTTP/1.1\r\n%bTransfer-Encoding: chunked\r\n\r\n" % (CONFIGMAPS, JSON)
            + (b"10000\r\n" + b"x" * 65_536 + b"\r\n") * 50,
            413,
        ),
        ("no HTTP", b"\x16\x03\x01\r\n\r\n", 400),
        (
            "two lengths",
            b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            400,
        ),
        (
            "length and chunks",
            b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
        ),
        (
            "chunked twice",
            b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            400,
        ),
        ("space before the colon", b"GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400),
        ("folded header", b"GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n", 400),
        ("line feed alone", b"GET / HTTP/1.1\nHost: h\n\n", 400),
    ],
)
async def test_too_large_or_ambiguous_is_refused_with_a_status(
    server: Running, what: str, request_bytes: bytes, code: int
) -> None:
    """B-05: limits and smuggling pairs; exactly one answer, a Status."""
    raw = await answers(server, request_bytes)
    assert codes(raw) == [code], (what, raw[:300])
    assert b'"kind":"Status"' in raw


async def test_chunk_extensions_are_bounded(server: Running) -> None:
    """B-05: a flood of them is not a body, and ends."""
    head = b"POST %b HTTP/1.1\r\n%bTransfer-Encoding: chunked\r\n\r\n" % (CONFIGMAPS, JSON)
    raw = await answers(server, head, *[b"1;" + b"e" * 60_000 + b"\r\n{\r\n"] * 80, b"0\r\n\r\n")
    assert codes(raw) in ([], [400], [413]), raw[:200]  # none: it was cut off while it was still sending


async def test_pipelined_requests_are_answered_in_order(server: Running) -> None:
    """B-05."""
    one = b"GET /version HTTP/1.1\r\nHost: h\r\n\r\n"
    none = b"GET /none HTTP/1.1\r\nHost: h\r\n\r\n"
    last = b"GET /version HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    raw = await answers(server, one + none + one + none + last)
    assert codes(raw) == [200, 404, 200, 404, 200]


async def served_meanwhile(server: Running) -> None:
    """A healthy client is answered while the attack stands."""
    async with connection(server) as (reader, writer):
        for _ in range(20):
            writer.write(b"GET /version HTTP/1.1\r\nHost: h\r\n\r\n")
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 2)
            assert answer.startswith(b"HTTP/1.1 200")
            await reader.readuntil(b"}")


SLOW = {
    "head": (b"GET /version HTTP/1.1\r\nHost: h\r\nX-Slow: ", 408),
    "body": (b"POST %b HTTP/1.1\r\n%bContent-Length: 1000\r\n\r\n{" % (CONFIGMAPS, JSON), 408),
    "nothing": (b"", None),
}


async def attack(server: Running, kind: str, ended: list[bytes]) -> None:
    """One connection that gives a byte now and then, and waits what becomes of it."""
    start, _code = SLOW[kind]
    async with connection(server) as (reader, writer):
        writer.write(start)
        try:
            ended.append(await asyncio.wait_for(reader.read(), LONGEST))
        except (ConnectionError, OSError):
            ended.append(b"")


@pytest.mark.parametrize("kind", list(SLOW))
async def test_slow_clients_are_dropped_and_slow_nobody(starter: Starter, kind: str) -> None:
    """B-05: heads, bodies, idle sockets."""
    server = starter("quick:limits")
    ended: list[bytes] = []
    begun = time.monotonic()
    async with anyio.create_task_group() as group:
        for _ in range(SOCKETS):
            group.start_soon(attack, server, kind, ended)
        await served_meanwhile(server)
    assert len(ended) == SOCKETS
    assert time.monotonic() - begun < LONGEST
    code = SLOW[kind][1]
    assert {tuple(codes(raw)) for raw in ended} == {(code,) if code else ()}


async def test_slow_clients_stay_when_nothing_limits_them(starter: Starter) -> None:
    """B-05: the guard switched off."""
    server = starter("off:limits")
    ended: list[bytes] = []
    async with anyio.create_task_group() as group:
        for kind in SLOW:
            group.start_soon(attack, server, kind, ended)
        await anyio.sleep(4)
        group.cancel_scope.cancel()
    assert ended == []


async def test_who_reads_nothing_of_a_long_answer_is_dropped(starter: Starter) -> None:
    """B-05: the server holds what the sockets hold, and lets go."""
    server = starter("quick:limits")
    api = server.api()
    for number in range(12):
        body = {"metadata": {"name": f"big-{number}"}, "data": {"v": "p" * 900_000}}
        api.made(CONFIGMAPS.decode(), body)
    async with connection(server) as (reader, writer):
        transport = cast(asyncio.Transport, writer.transport)
        transport.pause_reading()
        writer.write(b"GET %b HTTP/1.1\r\nHost: h\r\n\r\n" % CONFIGMAPS)
        await anyio.sleep(4)
        transport.resume_reading()
        raw = b""
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError, OSError)):
            raw = await reader.readexactly(12 * 900_000)
        assert raw == b""
    assert api.get("/readyz").code == 200
