"""WebSockets to subresources, with the API's subprotocol and refusals."""

import pytest
from aiohttp import WSMsgType, web
from tests.contract.kube.server import SmallServer

from virtdeck.basis.errors import Absent, Refused, Unready, VirtdeckError
from virtdeck.kube.access import Access
from virtdeck.kube.client import Client, open_client

pytestmark = pytest.mark.anyio
PATH = "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachineinstances/v/console"


class EchoServer(SmallServer):
    """Answers a WebSocket with what it hears; refuses others by the code in the path."""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.path != PATH:
            return web.Response(status=int(request.path.rsplit("/", 1)[1]))
        self.headers.append({name: request.headers.getall(name) for name in request.headers})
        socket = web.WebSocketResponse(protocols=("plain.kubevirt.io",))
        await socket.prepare(request)
        async for message in socket:
            await socket.send_bytes(message.data)
        return socket


@pytest.fixture
def server() -> SmallServer:
    return EchoServer()


async def test_bytes_go_both_ways_under_the_subprotocol(client: Client, server: SmallServer) -> None:
    async with client.as_user("ann").open_websocket(PATH) as socket:
        assert socket.protocol == "plain.kubevirt.io"
        await socket.send_bytes(b"\x00guest")
        message = await socket.receive(timeout=5)
        assert (message.type, message.data) == (WSMsgType.BINARY, b"\x00guest")
    assert server.headers[-1]["Impersonate-User"] == ["ann"]


@pytest.mark.parametrize(("code", "kind"), [(403, Refused), (404, Absent), (503, Unready)])
async def test_a_refusal_is_the_error_that_its_code_names(
    client: Client, code: int, kind: type[VirtdeckError]
) -> None:
    with pytest.raises(kind):
        async with client.open_websocket(f"/{code}"):
            pass


async def test_no_server_is_unready() -> None:
    async with open_client(Access(server="http://127.0.0.1:1")) as client:
        with pytest.raises(Unready):
            async with client.open_websocket(PATH):
                pass


async def test_a_fault_of_the_callers_own_is_not_called_the_api_servers(client: Client) -> None:
    with pytest.raises(ConnectionResetError):
        async with client.open_websocket(PATH):
            raise ConnectionResetError
