"""WebSockets joined with sockets, and carried on to another server."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import aiohttp
import anyio
import pytest
from tests.unit.serving.conftest import serving

from virtdeck.basis.errors import Conflict
from virtdeck.serving.asgi import App, Receive, Scope, Send
from virtdeck.serving.bridge import Bridge, BridgeOptions
from virtdeck.serving.limits import Limits
from virtdeck.serving.relay import Refusal, dial
from virtdeck.serving.server import Server
from virtdeck.serving.takeover import takeover_of
from virtdeck.serving.upgrade import Target

pytestmark = pytest.mark.anyio

PROTOCOL = "plain.kubevirt.io"


def datagram_pair() -> tuple[socket.socket, socket.socket]:
    """Two UDP sockets that know each other."""
    ends = socket.socket(type=socket.SOCK_DGRAM), socket.socket(type=socket.SOCK_DGRAM)
    for end in ends:
        end.bind(("127.0.0.1", 0))
    ends[0].connect(ends[1].getsockname())
    ends[1].connect(ends[0].getsockname())
    return ends


class Backend:
    """A server whose bridge joins each client with one end of a socket pair; the test holds the other."""

    def __init__(self, kind: int = socket.SOCK_STREAM, **options: object) -> None:
        self.near, self.far = socket.socketpair() if kind == socket.SOCK_STREAM else datagram_pair()
        self.far.setblocking(False)
        self.options = BridgeOptions(subprotocol=PROTOCOL, **options)  # type: ignore[arg-type]
        self.bridge: Bridge | None = None
        self.ending: object = None
        self.over = anyio.Event()

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        self.bridge = Bridge(takeover_of(scope), self.options)
        self.ending = await self.bridge.run(self.near, b"first")
        self.over.set()


MakeBackend = Callable[..., Backend]


@pytest.fixture
def make_backend() -> Iterator[MakeBackend]:
    """Backends whose far ends are closed after the test."""
    made: list[Backend] = []

    def make(kind: int = socket.SOCK_STREAM, **options: object) -> Backend:
        made.append(Backend(kind, **options))
        return made[-1]

    yield make
    for backend in made:
        backend.far.close()


@asynccontextmanager
async def connected(app: App) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with serving(app, Limits()) as server, client_of(server) as client:
        yield client


@asynccontextmanager
async def client_of(server: Server) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{server.port}/x", protocols=[PROTOCOL]) as client,
    ):
        yield client


def relaying(port: int) -> App:
    """An app that carries each WebSocket on to this port."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        headers = [(b"sec-websocket-protocol", PROTOCOL.encode())]
        found = await dial(takeover_of(scope), Target("127.0.0.1", port, "/there", headers))
        if isinstance(found, Refusal):
            raise Conflict(f"refused with {found.code}: {found.body.decode()[:50]}")
        await found.run()

    return app


async def read(far: socket.socket, count: int) -> bytes:
    got = b""
    while len(got) < count:
        got += await asyncio.get_running_loop().sock_recv(far, 65536)
    return got


async def test_bytes_pass_both_ways_after_the_scrollback(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with connected(backend.app) as client:
        assert client.protocol == PROTOCOL
        assert await client.receive_bytes() == b"first"
        await client.send_bytes(b"keys" * 1000)
        assert await read(backend.far, 4000) == b"keys" * 1000
        await asyncio.get_running_loop().sock_sendall(backend.far, b"screen")
        assert await client.receive_bytes() == b"screen"


async def test_text_frames_pass_as_bytes(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with connected(backend.app) as client:
        await client.send_str("ls\n")
        assert await read(backend.far, 3) == b"ls\n"


async def test_a_filter_decides_what_reaches_the_backend(make_backend: MakeBackend) -> None:
    backend = make_backend(from_client=lambda data: data.upper())
    async with connected(backend.app) as client:
        await client.send_bytes(b"abc")
        assert await read(backend.far, 3) == b"ABC"


async def test_the_client_is_told_why_the_bridge_was_closed(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with connected(backend.app) as client:
        assert await client.receive_bytes() == b"first"
        assert backend.bridge is not None
        backend.bridge.close(4409, "ann took over the screen")
        message = await client.receive()
        assert (message.data, message.extra) == (4409, "ann took over the screen")


async def test_the_client_is_told_when_the_backend_ends(make_backend: MakeBackend) -> None:
    backend = make_backend(backend_gone=(4410, "the VM stopped"))
    async with connected(backend.app) as client:
        await client.receive_bytes()
        backend.far.close()
        message = await client.receive()
        assert (message.data, message.extra) == (4410, "the VM stopped")


async def test_the_backend_is_closed_when_the_client_goes(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with connected(backend.app) as client:
        await client.send_bytes(b"last words")
        await client.close(code=1000)
        await backend.over.wait()
        assert await read(backend.far, 10) == b"last words"
        assert await asyncio.get_running_loop().sock_recv(backend.far, 1) == b""


async def test_a_client_that_breaks_the_protocol_is_told_so(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with connected(backend.app) as client:
        await client.receive_bytes()
        assert client._conn is not None
        assert client._conn.transport is not None
        client._conn.transport.write(b"\x82\x01x")  # not masked
        message = await client.receive()
        assert message.data == 1002


async def test_a_stopping_server_tells_its_clients(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with aiohttp.ClientSession() as session:
        async with serving(backend.app, Limits()) as server:
            client = await session.ws_connect(f"http://127.0.0.1:{server.port}/x")
            await client.receive_bytes()
        message = await client.receive()
        assert message.data == 1001


async def test_a_slow_reader_slows_the_backend_down(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with connected(backend.app) as client:
        await client.receive_bytes()
        assert client._conn is not None
        assert client._conn.transport is not None
        client._conn.transport.pause_reading()
        sent = 0
        loop = asyncio.get_running_loop()
        with anyio.move_on_after(1):
            while True:
                await loop.sock_sendall(backend.far, b"x" * 65536)
                sent += 65536
        assert sent < 32 * 1024 * 1024  # what kernel and process hold; without back-pressure it never ends
        client._conn.transport.resume_reading()
        got = 0
        while got < sent:
            got += len(await client.receive_bytes())


async def test_datagrams_keep_their_boundaries(make_backend: MakeBackend) -> None:
    backend = make_backend(socket.SOCK_DGRAM)
    async with connected(backend.app) as client:
        await client.receive_bytes()
        await client.send_bytes(b"a" * 1400)
        await client.send_bytes(b"b")
        loop = asyncio.get_running_loop()
        assert await loop.sock_recv(backend.far, 65536) == b"a" * 1400
        assert await loop.sock_recv(backend.far, 65536) == b"b"
        await loop.sock_sendall(backend.far, b"answer")
        assert await client.receive_bytes() == b"answer"


async def test_a_relay_passes_bytes_and_close_codes_as_they_are(make_backend: MakeBackend) -> None:
    backend = make_backend(backend_gone=(4410, "the VM stopped"))
    async with serving(backend.app, Limits()) as behind, connected(relaying(behind.port)) as client:
        assert client.protocol == PROTOCOL
        assert await client.receive_bytes() == b"first"
        await client.send_bytes(b"keys")
        assert await read(backend.far, 4) == b"keys"
        backend.far.close()
        message = await client.receive()
        assert (message.data, message.extra) == (4410, "the VM stopped")


async def test_a_relay_passes_a_refusal_on_before_it_accepts() -> None:
    async def refusing(scope: Scope, receive: Receive, send: Send) -> None:
        raise Conflict("held by ann")

    async with serving(refusing, Limits()) as behind, serving(relaying(behind.port), Limits()) as server:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            async with client_of(server):
                pass
    assert caught.value.status == 409


async def test_a_relay_says_so_when_the_other_side_is_lost(make_backend: MakeBackend) -> None:
    backend = make_backend()
    async with serving(backend.app, Limits()) as behind, connected(relaying(behind.port)) as client:
        await client.receive_bytes()
        for connection in list(behind._state.connections):
            connection.transport.abort()
        message = await client.receive()
        assert message.data == 4502


async def test_nothing_answers_where_nobody_listens() -> None:
    async with serving(relaying(1), Limits()) as server:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            async with client_of(server):
                pass
    assert caught.value.status == 503
