"""A server on a real socket: limits, errors, and its end."""

import asyncio
import json
from collections.abc import Iterator

import anyio
import pytest
import structlog
from tests.unit.serving.conftest import QUICK, echo, exchange, serving

from virtdeck.basis.errors import Absent, Cause, Invalid, Unready
from virtdeck.serving.asgi import Receive, Scope, Send, answer
from virtdeck.serving.server import Server, parse_bind

pytestmark = pytest.mark.anyio


@pytest.fixture
def log() -> Iterator[list[structlog.typing.EventDict]]:
    with structlog.testing.capture_logs() as lines:
        yield lines


def get(path: str = "/", extra: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{extra}\r\n".encode()


def post(body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return (
        f"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {size}\r\n\r\n".encode() + body
    )


def code_of(response: bytes) -> int:
    return int(response.split(b" ", 2)[1]) if response else 0


async def test_a_body_comes_back() -> None:
    async with serving(echo) as server:
        response = await exchange(server, post(b"hello"))
    assert code_of(response) == 200
    assert response.endswith(b"hello")


@pytest.mark.parametrize(
    ("request_bytes", "code"),
    [
        (post(b"x" * 1001), 413),
        (post(b"", length=99_999_999), 413),
        (get("/" + "a" * 300), 414),
        (get(extra=f"X-Long: {'a' * 3000}\r\n"), 431),
        (get(extra="".join(f"X-{i}: {'a' * 50}\r\n" for i in range(60))), 431),
        (post(b"part", length=10), 408),  # the rest never comes
        (b"GET / HT", 408),  # nor does the rest of the head
        (b"NONSENSE\r\n\r\n", 400),
        (
            b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
        ),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Remote-User: a\r\n b\r\n\r\n", 400),  # a folded line
    ],
)
async def test_what_is_too_large_too_slow_or_no_http_is_refused(request_bytes: bytes, code: int) -> None:
    async with serving(echo) as server:
        response = await exchange(server, request_bytes)
    assert code_of(response) == code
    assert json.loads(response.partition(b"\r\n\r\n")[2])["kind"] == "Status"


async def test_a_chunked_body_is_counted_as_it_comes() -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with serving(echo) as server:
        response = await exchange(
            server, head + b"258\r\n" + b"x" * 600 + b"\r\n258\r\n" + b"x" * 600 + b"\r\n"
        )
    assert code_of(response) == 413


async def test_a_refused_upgrade_ends_its_connection() -> None:
    """S-39: what comes behind it on the same connection is not served."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            raise Absent("no such WebSocket")
        await echo(scope, receive, send)

    upgrade = "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    upgrade += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    async with serving(app) as server:
        response = await exchange(server, upgrade.encode() + get())
    assert code_of(response) == 404
    assert response.count(b"HTTP/1.1") == 1


async def test_an_idle_connection_is_closed_without_a_word() -> None:
    async with serving(echo) as server:
        assert await exchange(server, b"") == b""


async def test_errors_become_status_objects_with_their_causes(log: list[structlog.typing.EventDict]) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise Invalid("no", causes=(Cause("spec.x", "is wrong"),))

    async with serving(app) as server:
        response = await exchange(server, get())
    answer = json.loads(response.partition(b"\r\n\r\n")[2])
    assert (code_of(response), answer["details"]["causes"][0]["field"]) == (422, "spec.x")


async def test_who_is_asked_to_come_later_gets_the_header_as_well() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise Unready("not now", after_seconds=7)

    async with serving(app) as server:
        assert b"retry-after: 7" in await exchange(server, get())


async def test_what_breaks_is_logged_and_not_told(log: list[structlog.typing.EventDict]) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise KeyError("secret")

    async with serving(app) as server:
        response = await exchange(server, get())
    assert code_of(response) == 500
    assert b"secret" not in response
    assert any(line["event"] == "request_broke" for line in log)


async def test_a_request_is_one_line_without_query_and_control_characters(
    log: list[structlog.typing.EventDict],
) -> None:
    async with serving(echo) as server:
        await exchange(server, get("/a%0a%1b[31m%E2%80%AE?token=hidden"))
    lines = [line for line in log if line["event"] == "request_served"]
    assert [line["path"] for line in lines] == ["/a\\x0a\\x1b[31m\\u202e"]
    assert "hidden" not in str(log)


async def test_probes_that_succeed_leave_no_line(log: list[structlog.typing.EventDict]) -> None:
    async with serving(echo) as server:
        await exchange(server, get("/healthz"))
    assert not [line for line in log if line["event"] == "request_served"]


async def test_a_request_without_end_is_given_up() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await anyio.sleep_forever()

    async with serving(app) as server:
        response = await exchange(server, get())
    assert code_of(response) == 504


async def test_half_a_response_ends_with_the_connection() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"10")]})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise Absent("gone")

    async with serving(app) as server:
        response = await exchange(server, get())
    assert response.endswith(b"half")


async def test_who_reads_nothing_is_cut_off() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(500):  # more than all buffers on the way hold
            await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})

    async with Server(app, "127.0.0.1:0", limits=QUICK, untimed=lambda scope: True) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
        writer.write(get())
        await reader.readexactly(100)  # and no more, until the server has let go
        await anyio.sleep(2 * QUICK.write_stall_seconds)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(30_000_000)
        writer.close()


async def test_stopping_lets_a_request_finish() -> None:
    begun = anyio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await anyio.sleep(0.1)
        await answer(scope, send, 200, b"done", b"text/plain")

    async with anyio.create_task_group() as group, serving(app) as server:
        responses: list[bytes] = []

        async def ask() -> None:
            responses.append(await exchange(server, get()))

        group.start_soon(ask)
        await begun.wait()
    assert responses[0].endswith(b"done")


async def test_stopping_cancels_what_does_not_end() -> None:
    begun, cancelled = anyio.Event(), anyio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    async with Server(app, "127.0.0.1:0", limits=QUICK, untimed=lambda scope: True) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(get())
        await begun.wait()
    assert cancelled.is_set()
    writer.close()


def test_plain_http_is_for_loopback() -> None:
    with pytest.raises(Invalid, match="in the clear"):
        Server(echo, "0.0.0.0:80")


@pytest.mark.parametrize("bind", ["80", ":80", "host", "host:x", "host:70000", ""])
def test_an_address_that_is_none_is_refused(bind: str) -> None:
    with pytest.raises(Invalid):
        parse_bind(bind)


def test_an_address_may_be_ipv6() -> None:
    assert parse_bind("[::1]:80") == ("::1", 80)
