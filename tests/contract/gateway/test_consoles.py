"""Consoles and forwarded ports, through the API server and from a browser."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import anyio
import pytest
from tests.contract.gateway.instance import Running, SmallHandler
from tests.contract.gateway.machines import bind, make_launcher, make_token, make_vm, make_vmi
from tests.contract.gateway.person import Person, http_session

from virtdeck.kube.client import Client
from virtdeck.serving.tls import client_context

pytestmark = pytest.mark.anyio

BASE = "/apis/subresources.kubevirt.io/v1"
PROTOCOL = "plain.kubevirt.io"


@asynccontextmanager
async def open_socket(instance: Running, path: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A WebSocket to the API server as the administrator, as virtctl opens it."""
    pki = instance.pki
    context = client_context(f"{pki}/ca.crt", f"{pki}/admin.crt", f"{pki}/admin.key")
    url = instance.apiserver + path
    async with (
        http_session() as session,
        session.ws_connect(url, protocols=[PROTOCOL], ssl=context) as found,
    ):
        yield found


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol": PROTOCOL,
}


async def refused(instance: Running, path: str) -> int:
    """The code that the API server refuses this WebSocket with."""
    pki = instance.pki
    context = client_context(f"{pki}/ca.crt", f"{pki}/admin.crt", f"{pki}/admin.key")
    async with (
        http_session() as session,
        session.get(instance.apiserver + path, headers=UPGRADE, ssl=context) as response,
    ):
        return response.status


def console(namespace: str, name: str, kind: str = "vnc") -> str:
    return f"{BASE}/namespaces/{namespace}/virtualmachineinstances/{name}/{kind}"


async def receive(handler: SmallHandler, count: int) -> bytes:
    assert handler.guest is not None
    got = b""
    while len(got) < count:
        got += await asyncio.get_running_loop().sock_recv(handler.guest, 65536)
    return got


async def send(handler: SmallHandler, data: bytes) -> None:
    assert handler.guest is not None
    await asyncio.get_running_loop().sock_sendall(handler.guest, data)


@pytest.mark.parametrize("kind", ["vnc", "console"])
async def test_a_console_is_opened_through_the_api_server(
    instance: Running, client: Client, namespace: str, handler: SmallHandler, kind: str
) -> None:
    await make_vmi(client, namespace, "a")
    async with open_socket(instance, console(namespace, "a", kind)) as found:
        assert found.protocol == PROTOCOL
        await handler.opened.wait()
        assert handler.calls == [
            (kind, "mode=take", {"x-virtdeck-user": "admin", "x-virtdeck-origin": "virtctl"})
        ]
        await found.send_bytes(b"k" * 100_000)
        assert await receive(handler, 100_000) == b"k" * 100_000
        await send(handler, b"screen")
        assert await found.receive_bytes() == b"screen"
        assert handler.guest is not None
        handler.guest.close()
        message = await found.receive()
        assert (message.data, message.extra) == (4410, "the VM stopped")


async def test_whoever_is_thrown_off_is_told_by_whom(
    instance: Running, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    async with open_socket(instance, console(namespace, "a")) as found:
        await handler.opened.wait()
        assert handler.bridge is not None
        handler.bridge.close(4409, "bob took over the screen")
        message = await found.receive()
        assert (message.data, message.extra) == (4409, "bob took over the screen")


async def test_who_asks_politely_does_not_throw_anybody_off(
    instance: Running, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    async with open_socket(instance, console(namespace, "a") + "?preserveSession=true"):
        await handler.opened.wait()
        assert handler.calls[0][1] == "mode=ask"
    handler.refuse_with = (503, "ConsoleHeld", "ann holds the screen")
    answered = await refused(instance, console(namespace, "a") + "?preserveSession=true")
    assert answered == 503


@pytest.mark.parametrize(("phase", "kind", "code"), [("Failed", "console", 409), ("Scheduled", "vnc", 400)])
async def test_a_console_of_what_does_not_run_is_refused(
    instance: Running, client: Client, namespace: str, phase: str, kind: str, code: int
) -> None:
    await make_vmi(client, namespace, "a", phase=phase)
    answered = await refused(instance, console(namespace, "a", kind))
    assert answered == code


async def test_a_program_opens_a_console_at_the_facade_with_its_token(
    person: Person, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    token, other = [await make_token(client, namespace, name) for name in ("robot", "other")]
    path = console(namespace, "a")
    async with person.http.get(path, headers=UPGRADE | {"Authorization": f"Bearer {other}"}) as response:
        assert response.status == 403  # known, and without the right
    async with person.http.get(path, headers=UPGRADE) as response:
        assert response.status == 401
    await bind(client, namespace, "robot", "kubevirt.io:edit")
    async with person.http.ws_connect(
        path, headers={"Authorization": f"Bearer {token}"}, protocols=[PROTOCOL]
    ) as found:
        await handler.opened.wait()
        await send(handler, b"screen")
        assert await found.receive_bytes() == b"screen"
    assert handler.calls[0][2]["x-virtdeck-user"] == f"system:serviceaccount:{namespace}:robot"


# ---- browsers


async def ticket(person: Person, namespace: str, name: str = "a", kind: str = "vnc") -> str:
    code, made = await person.mutate(
        "POST", "/ws-tickets", json={"namespace": namespace, "name": name, "kind": kind}
    )
    assert code == 201, made
    found: str = made["ticket"]
    return found


def browser_path(namespace: str, code: str, kind: str = "vnc", more: str = "") -> str:
    return f"/ws/ns/{namespace}/vms/a/{kind}?ticket={code}{more}"


async def closed(person: Person, path: str) -> tuple[int, str]:
    """The code and sentence that the browser's WebSocket is closed with."""
    async with person.http.ws_connect(path, headers=person.own, protocols=[PROTOCOL]) as found:
        message = await found.receive()
        return message.data, message.extra or ""


async def test_a_browser_opens_a_console_with_its_ticket(
    person: Person, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    await person.log_in()
    path = browser_path(namespace, await ticket(person, namespace), more="&mode=watch&replay=1")
    async with person.http.ws_connect(path, headers=person.own, protocols=[PROTOCOL]) as found:
        await handler.opened.wait()
        assert handler.calls == [
            ("vnc", "mode=watch&replay=1", {"x-virtdeck-user": "admin", "x-virtdeck-origin": "browser"})
        ]
        await send(handler, b"screen")
        assert await found.receive_bytes() == b"screen"
    assert (await closed(person, path))[0] == 4403  # the ticket is used up


async def test_a_ticket_opens_one_door_for_one_browser(
    instance: Running, person: Person, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    await person.log_in()
    assert (await closed(person, browser_path(namespace, "guessed")))[0] == 4403
    code = await ticket(person, namespace)
    assert (await closed(person, browser_path(namespace, code, "console")))[0] == 4403
    code = await ticket(person, namespace)
    async with Person.opened(instance) as thief:
        assert (await closed(thief, browser_path(namespace, code)))[0] == 4403
    assert handler.calls == []


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", None, "http://127.0.0.1:1", "http://127.0.0.1.evil.example"]
)
async def test_another_sites_page_cannot_open_one(
    person: Person, client: Client, namespace: str, handler: SmallHandler, origin: str | None
) -> None:
    """S-32."""
    await make_vmi(client, namespace, "a")
    await person.log_in()
    path = browser_path(namespace, await ticket(person, namespace))
    headers = UPGRADE | ({"Origin": origin} if origin else {})
    async with person.http.get(path, headers=headers) as response:
        assert response.status == 403
    assert handler.calls == []


async def test_a_browser_is_told_in_words_why_there_is_no_console(
    person: Person, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await person.log_in()
    assert (await closed(person, browser_path(namespace, await ticket(person, namespace))))[0] == 4404
    await make_vm(client, namespace, "a")
    assert (await closed(person, browser_path(namespace, await ticket(person, namespace))))[0] == 4410
    await make_vmi(client, namespace, "a")
    handler.refuse_with = (503, "ConsoleHeld", "ann holds the screen since noon")
    path = browser_path(namespace, await ticket(person, namespace), more="&mode=ask")
    assert await closed(person, path) == (4423, "ann holds the screen since noon")


async def test_a_logout_closes_the_console(
    person: Person, client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    await person.log_in()
    path = browser_path(namespace, await ticket(person, namespace))
    csrf = await person.csrf()
    async with person.http.ws_connect(path, headers=person.own, protocols=[PROTOCOL]) as found:
        await handler.opened.wait()
        async with person.http.post("/logout", data={"csrf": csrf}, headers=person.own) as response:
            assert response.status == 200  # the login page, after a redirect
        with anyio.fail_after(5):
            message = await found.receive()
        assert (message.data, message.extra) == (4403, "you were logged out")


# ---- ports


@asynccontextmanager
async def echo_server(host: str = "127.0.0.1") -> AsyncIterator[tuple[int, list[bytes]]]:
    """A guest's service: its port, and what it was sent."""
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(b"")
        while data := await reader.read(65536):
            seen[-1] += data
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(serve, host, 0)
    yield server.sockets[0].getsockname()[1], seen
    server.close()


async def test_a_port_of_the_guest_is_reached(instance: Running, client: Client, namespace: str) -> None:
    uid = await make_vmi(client, namespace, "a", interfaces=[{"name": "default", "ipAddress": "127.0.0.1"}])
    await make_launcher(client, namespace, "a", uid, "127.0.0.1")
    async with (
        echo_server() as (port, seen),
        open_socket(instance, console(namespace, "a", f"portforward/{port}")) as found,
    ):
        await found.send_bytes(b"x" * 300_000)
        got = b""
        while len(got) < 300_000:
            got += await found.receive_bytes()
        await found.close()
    assert seen == [b"x" * 300_000]


async def test_datagrams_reach_the_guest(instance: Running, client: Client, namespace: str) -> None:
    uid = await make_vmi(client, namespace, "a", interfaces=[{"name": "default", "ipAddress": "127.0.0.1"}])
    await make_launcher(client, namespace, "a", uid, "127.0.0.1")
    guest = socket.socket(type=socket.SOCK_DGRAM)
    guest.bind(("127.0.0.1", 0))
    guest.setblocking(False)
    loop = asyncio.get_running_loop()
    path = console(namespace, "a", f"portforward/{guest.getsockname()[1]}/udp")
    async with open_socket(instance, path) as found:
        await found.send_bytes(b"question")
        data, sender = await loop.sock_recvfrom(guest, 100)
        await loop.sock_sendto(guest, b"answer to " + data, sender)
        assert await found.receive_bytes() == b"answer to question"
    guest.close()


async def test_what_only_the_guest_says_is_never_dialled(
    instance: Running, client: Client, namespace: str
) -> None:
    """S-22."""
    uid = await make_vmi(client, namespace, "a", interfaces=[{"name": "default", "ipAddress": "127.0.0.1"}])
    await make_launcher(client, namespace, "a", uid, "10.99.0.9")
    async with echo_server() as (port, seen):
        answered = await refused(instance, console(namespace, "a", f"portforward/{port}"))
    assert answered == 400
    assert seen == []


@pytest.mark.parametrize(
    ("path", "code"), [("portforward/0", 400), ("portforward/22/sctp", 400), ("portforward/1", 503)]
)
async def test_a_port_that_cannot_be_reached_is_refused(
    instance: Running, client: Client, namespace: str, path: str, code: int
) -> None:
    uid = await make_vmi(client, namespace, "a", interfaces=[{"name": "default", "ipAddress": "127.0.0.1"}])
    await make_launcher(client, namespace, "a", uid, "127.0.0.1")
    answered = await refused(instance, console(namespace, "a", path))
    assert answered == code


async def test_a_vm_that_was_never_started_has_no_ports(
    instance: Running, client: Client, namespace: str
) -> None:
    await make_vm(client, namespace, "a")
    answered = await refused(instance, f"{BASE}/namespaces/{namespace}/virtualmachines/a/portforward/22")
    assert answered == 409
