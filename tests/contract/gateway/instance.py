"""The real API server and the real virt-api as processes, and a small virt-handler behind them."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from tests.integration.controllers.instance import Process, free_port, wait_listening

from virtdeck.serving.asgi import Receive, Scope, Send, answer
from virtdeck.serving.body import read_body
from virtdeck.serving.bridge import Bridge, BridgeOptions
from virtdeck.serving.limits import Limits
from virtdeck.serving.server import Server
from virtdeck.serving.takeover import takeover_of
from virtdeck.serving.tls import Tls, peer_certificate
from virtdeck.standalone.components import LauncherUser, write_kubeconfigs, write_settings
from virtdeck.standalone.instance import Instance
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder, open_state

NODE = "n1"


@dataclass(frozen=True)
class Running:
    """What tests need of the instance."""

    state: StateFolder
    instance: Instance
    gateway: Process

    @property
    def pki(self) -> Path:
        return self.state.path("pki")

    @property
    def public(self) -> str:
        return f"http://{self.instance.listen}"

    @property
    def internal(self) -> str:
        return f"https://127.0.0.1:{self.instance.gateway_port}"

    @property
    def apiserver(self) -> str:
        return self.instance.apiserver_url

    def start_gateway(self) -> None:
        """virt-api runs and has seen everything."""
        self.gateway.start()
        wait_ready(f"{self.public}/readyz")


def make_instance(root: Path) -> Running:
    state = open_state(root)
    instance = Instance(
        id="abc123",
        listen=f"127.0.0.1:{free_port()}",
        apiserver_port=free_port(),
        gateway_port=free_port(),
        handler_port=free_port(),
        pod_subnet="10.99.0.0/24",
        node_name=NODE,
    )
    ensure_pki(state, NODE, "127.0.0.1")
    write_kubeconfigs(state, instance)
    write_settings(state, instance, LauncherUser(107, 107))
    process = Process("virtdeck.gateway", state.config("gateway"), state.log("gateway"))
    return Running(state, instance, process)


@contextmanager
def running(root: Path) -> Iterator[Running]:
    """Installed, with admission and the aggregated API."""
    found = make_instance(root)
    state = found.state
    apiserver = Process("virtdeck.standalone.apiserver", state.config("apiserver"), state.log("apiserver"))
    apiserver.start()
    try:
        wait_listening(found.instance.apiserver_port)
        found.gateway.start()
        wait_listening(found.instance.gateway_port)
        bootstrap = ["-m", "virtdeck.standalone.bootstrap", "--config", str(state.config("bootstrap"))]
        subprocess.run([sys.executable, *bootstrap], check=True, timeout=60, capture_output=True)
        wait_ready(f"{found.public}/readyz")
        yield found
    finally:
        found.gateway.kill(signal.SIGTERM)
        apiserver.kill(signal.SIGTERM)


def wait_ready(url: str) -> None:
    """The probe says ok. Raises: TimeoutError after 20 s."""
    for _ in range(400):
        with suppress(OSError), urllib.request.urlopen(url, timeout=2) as response:
            if response.status == 200:
                return
        time.sleep(0.05)
    raise TimeoutError(f"{url} does not say ok")


@dataclass
class SmallHandler:
    """virt-handler's API as docs/contracts.md has it, for guests that are only socket pairs."""

    calls: list[tuple[str, str, Any]] = field(default_factory=list)
    refuse_with: tuple[int, str, str] | None = None
    guest: socket.socket | None = None
    bridge: Bridge | None = None
    opened: anyio.Event = field(default_factory=anyio.Event)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = peer_certificate(scope)
        assert peer is not None
        assert peer["cn"] == "kubevirt.io:system:client:virt-api"
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        subresource = scope["path"].split("/", 6)[-1]
        who = {name: headers[name] for name in headers if name.startswith("x-virtdeck")}
        if self.refuse_with is not None:
            code, reason, message = self.refuse_with
            status = {"kind": "Status", "code": code, "reason": reason, "message": message}
            elsewhere = [(b"location", b"https://evil.example/")] if code == 302 else []
            await answer(scope, send, code, json.dumps(status).encode(), b"application/json", elsewhere)
        elif scope["type"] == "websocket":
            await receive()
            self.calls.append((subresource, scope["query_string"].decode(), who))
            near, self.guest = socket.socketpair()
            self.guest.setblocking(False)
            self.bridge = Bridge(
                takeover_of(scope),
                BridgeOptions(subprotocol="plain.kubevirt.io", backend_gone=(4410, "the VM stopped")),
            )
            self.opened.set()
            await self.bridge.run(near)
            self.guest.close()
        else:
            self.calls.append((subresource, (await read_body(receive)).decode(), who))
            picture = subresource == "vnc/screenshot"
            body, kind = (b"\x89PNG", b"image/png") if picture else (b'{"told":1}', b"application/json")
            await answer(scope, send, 200, body if scope["method"] == "GET" else b"", kind)


@asynccontextmanager
async def small_handler(found: Running) -> AsyncIterator[SmallHandler]:
    """A virt-handler where the node says that it is."""
    handler = SmallHandler()
    pki = found.pki
    tls = Tls(
        str(pki / "handler-server.crt"),
        str(pki / "handler-server.key"),
        str(pki / "component-ca.crt"),
        require_client_cert=True,
    )
    bind = f"127.0.0.1:{found.instance.handler_port}"
    async with Server(handler.app, bind, tls, limits=Limits(stop_seconds=0.5)):
        yield handler
