"""virt-handler's API over real TLS, with consoles that reach a pod's real sockets."""

import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import anyio
import pytest
from tests.integration.node_agent.conftest import LAUNCHER_UID, Pod

from virtdeck.basis.clock import SystemClock
from virtdeck.crds import kinds
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key
from virtdeck.node_agent.api.app import build_app
from virtdeck.node_agent.api.context import Api
from virtdeck.node_agent.api.sessions import Sessions
from virtdeck.node_agent.api.streams import STOPPED
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.launchers.link import Target
from virtdeck.node_agent.launchers.registry import open_launchers
from virtdeck.node_agent.vmi.memory import Memory
from virtdeck.serving.server import Server
from virtdeck.serving.tls import Tls, client_context
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder
from virtdeck.wire import launcher as wire

pytestmark = [pytest.mark.root, pytest.mark.anyio]

KEY = Key("default", "demo")
PATH = "/v1/namespaces/default/virtualmachineinstances/demo"
GREETING = b"RFB 003.008\n"
SECONDS = 10.0


@pytest.fixture(scope="session")
def pki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = StateFolder(tmp_path_factory.mktemp("pki"))
    state.path("pki").mkdir(parents=True, exist_ok=True)
    ensure_pki(state, "node1", "127.0.0.1")
    return state.path("pki")


class Node:
    """One virt-handler's API and a client of it."""

    def __init__(self, api: Api, url: str, pki: Path, session: aiohttp.ClientSession) -> None:
        self.api, self.url, self._pki, self._session = api, url, pki, session

    def tls(self, certificate: str | None = "gateway-client") -> ssl.SSLContext:
        names = (str(self._pki / f"{certificate}.{end}") for end in ("crt", "key"))
        return client_context(str(self._pki / "component-ca.crt"), *(names if certificate else ()))

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        tls = self.tls(**options)
        async with self._session.request(method, self.url + path, json=body, ssl=tls) as response:
            answer = await response.read()
            return response.status, await response.json() if answer[:1] in {b"{", b"["} else answer

    async def open(self, path: str, user: str = "ann") -> aiohttp.ClientWebSocketResponse:
        headers = {"X-Virtdeck-User": user, "X-Virtdeck-Origin": "browser"}
        return await self._session.ws_connect(
            self.url + PATH + path, ssl=self.tls(), headers=headers, protocols=("plain.kubevirt.io",)
        )


@pytest.fixture
async def node(pod: Pod, pki: Path) -> AsyncIterator[Node]:
    """The API with one VMI whose guest runs."""
    pod.start_launcher()
    folders, sessions = PodFolders(str(pod.root)), Sessions()
    vmis: Cache[VirtualMachineInstance] = Cache(kinds.VMI)
    vmi = {"metadata": {"name": "demo", "namespace": "default", "uid": pod.vmi_uid, "resourceVersion": "1"}}
    vmis.absorb(decode(vmi | {"spec": {"domain": {"devices": {}}}}, VirtualMachineInstance))
    connected = anyio.Event()
    async with open_launchers(folders, LAUNCHER_UID, lambda _key: connected.set()) as launchers:
        api = Api(
            vmis,
            launchers,
            sessions,
            folders,
            LAUNCHER_UID,
            Memory(),
            SystemClock(),
            lambda _key: None,
            lambda *_: None,
        )
        launchers.want(Target(KEY, pod.vmi_uid, pod.uid))
        with anyio.fail_after(SECONDS):
            await connected.wait()
            talk = launchers.require(pod.vmi_uid).require_conversation()
            host = wire.HostFacts(accelerator="tcg")
            await talk.ask(wire.Sync(id=talk.next_id(), vmi=vmi, host=host), wire.Done, SECONDS)
        ca = str(pki / "component-ca.crt")
        tls = Tls(
            str(pki / "handler-server.crt"), str(pki / "handler-server.key"), ca, require_client_cert=True
        )
        async with Server(build_app(api), "127.0.0.1:0", tls) as server, aiohttp.ClientSession() as session:
            yield Node(api, server.url, pki, session)


async def read(stream: aiohttp.ClientWebSocketResponse, count: int) -> bytes:
    """That many bytes, however they are framed."""
    data = b""
    with anyio.fail_after(SECONDS):
        while len(data) < count:
            message = await stream.receive()
            assert message.type == aiohttp.WSMsgType.BINARY, message
            data += message.data
    return data


async def closing(stream: aiohttp.ClientWebSocketResponse) -> tuple[int | None, str]:
    """Code and sentence with which the server closes."""
    with anyio.fail_after(SECONDS):
        while (message := await stream.receive()).type == aiohttp.WSMsgType.BINARY:
            pass
    return stream.close_code, str(message.extra or "")


async def test_lifecycle_acts_reach_the_guest_and_say_when_they_cannot(node: Node) -> None:
    assert (await node.call("PUT", f"{PATH}/pause"))[0] == 200
    code, refusal = await node.call("PUT", f"{PATH}/pause")
    assert (code, refusal["reason"]) == (409, "Conflict")
    assert (await node.call("PUT", f"{PATH}/unpause"))[0] == 200
    assert (await node.call("PUT", f"{PATH}/reset"))[0] == 200
    assert (await node.call("PUT", f"{PATH}/freeze", {"unfreezeTimeout": "5m"}))[0] == 200
    assert (await node.call("PUT", f"{PATH}/freeze", {}))[0] == 400
    assert (await node.call("PUT", f"{PATH}/sendkeys", {"chords": [[29, 56, 111]]}))[0] == 200


async def test_the_screen_is_a_png_and_costs_no_session(node: Node) -> None:
    code, picture = await node.call("GET", f"{PATH}/vnc/screenshot")
    assert (code, picture[:4]) == (200, b"\x89PNG")
    assert (await node.call("GET", f"{PATH}/sessions"))[1] == {"items": []}


async def test_guest_data_without_an_agent_is_a_conflict(node: Node) -> None:
    assert (await node.call("GET", f"{PATH}/userlist"))[0] == 409


async def test_metrics_are_kubevirts(node: Node) -> None:
    code, text = await node.call("GET", "/metrics")
    assert code == 200
    assert b'kubevirt_vmi_cpu_usage_seconds_total{node="",namespace="default",name="demo"} 1' in text


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/", 404),
        ("GET", f"{PATH}/pause", 405),
        ("PUT", f"{PATH}/explode", 404),
        ("PUT", f"{PATH.replace('demo', 'other')}/pause", 404),
        ("GET", f"{PATH}/../../etc/passwd", 404),
    ],
)
async def test_what_is_not_there_is_a_status(node: Node, method: str, path: str, code: int) -> None:
    answered, body = await node.call(method, path)
    assert (answered, body["kind"], body["code"]) == (code, "Status", code)


@pytest.mark.parametrize("certificate", ["apiserver-webhook-client", "handler-server"])
async def test_only_virt_api_is_served(node: Node, certificate: str) -> None:
    try:
        code, _ = await node.call("GET", f"{PATH}/sessions", certificate=certificate)
    except aiohttp.ClientError:
        return  # refused while the certificate was looked at
    assert code in {401, 403}


async def test_without_a_certificate_nothing_is_answered(node: Node) -> None:
    with pytest.raises(aiohttp.ClientError):
        await node.call("GET", "/healthz", certificate=None)


async def test_a_serial_line_carries_bytes_both_ways(node: Node) -> None:
    stream = await node.open("/console")
    assert stream.protocol == "plain.kubevirt.io"
    await stream.send_bytes(b"root\n")
    assert await read(stream, 5) == b"root\n"
    await stream.close()


async def test_who_takes_over_is_named_and_who_asks_is_refused(node: Node) -> None:
    ann = await node.open("/vnc")
    assert await read(ann, 12) == GREETING
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await node.open("/vnc?mode=ask", user="eve")
    assert refused.value.status == 503
    bob = await node.open("/vnc", user="bob")
    code, sentence = await closing(ann)
    assert code == 4409
    assert "bob" in sentence
    items = (await node.call("GET", f"{PATH}/sessions"))[1]["items"]
    assert [(item["user"], item["kind"], item["mode"]) for item in items] == [("bob", "vnc", "take")]
    await bob.close()


async def test_a_watcher_sees_and_cannot_type(node: Node) -> None:
    holder = await node.open("/vnc")
    watcher = await node.open("/vnc?mode=watch", user="eve")
    assert await read(watcher, 12) == GREETING
    update, key = b"\x03" + bytes(9), b"\x04" + bytes(7)
    await watcher.send_bytes(b"RFB 003.008\n\x01\x00" + key + update)
    assert await read(watcher, 24) == b"RFB 003.008\n\x01\x01" + update
    assert not holder.closed
    serial = await node.open("/console?mode=watch", user="eve")
    await serial.send_bytes(b"rm -rf /\n")
    with pytest.raises(TimeoutError):
        await serial.receive(timeout=0.2)
    for stream in (holder, watcher, serial):
        await stream.close()


async def test_a_watcher_who_does_not_speak_vnc_is_closed_with_a_sentence(node: Node) -> None:
    watcher = await node.open("/vnc?mode=watch")
    await watcher.send_bytes(b"GET / HTTP/1.1\r\n\r\n")
    code, sentence = await closing(watcher)
    assert code == 1002
    assert "VNC" in sentence


async def test_everybody_is_told_that_the_vm_stopped(node: Node, pod: Pod) -> None:
    stream = await node.open("/console")
    pod.kill_launcher()
    assert await closing(stream) == STOPPED


async def test_a_left_console_is_free_at_once(node: Node) -> None:
    stream = await node.open("/vnc")
    await stream.close()
    with anyio.fail_after(SECONDS):
        items = True
        while items:
            items = (await node.call("GET", f"{PATH}/sessions"))[1]["items"]
    again = await node.open("/vnc?mode=ask")
    assert await read(again, 12) == GREETING
    await again.close()


async def test_a_console_whose_socket_became_a_link_is_not_opened(node: Node, pod: Pod) -> None:
    (pod.private / "vnc.sock").unlink()
    (pod.private / "vnc.sock").symlink_to(pod.private / "launcher.sock")
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await node.open("/vnc")
    assert refused.value.status == 400
