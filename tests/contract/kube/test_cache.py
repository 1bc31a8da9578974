"""A cache shows what the server has, whatever happens to its watch."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from aiohttp import web
from tests.contract.kube.server import SmallServer, serve, status
from tests.contract.kube.test_client import MAP, config_map

from virtdeck.crds.core.config import ConfigMap
from virtdeck.kube.access import Access
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.snapshot import Change

pytestmark = pytest.mark.anyio
LIST = "GET /api/v1/configmaps"


def by_color(obj: ConfigMap) -> list[str]:
    return [(obj.metadata.labels or {}).get("color", "none")]


@asynccontextmanager
async def running(client: Client, cache: Cache[ConfigMap]) -> AsyncIterator[Cache[ConfigMap]]:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(cache.run, client)
        with anyio.fail_after(5):
            await cache.wait_synced()
        yield cache
        tasks.cancel_scope.cancel()


async def until(cache: Cache[ConfigMap], holds: Callable[[], bool]) -> None:
    with anyio.fail_after(5):
        async with cache.changes() as changes:
            if holds():
                return
            async for _ in changes:
                if holds():
                    return


def names(cache: Cache[ConfigMap]) -> set[str]:
    return {obj.metadata.name or "" for obj in cache.all()}


@pytest.fixture
def cache() -> Cache[ConfigMap]:
    return Cache(MAP, indexes={"color": by_color})


async def test_the_first_list_and_later_changes_are_shown(
    client: Client, server: SmallServer, cache: Cache[ConfigMap]
) -> None:
    await client.create(MAP, config_map("a"), "ns")
    async with running(client, cache):
        assert names(cache) == {"a"}
        await client.create(MAP, config_map("b"), "ns")
        await until(cache, lambda: names(cache) == {"a", "b"})
        await client.merge_patch(MAP, "b", "ns", {"metadata": {"labels": {"color": "red"}}})
        await until(cache, lambda: len(cache.find("color", "red")) == 1)
        await client.delete(MAP, "a", "ns")
        await until(cache, lambda: names(cache) == {"b"})
        assert cache.find("color", "none") == []


async def test_a_cut_watch_resumes_without_a_new_list(
    client: Client, server: SmallServer, cache: Cache[ConfigMap]
) -> None:
    async with running(client, cache):
        await server.cut_watches()
        await client.create(MAP, config_map("a"), "ns")
        await until(cache, lambda: names(cache) == {"a"})
    lists = [request for request in server.requests if request == LIST]
    assert len(lists) >= 2
    assert [change for _, change, *_ in server.history] == ["ADDED"]


async def test_an_expired_version_lists_again_and_tells_the_difference(
    server: SmallServer, cache: Cache[ConfigMap]
) -> None:
    seen: list[Change[ConfigMap]] = []
    async with serve(server) as address, open_client(Access(server=address)) as client:
        for name in ("kept", "gone"):
            await client.create(MAP, config_map(name), "ns")
        async with running(client, cache):
            with cache.listening(seen.append):
                del server.objects["/api/v1/namespaces/ns/configmaps/gone"]
                await client.create(MAP, config_map("new"), "ns")
                await server.forget()
                server.answers.append(status(410, "Expired"))
                await server.cut_watches()
                await until(cache, lambda: names(cache) == {"kept", "new"})
    assert {(change.key.name, change.new is None) for change in seen} == {("new", False), ("gone", True)}


async def test_a_bookmark_moves_the_version_on(
    client: Client, server: SmallServer, cache: Cache[ConfigMap]
) -> None:
    server.bookmark = True
    async with running(client, cache):
        await client.create(MAP, config_map("a"), "ns")
        await until(cache, lambda: cache.resource_version == "101")
    assert names(cache) == {"a"}


async def test_a_server_that_restarts_is_followed_again(server: SmallServer, cache: Cache[ConfigMap]) -> None:
    async with serve(server) as address:
        pass
    port = int(address.rsplit(":", 1)[1])
    async with open_client(Access(server=address)) as client:
        async with serve(server, port=port), running(client, cache):
            pass
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(cache.run, client)
            async with serve(server, port=port):
                await client.create(MAP, config_map("a"), "ns")
                await until(cache, lambda: names(cache) == {"a"})
                tasks.cancel_scope.cancel()


async def test_an_own_write_is_seen_before_the_watch_tells_of_it(
    client: Client, cache: Cache[ConfigMap]
) -> None:
    created = await client.create(MAP, config_map("a"), "ns")
    cache.absorb(created)
    assert cache.get("ns", "a") == created


async def test_what_is_not_kept_is_not_stored(client: Client) -> None:
    cache = Cache(MAP, keep=lambda obj: config_map(obj.metadata.name or ""))
    await client.create(MAP, config_map("a", big="x" * 100_000), "ns")

    def cut(obj: ConfigMap) -> ConfigMap:
        return ConfigMap(metadata=obj.metadata)

    cache = Cache(MAP, keep=cut)
    async with running(client, cache):
        held = cache.get("ns", "a")
        assert held is not None
        assert held.data is None


async def test_an_event_larger_than_a_line_buffer_arrives_whole(
    client: Client, cache: Cache[ConfigMap]
) -> None:
    async with running(client, cache):
        await client.create(MAP, config_map("a", big="x" * 800_000), "ns")
        await until(cache, lambda: names(cache) == {"a"})
        held = cache.get("ns", "a")
        assert held is not None
        assert len((held.data or {})["big"]) == 800_000


async def test_refusals_that_repeat_lead_to_a_new_list(server: SmallServer, cache: Cache[ConfigMap]) -> None:
    async with serve(server) as address, open_client(Access(server=address)) as client:
        async with running(client, cache):
            server.answers += [status(504, "Timeout", "Too large resource version") for _ in range(3)]
            lists = server.requests.count(LIST)
            server.objects.clear()
            await server.cut_watches()
            await client_create_later(server)
            await until(cache, lambda: names(cache) == {"fresh"})
        assert server.requests.count(LIST) >= lists + 4


async def client_create_later(server: SmallServer) -> web.Response:
    return await server.create("/api/v1/namespaces/ns/configmaps", {"metadata": {"name": "fresh"}})


async def test_a_cache_is_connected_only_while_its_watch_is_open(
    server: SmallServer, cache: Cache[ConfigMap]
) -> None:
    async with (
        open_client(Access(server="http://127.0.0.1:1")) as nowhere,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(cache.run, nowhere)
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
            assert not cache.connected
        tasks.cancel_scope.cancel()
    async with (
        serve(server) as address,
        open_client(Access(server=address)) as client,
        running(client, cache),
    ):
        await client.create(MAP, config_map("a"), "ns")
        await until(cache, lambda: names(cache) == {"a"})
        assert cache.connected
