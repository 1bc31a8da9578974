"""The console in front of a small cluster, with a screen and a serial line that answer.

Run ``python -m tests.unit.gateway.small_console 8123`` from the repository's root to look at it.
"""

import asyncio
import io
import json
import struct
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
from fastapi import FastAPI
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from tests.contract.kube.server import serve
from tests.unit.gateway.small_cluster import SmallCluster, fill
from uvicorn.config import Config
from uvicorn.server import Server

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.errors import Refused
from virtdeck.crds.codec import decode
from virtdeck.gateway.auth.headers import with_security_headers
from virtdeck.gateway.auth.reviews import Attempt, Verdict
from virtdeck.gateway.auth.sessions import Session
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.caches import GatewayCaches, make_caches
from virtdeck.gateway.console.desk import Caches, ConsoleSettings, Desk, open_desk
from virtdeck.gateway.console.routes import console_router
from virtdeck.gateway.console.visit import language_of, theme_of
from virtdeck.instancetype.bundled import bundled_objects
from virtdeck.kube.access import Access
from virtdeck.kube.client import open_client

TOKEN = "token-of-the-form"


@dataclass
class OnePerson:
    """Sessions of one person who is always logged in, unless ``away``."""

    name: str = "ada"
    away: bool = False

    def session_of(self, request: HTTPConnection) -> Session | None:
        now = datetime.now(UTC)
        return None if self.away else Session("s1", User(self.name, ("ops",)), now, now, now, "", TOKEN)

    def check_form(self, request: HTTPConnection, token: str) -> None:
        if token != TOKEN:
            raise Refused("the form is older than this login; open the page again and repeat")

    def origin(self, request: HTTPConnection) -> str:
        return f"http://{request.headers.get('host', '')}"


@dataclass
class Allowing:
    """Access reviews that allow everything but what is named: ``verb resource[/sub] [namespace]``."""

    denied: set[str] = field(default_factory=set)

    async def verdict(self, user: User, attempt: Attempt) -> Verdict:
        if attempt.resource == "*":
            return Verdict(not self.denied)
        what = f"{attempt.verb} {attempt.resource}" + (
            f"/{attempt.subresource}" if attempt.subresource else ""
        )
        names = {what, f"{what} {attempt.namespace or '*'}"}
        return Verdict(not names & self.denied)


@dataclass
class Screens:
    """Whether somebody called bob holds every screen; a client that only asks is then refused."""

    held: bool = False


@dataclass
class Stage:
    """All parts of a running console."""

    url: str
    cluster: SmallCluster
    desk: Desk
    gate: OnePerson
    reviews: Allowing
    images: Path
    screens: Screens = field(default_factory=Screens)


async def screen(socket: WebSocket) -> None:
    """A VNC server of one picture: RFB 3.8 without a password, raw rectangles; keys are kept."""
    await socket.accept(subprotocol="plain.kubevirt.io")
    width, height = 720, 400
    buffer = b""

    async def read(count: int) -> bytes:
        nonlocal buffer
        while len(buffer) < count:
            buffer += await socket.receive_bytes()
        taken, buffer = buffer[:count], buffer[count:]
        return taken

    try:
        await socket.send_bytes(b"RFB 003.008\n")
        await read(12)
        await socket.send_bytes(b"\x01\x01")
        await read(1)
        await socket.send_bytes(b"\0\0\0\0")
        await read(1)
        pixel = struct.pack(">BBBBHHHBBBxxx", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)
        await socket.send_bytes(struct.pack(">HH", width, height) + pixel + struct.pack(">I", 5) + b"small")
        row = b"".join(bytes((60 + x // 12, 40, 30, 0)) for x in range(width))
        while True:
            kind = (await read(1))[0]
            if kind == 0:
                await read(19)
            elif kind == 2:
                await read(1)
                await read(4 * struct.unpack(">H", await read(2))[0])
            elif kind == 3:
                await read(9)
                head = struct.pack(">BxHHHHHi", 0, 1, 0, 0, width, height, 0)
                await socket.send_bytes(head + row * height)
                await anyio.sleep(0.5)
            else:
                await read({4: 7, 5: 5}.get(kind, 0))
    except (WebSocketDisconnect, RuntimeError):
        return


async def serial(socket: WebSocket) -> None:
    """A serial line with some history that repeats what is typed."""
    await socket.accept(subprotocol="plain.kubevirt.io")
    try:
        await socket.send_bytes(
            b"[    0.000000] Linux version 6.1.0-28-cloud-amd64\r\n[    1.402113] Run /init\r\n\r\n"
        )
        await socket.send_bytes(b"Debian GNU/Linux 12 \x1b[1;32mweb-1\x1b[0m ttyS0\r\n\r\nweb-1 login: ")
        while True:
            data = await socket.receive_bytes()
            await socket.send_bytes(data.replace(b"\r", b"\r\n"))
    except (WebSocketDisconnect, RuntimeError):
        return


async def console_socket(socket: WebSocket) -> None:
    if socket.app.state.screens.held and socket.query_params.get("mode") == "ask":
        await socket.accept(subprotocol="plain.kubevirt.io")
        await socket.close(4423, "")
        return
    await (screen if socket.path_params["kind"] == "vnc" else serial)(socket)


async def ticket(request: Request) -> JSONResponse:
    return JSONResponse({"ticket": "t", "expiresAt": ""}, 201)


async def screenshot(request: Request) -> Response:
    """A picture of a login prompt."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (720, 400), (8, 10, 14))
    ImageDraw.Draw(picture).text(
        (24, 24), "Debian GNU/Linux 12 web-1 tty1\n\nweb-1 login: _", (220, 224, 230)
    )
    body = io.BytesIO()
    picture.save(body, "PNG")
    return Response(body.getvalue(), media_type="image/png")


async def sessions(request: Request) -> JSONResponse:
    now = datetime.now(UTC).isoformat()
    items = [{"name": "s1", "since": now, "lastSeen": now, "ends": now, "agent": "Chromium", "current": True}]
    return JSONResponse({"items": items})


def notes(folder: Path) -> None:
    """An image store with two images."""
    (folder / "names").mkdir(parents=True)
    for name, source in (
        ("virtdeck/demo:latest", "built here"),
        ("registry.example.com/containerdisks/debian:12", "registry"),
    ):
        note = {
            "name": name,
            "digest": "sha256:" + "4f" * 32,
            "size": 48 << 20,
            "created": "2026-11-30T12:00:00Z",
            "source": source,
        }
        (folder / "names" / f"{name.replace('/', '%2F')}.json").write_text(json.dumps(note))


@asynccontextmanager
async def open_stage(folder: Path, *, filled: bool = True, gallery: bool = True) -> AsyncIterator[Stage]:
    """A desk on a small cluster, without a web server; ``url`` is the cluster's."""
    cluster = SmallCluster()
    if filled:
        await fill(cluster)
        notes(folder / "images")
    async with (
        serve(cluster) as url,
        open_client(Access(server=url)) as client,
        anyio.create_task_group() as group,
    ):
        caches = make_caches()
        cached = (caches.vms, caches.vmis, caches.nodes, caches.events, caches.namespaces)
        for cache in cached:
            group.start_soon(cache.run, client)
            await cache.wait_synced()
        for kind, obj in bundled_objects() if filled else ():
            meta = obj["metadata"] | {"uid": f"uid-{obj['metadata']['name']}", "resourceVersion": "1"}
            caches.instancetypes[kind].absorb(decode(obj | {"metadata": meta}, kind.type))
        gate, reviews = OnePerson(), Allowing()
        async with open_desk(
            caches=Caches(*cached, caches.instancetypes),
            client=client,
            gate=gate,
            reviews=reviews,
            clock=SystemClock(),
            data_dir=folder,
            settings=ConsoleSettings(
                "https://virtdeck.example", images_dir=folder / "images", gallery=gallery
            ),
        ) as desk:
            yield Stage(url, cluster, desk, gate, reviews, folder / "images")
        group.cancel_scope.cancel()


def login(stage: Stage, request: Request) -> Response:
    model = {
        "theme": theme_of(request),
        "next": "/",
        "problem": "",
        "link": request.query_params.get("link", ""),
    }
    return HTMLResponse(stage.desk.renderer.render("login.html", language_of(request), model))


def app_of(stage: Stage) -> Any:
    """The console as an ASGI application, with the security headers of the real one."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.state.screens = stage.screens
    app.mount("/static", stage.desk.renderer.assets)
    app.include_router(console_router(stage.desk))
    app.add_route("/ws-tickets", ticket, methods=["POST"])
    app.add_route("/auth/sessions", sessions, methods=["GET"])
    app.add_route("/apis/subresources.kubevirt.io/v1/{rest:path}", screenshot, methods=["GET"])
    app.add_route("/login", lambda request: login(stage, request))
    app.router.routes.append(WebSocketRoute("/ws/ns/{ns}/vms/{name}/{kind}", console_socket))
    return with_security_headers(app, False)


@asynccontextmanager
async def open_console(folder: Path, port: int = 0, **how: Any) -> AsyncIterator[Stage]:
    """A stage whose ``url`` a browser can open."""
    async with open_stage(folder, **how) as stage:
        config = Config(
            app_of(stage), "127.0.0.1", port, log_level="warning", lifespan="off", ws="websockets-sansio"
        )
        server = Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        stage.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        loop = asyncio.ensure_future(server.main_loop())
        try:
            yield stage
        finally:
            server.should_exit = server.force_exit = True
            await loop
            await server.shutdown()


__all__ = ["GatewayCaches", "Stage", "open_console", "open_stage"]


async def main(port: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_console(Path(folder), port) as stage:
            print(stage.url, flush=True)
            await anyio.sleep_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
