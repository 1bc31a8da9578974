"""Watchers that write down every event they are told, and take up their watch again when it breaks."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import anyio
import orjson
from tests.contract.apiserver.truth.client import Client
from tests.contract.apiserver.truth.history import BOOKMARK, DELETED, Change, Filter, Past, Watched

Obj = dict[str, Any]
_OURS = "kube-root-ca.crt"
_BREAKS = (aiohttp.ClientError, ConnectionError, TimeoutError, asyncio.IncompleteReadError)
_ENDLESS = aiohttp.ClientTimeout(total=None, sock_connect=5)


class Expired(Exception):
    """The server no longer knows the past that was asked for."""


def change_of(event: Obj) -> Change:
    """One event of a watch. Raises: Expired."""
    obj = event["object"]
    if event["type"] == "ERROR":
        raise Expired(obj["message"])
    meta = obj["metadata"]
    revision = int(meta["resourceVersion"])
    if event["type"] == BOOKMARK:
        return Change(revision, BOOKMARK, ("", ""), "")
    value = (obj.get("data") or {}).get("v", "")
    return Change(revision, event["type"], (meta["namespace"], meta["name"]), value, meta.get("labels") or {})


@dataclass
class Recorder:
    """One watcher from ``start`` on. delays: from a write's begin to its event, for those told of begins."""

    client: Client
    name: str
    start: int
    filter: Filter = field(default_factory=Filter)
    seen: list[Change] = field(default_factory=list)
    arrivals: list[tuple[int, float]] = field(default_factory=list)
    position: int = 0
    connects: int = 0
    reconnect_seconds: float | None = None

    def watched(self, ended: int = 0) -> Watched:
        """What was seen until now; ended: the revision it must have been told of."""
        return Watched(self.name, self.start, self.filter, tuple(self.seen), ended)

    async def run(self) -> None:
        """Records until cancelled; a broken watch is taken up from the last revision that was told."""
        self.position = self.position or self.start
        while True:
            try:
                with anyio.move_on_after(self.reconnect_seconds):
                    await self._follow()
            except _BREAKS:
                await anyio.sleep(0.02)

    async def _follow(self) -> None:
        async for event in self._events():
            change = change_of(event)
            self.position = max(self.position, change.revision)
            if change.key[1] != _OURS:
                self.seen.append(change)
                self.arrivals.append((change.revision, time.monotonic()))

    async def _events(self) -> AsyncIterator[Obj]:
        self.connects += 1
        async with self.client.session.get(
            self._path(), params=self._parameters(), timeout=_ENDLESS, read_bufsize=2**22
        ) as reply:
            if reply.status == 410:
                raise Expired(await reply.text())
            if reply.status != 200:
                raise ConnectionError(reply.status)
            async for line in reply.content:
                yield orjson.loads(line)

    def _path(self) -> str:
        place = f"/namespaces/{self.filter.namespace}" if self.filter.namespace else ""
        return f"/api/v1{place}/configmaps"

    def _parameters(self) -> dict[str, str]:
        asked = {"watch": "1", "resourceVersion": str(self.position), "allowWatchBookmarks": "true"}
        if self.filter.label:
            asked["labelSelector"] = "=".join(self.filter.label)
        return asked


@asynccontextmanager
async def recording(recorders: list[Recorder]) -> AsyncIterator[None]:
    """All of them record while the context is open."""
    async with anyio.create_task_group() as group:
        for recorder in recorders:
            group.start_soon(recorder.run)
        yield
        group.cancel_scope.cancel()


async def read_past(client: Client, start: int, end: int) -> Past:
    """Every change of the ConfigMaps after ``start``, from a watch of its own."""
    witness = Recorder(client, "witness", start)
    with anyio.fail_after(20):
        async with recording([witness]):
            while not witness.seen or witness.seen[-1].revision < end:
                await anyio.sleep(0.01)
    return Past(one for one in witness.seen if one.kind != BOOKMARK)


async def wait_told(recorders: list[Recorder], past: Past, seconds: float = 10) -> None:
    """Every recorder has been told of its last change; when time is over the checks say what is missing."""
    last = {
        recorder.name: max(
            (one.revision for one in past.changes if one.kind != DELETED and recorder.filter.covers(one)),
            default=0,
        )
        for recorder in recorders
    }
    with anyio.move_on_after(seconds):
        while any(recorder.position < last[recorder.name] for recorder in recorders):
            await anyio.sleep(0.01)
