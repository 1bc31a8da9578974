"""How a probe asks and which answers count."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from anyio.abc import SocketStream

from virtdeck.crds.codec import decode
from virtdeck.crds.core.handlers import HTTPGetAction
from virtdeck.crds.core.pod_containers import Container, ContainerProbe
from virtdeck.standalone.runner.probes import asked, port_number, request

CONTAINER = decode({"name": "c", "ports": [{"name": "web", "containerPort": 80}]}, Container)


def probe(**fields: Any) -> ContainerProbe:
    return decode(fields, ContainerProbe)


async def with_server(
    answer: bytes | None, ask: Callable[[int], Awaitable[bool]], hang: bool = False
) -> bool:
    """What ``ask`` finds out of a server that gives this answer."""

    async def serve(stream: SocketStream) -> None:
        async with stream:
            if hang:
                await anyio.sleep(30)
            if answer is not None:
                await stream.receive()
                await stream.send(answer)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        found = await ask(port)
        tasks.cancel_scope.cancel()
    await listener.aclose()
    return found


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "good"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", True),
        (b"HTTP/1.1 302 Found\r\n\r\n", True),
        (b"HTTP/1.1 404 No\r\n\r\n", False),
        (b"HTTP/1.1 503 No\r\n\r\n", False),
        (b"garbage", False),
        (b"HTTP/1.1 many words", False),
        (None, False),
    ],
)
async def test_an_http_answer_from_200_to_399_is_good(answer: bytes | None, good: bool) -> None:
    async def ask(port: int) -> bool:
        return await asked(probe(httpGet={"port": port, "host": "192.0.2.1"}), CONTAINER, "127.0.0.1")

    assert await with_server(answer, ask) is good


@pytest.mark.anyio
async def test_an_open_port_is_good_and_a_closed_one_is_not() -> None:
    async def ask(port: int) -> bool:
        return await asked(probe(tcpSocket={"port": port}), CONTAINER, "127.0.0.1")

    assert await with_server(None, ask)
    assert not await ask(1)


@pytest.mark.anyio
async def test_a_server_that_never_answers_fails_in_time() -> None:
    async def ask(port: int) -> bool:
        return await asked(probe(httpGet={"port": port}, timeoutSeconds=1), CONTAINER, "127.0.0.1")

    with anyio.fail_after(5):
        assert not await with_server(None, ask, hang=True)


def test_a_port_may_have_a_name() -> None:
    assert (port_number("web", CONTAINER), port_number("81", CONTAINER), port_number(82, CONTAINER)) == (
        80,
        81,
        82,
    )
    with pytest.raises(ValueError, match="no port"):
        port_number("other", CONTAINER)


@pytest.mark.parametrize(
    "action", [{"path": "/a\r\nX: y"}, {"httpHeaders": [{"name": "A", "value": "b\nc"}]}]
)
def test_a_probe_cannot_smuggle_lines(action: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="line break"):
        request(decode({"port": 80} | action, HTTPGetAction), "10.0.0.1", 80)
