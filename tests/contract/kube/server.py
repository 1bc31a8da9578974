"""A small API server on a real socket: the protocol's bytes, with faults that a test can order."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


def status(code: int, reason: str, message: str = "", **details: Any) -> web.Response:
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code}
    return web.json_response(
        body | {"reason": reason, "message": message or reason, "details": details}, status=code
    )


def inside(path: str, collection: str) -> bool:
    """True when the object is in the collection, be it of one namespace or of all."""
    root, plural = collection.rsplit("/", 1)
    if "/namespaces/" in collection:
        return path.startswith(collection + "/")
    return path.startswith(root + "/") and f"/{plural}/" in path


def merge(old: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    merged = dict(old) if isinstance(old, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged


@dataclass
class SmallServer:
    """Objects by path; every change is kept as a watch event until ``forget`` drops them."""

    version: int = 100
    objects: dict[str, dict[str, Any]] = field(default_factory=dict)
    history: list[tuple[int, str, str, dict[str, Any]]] = field(default_factory=list)
    oldest: int = 0
    requests: list[str] = field(default_factory=list)
    headers: list[dict[str, Any]] = field(default_factory=list)
    answers: list[web.Response] = field(default_factory=list)
    page: int = 1000
    bookmark: bool = False
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    cut: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(f"{request.method} {request.path}")
        self.headers.append({name: request.headers.getall(name) for name in request.headers})
        if self.answers:
            return self.answers.pop(0)
        if request.method == "GET" and request.query.get("watch"):
            return await self.watch(request)
        text = await request.text()
        body = json.loads(text) if text else {}
        match request.method:
            case "POST":
                return await self.create(request.path, body)
            case "PATCH":
                return await self.patch(request.path, body)
            case "DELETE":
                return await self.delete(request.path, body)
            case _:
                return self.read(request)

    def read(self, request: web.Request) -> web.Response:
        if request.path in self.objects:
            return web.json_response(self.objects[request.path])
        if request.path.rsplit("/", 1)[1] not in ("configmaps", "leases", "events", "secrets"):
            return status(404, "NotFound", f"{request.path} not found")
        names = sorted(path for path in self.objects if inside(path, request.path))
        start = int(request.query.get("continue") or 0)
        size = min(self.page, int(request.query.get("limit", 1000)))
        more = {"continue": str(start + size)} if start + size < len(names) else {}
        items = [self.objects[path] for path in names[start : start + size]]
        return web.json_response({"metadata": {"resourceVersion": str(self.version)} | more, "items": items})

    async def create(self, collection: str, obj: dict[str, Any]) -> web.Response:
        path = f"{collection}/{obj['metadata']['name']}"
        if path in self.objects:
            return status(409, "AlreadyExists", f"{path} already exists")
        obj["metadata"].setdefault("uid", f"uid-{self.version}")
        if "/namespaces/" in collection:
            obj["metadata"]["namespace"] = collection.split("/namespaces/")[1].partition("/")[0]
        return web.json_response(await self.put("ADDED", path, obj), status=201)

    async def patch(self, path: str, patch: Any) -> web.Response:
        if path not in self.objects:
            return status(404, "NotFound", f"{path} not found")
        old = self.objects[path]
        wanted = patch.get("metadata", {}).get("resourceVersion")
        if wanted and wanted != old["metadata"]["resourceVersion"]:
            return status(409, "Conflict", "the object has been modified")
        return web.json_response(await self.put("MODIFIED", path, merge(old, patch)))

    async def delete(self, path: str, options: dict[str, Any]) -> web.Response:
        obj = self.objects.get(path)
        if obj is None:
            return status(404, "NotFound", f"{path} not found")
        uid = (options.get("preconditions") or {}).get("uid")
        if uid and uid != obj["metadata"]["uid"]:
            return status(409, "Conflict", "the uid is another one")
        del self.objects[path]
        return web.json_response(await self.note("DELETED", path, obj))

    async def put(self, change: str, path: str, obj: dict[str, Any]) -> dict[str, Any]:
        self.objects[path] = obj
        return await self.note(change, path, obj)

    async def note(self, change: str, path: str, obj: dict[str, Any]) -> dict[str, Any]:
        self.version += 1
        stamped = obj | {"metadata": obj["metadata"] | {"resourceVersion": str(self.version)}}
        if path in self.objects:
            self.objects[path] = stamped
        self.history.append((self.version, change, path, stamped))
        await self.wake()
        return stamped

    async def wake(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def cut_watches(self) -> None:
        self.cut += 1
        await self.wake()

    async def forget(self) -> None:
        """No version older than now can be resumed from."""
        self.oldest = self.version
        self.history.clear()

    async def watch(self, request: web.Request) -> web.StreamResponse:
        since, life = int(request.query.get("resourceVersion") or 0), self.cut
        if since < self.oldest:
            return status(410, "Expired", "too old resource version")
        stream = web.StreamResponse(headers={"Content-Type": "application/json"})
        await stream.prepare(request)
        sent = since
        while life == self.cut:
            events, before, sent = tuple(self.history), sent, self.version
            for version, change, path, obj in events:
                if version > before and inside(path, request.path):
                    line = json.dumps({"type": change, "object": obj}).encode() + b"\n"
                    await stream.write(line[:7])  # lines arrive in pieces
                    await stream.write(line[7:])
            if self.bookmark:
                mark = {"kind": "ConfigMap", "metadata": {"resourceVersion": str(sent)}}
                await stream.write(json.dumps({"type": "BOOKMARK", "object": mark}).encode() + b"\n")
            async with self.changed:
                if life == self.cut and sent == self.version:
                    await self.changed.wait()
        return stream


@asynccontextmanager
async def serve(server: SmallServer, tls: ssl.SSLContext | None = None, port: int = 0) -> AsyncIterator[str]:
    """The server's address for as long as the block."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", server.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, ssl_context=tls)
    await site.start()
    bound = runner.addresses[0][1]
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{bound}"
    finally:
        await server.cut_watches()
        await runner.cleanup()
