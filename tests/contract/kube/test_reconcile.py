"""The shared loop carries a plan out, writes a difference once, and tries again as the error asks."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest
from msgspec.structs import replace
from tests.contract.kube.server import SmallServer, status
from tests.contract.kube.test_client import MAP, config_map

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.errors import Conflict, Invalid, VirtdeckError
from virtdeck.crds.core.config import ConfigMap
from virtdeck.crds.meta import ObjectMeta
from virtdeck.kube.backoff import Backoff
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.objects import Key
from virtdeck.kube.plans import EventNote, Plan
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.reconcile import ReconcileLoop

pytestmark = pytest.mark.anyio
QUICK = Backoff(base_seconds=0.01, cap_seconds=0.02)


@dataclass
class Painter:
    """Wants every map blue, after an action; ``faults`` are raised by the next actions in turn."""

    cache: Cache[ConfigMap]
    faults: list[Exception] = field(default_factory=list)
    acted: list[str] = field(default_factory=list)
    looks: int = 0
    before_write: Callable[[], object] = lambda: None

    def observe(self, key: Key) -> ConfigMap | None:
        self.looks += 1
        return self.cache.get(key.namespace, key.name)

    def subject(self, seen: ConfigMap) -> ConfigMap:
        return seen

    def decide(self, seen: ConfigMap) -> Plan[str, ConfigMap]:
        if (seen.data or {}).get("color") == "blue":
            return Plan()
        note = EventNote("Normal", "Painted", "it is blue now")
        return Plan(("mix",), replace(seen, data={**(seen.data or {}), "color": "blue"}), (note,))

    def decide_failure(self, seen: ConfigMap, action: str, error: VirtdeckError) -> Plan[str, ConfigMap]:
        told = replace(seen, data={**(seen.data or {}), "problem": error.message})
        return Plan(wanted=told, events=(EventNote("Warning", "MixFailed", error.message),))

    async def act(self, action: str) -> None:
        self.acted.append(action)
        self.before_write()
        if self.faults:
            raise self.faults.pop(0)


@dataclass
class Studio:
    """A painter at work."""

    painter: Painter
    client: Client
    cache: Cache[ConfigMap]

    async def until(self, name: str, holds: Callable[[dict[str, str]], bool]) -> None:
        with anyio.fail_after(5):
            async with self.cache.changes() as changes:
                while True:
                    found = self.cache.get("ns", name)
                    if found is not None and holds(found.data or {}):
                        return
                    await anext(changes)


@asynccontextmanager
async def studio(client: Client) -> AsyncIterator[Studio]:
    cache: Cache[ConfigMap] = Cache(MAP)
    queue: WorkQueue[Key] = WorkQueue(SystemClock(), QUICK)
    recorder = EventRecorder(client, SystemClock(), "painter")
    painter = Painter(cache)
    loop = ReconcileLoop(painter, client, cache, queue, recorder, hopeless_seconds=0.01)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(cache.run, client)
        tasks.start_soon(recorder.run)
        await cache.wait_synced()
        with cache.listening(lambda change: queue.add(change.key)):
            tasks.start_soon(loop.run, 2)
            yield Studio(painter, client, cache)
        tasks.cancel_scope.cancel()


def blue(data: dict[str, str]) -> bool:
    return data.get("color") == "blue"


def writes(server: SmallServer) -> list[str]:
    return [found for found in server.requests if found.startswith("PATCH") and "configmaps" in found]


async def test_what_differs_is_written_once_and_told_once(client: Client, server: SmallServer) -> None:
    async with studio(client) as at_work:
        await client.create(MAP, config_map("a", size="1"), "ns")
        await at_work.until("a", blue)
        await event(server, "Painted")
        assert at_work.painter.acted == ["mix"]
    assert len(writes(server)) == 1
    assert server.objects["/api/v1/namespaces/ns/configmaps/a"]["data"] == {"size": "1", "color": "blue"}


async def event(server: SmallServer, reason: str) -> dict[str, Any]:
    with anyio.fail_after(5):
        while True:
            for path, found in server.objects.items():
                if "/events/" in path and found["reason"] == reason:
                    return found
            await anyio.sleep(0.005)


async def test_an_action_that_is_refused_is_told_and_tried_again(
    client: Client, server: SmallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with studio(client) as at_work:
        at_work.painter.faults.append(Invalid("no pigment"))
        await client.create(MAP, config_map("a"), "ns")
        await at_work.until("a", lambda data: data.get("problem") == "no pigment")
        assert (await event(server, "MixFailed"))["type"] == "Warning"
        await at_work.until("a", blue)


async def test_an_action_that_met_old_knowledge_is_only_tried_again(
    client: Client, server: SmallServer
) -> None:
    async with studio(client) as at_work:
        at_work.painter.faults.append(Conflict("changed"))
        await client.create(MAP, config_map("a"), "ns")
        await at_work.until("a", blue)
    assert server.objects["/api/v1/namespaces/ns/configmaps/a"]["data"] == {"color": "blue"}


async def test_a_bug_in_one_object_does_not_stop_the_others(client: Client, server: SmallServer) -> None:
    async with studio(client) as at_work:
        at_work.painter.faults.append(ZeroDivisionError())
        await client.create(MAP, config_map("a"), "ns")
        await client.create(MAP, config_map("b"), "ns")
        await at_work.until("b", blue)
        await at_work.until("a", blue)


async def test_a_server_that_refuses_for_a_while_is_asked_again(client: Client, server: SmallServer) -> None:
    async with studio(client) as at_work:
        at_work.painter.before_write = lambda: server.answers.append(
            status(429, "TooManyRequests", retryAfterSeconds=0.01)
        )
        await client.create(MAP, config_map("a"), "ns")
        await refused_twice(server)
        at_work.painter.before_write = lambda: None
        await at_work.until("a", blue)


async def refused_twice(server: SmallServer) -> None:
    with anyio.fail_after(5):
        while True:
            if len(writes(server)) >= 2:
                return
            await anyio.sleep(0.005)


async def test_what_an_action_outdated_is_not_written_but_looked_at_again(
    client: Client, server: SmallServer
) -> None:
    """The action itself changes the object: the status decided before it would be a write for nothing."""
    async with studio(client) as at_work:
        repainted = replace(config_map("a", color="blue"), metadata=ObjectMeta(name="a", namespace="ns"))

        def paint_elsewhere() -> None:
            newer = replace(repainted.metadata, resource_version="9999", uid="u")
            at_work.cache.absorb(replace(repainted, metadata=newer))

        at_work.painter.before_write = paint_elsewhere
        await client.create(MAP, config_map("a"), "ns")
        await at_work.until("a", blue)
        await event(server, "Painted")
        assert at_work.painter.looks == 2
    assert writes(server) == []
