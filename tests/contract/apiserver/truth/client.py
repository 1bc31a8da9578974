"""A client that writes down what it asked, when, and what it was told."""

import asyncio
import socket
import ssl
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import aiohttp
import anyio
import orjson
from tests.contract.apiserver.running import MERGE, Api, Running
from tests.contract.apiserver.truth.history import Key, Request

Obj = dict[str, Any]
_PLAIN = "application/json"
_PATIENCE = aiohttp.ClientTimeout(total=20)
_LOST = (aiohttp.ClientError, ConnectionError, TimeoutError, asyncio.IncompleteReadError)


def path_of(key: Key) -> str:
    """Where the ConfigMap is."""
    return f"/api/v1/namespaces/{key[0]}/configmaps/{key[1]}"


@dataclass
class Notes:
    """The requests of all clients of one run. number: makes every written value another."""

    requests: list[Request] = field(default_factory=list)
    number: "count[int]" = field(default_factory=count)

    @property
    def acknowledged(self) -> int:
        """How many writes were told to be stored."""
        return sum(1 for one in self.requests if one.code in (200, 201) and one.verb not in ("get", "list"))


class Client:
    """Requests over kept connections, each with a line in the notes. Enter it inside an event loop."""

    def __init__(self, server: Running | Api, notes: Notes, name: str = "") -> None:
        self._base = f"https://127.0.0.1:{server.port}"
        self._context = server.context if isinstance(server, Api) else trusting(server)
        self._notes = notes
        self._name = name
        self._sockets: list[socket.socket] = []
        self.session: aiohttp.ClientSession

    async def __aenter__(self) -> "Client":
        connector = aiohttp.TCPConnector(ssl=self._context, limit=0, socket_factory=self._socket)
        self.session = aiohttp.ClientSession(self._base, connector=connector, timeout=_PATIENCE)
        return self

    def _socket(self, address: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, protocol, _, _ = address
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        self._sockets.append(made)
        return made

    async def __aexit__(self, *_: object) -> None:
        await self.session.close()
        # TLS connections end with a word from the other side, some time after they were closed.
        with anyio.move_on_after(5):
            while any(one.fileno() >= 0 for one in self._sockets):
                await anyio.sleep(0.005)

    async def create(self, key: Key, labels: Obj | None = None) -> Request:
        value = self._value()
        body = {"metadata": {"name": key[1], "labels": labels or {}}, "data": {"v": value}}
        return await self._ask("create", key, "POST", path_of(key).rpartition("/")[0], body, value=value)

    async def update(self, key: Key, expected: int, labels: Obj | None = None) -> Request:
        value = self._value()
        meta = {"name": key[1], "labels": labels or {}, "resourceVersion": str(expected)}
        body = {"metadata": meta, "data": {"v": value}}
        return await self._ask("update", key, "PUT", path_of(key), body, value=value, expected=expected)

    async def patch(self, key: Key, labels: Obj | None = None) -> Request:
        value = self._value()
        body = {"data": {"v": value}} | ({"metadata": {"labels": labels}} if labels else {})
        return await self._ask("patch", key, "PATCH", path_of(key), body, value=value)

    async def delete(self, key: Key) -> Request:
        return await self._ask("delete", key, "DELETE", path_of(key))

    async def get(self, key: Key) -> Request:
        return await self._ask("get", key, "GET", path_of(key))

    async def list(self, namespace: str) -> Request:
        return await self._ask("list", (namespace, ""), "GET", path_of((namespace, "")).rstrip("/"))

    def _value(self) -> str:
        return f"{self._name}{next(self._notes.number)}"

    async def _ask(
        self, verb: str, key: Key, method: str, path: str, body: Obj | None = None, **known: Any
    ) -> Request:
        kind = MERGE if method == "PATCH" else _PLAIN
        data = None if body is None else orjson.dumps(body)
        begin = time.monotonic()
        code: int | None = None
        answer: Obj = {}
        try:
            async with self.session.request(method, path, data=data, headers={"Content-Type": kind}) as reply:
                raw = await reply.read()
                code, answer = reply.status, orjson.loads(raw)
        except _LOST:
            code = None
        finally:  # a request that was given up may have been heard all the same
            told = _told(verb, code, answer) | known
            request = Request(verb, key, begin, time.monotonic(), code, **told)
            self._notes.requests.append(request)
        return request


def _told(verb: str, code: int | None, answer: Obj) -> Obj:
    """What an answer says: the object's value and revision, or a list's."""
    if code not in (200, 201) or "resourceVersion" not in answer.get("metadata", {}):
        return {}
    revision = int(answer["metadata"]["resourceVersion"])
    if verb != "list":
        return {"revision": revision, "value": answer["data"]["v"]}
    items = (one["metadata"] for one in answer["items"] if one["metadata"]["name"] != "kube-root-ca.crt")
    listed = {(one["namespace"], one["name"]): int(one["resourceVersion"]) for one in items}
    return {"revision": revision, "listed": listed}


def trusting(server: Running) -> ssl.SSLContext:
    """The administrator's TLS context."""
    pki = server.state.path("pki")
    context = ssl.create_default_context(cafile=str(pki / "ca.crt"))
    context.load_cert_chain(pki / "admin.crt", pki / "admin.key")
    return context
