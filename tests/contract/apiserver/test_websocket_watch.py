"""Watches over WebSockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from tests.contract.apiserver.running import Api

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def connected(api: Api, path: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"wss://localhost:{api.port}{path}", ssl=api.context) as socket,
    ):
        yield socket


async def test_events_come_as_frames(api: Api, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "m"}, "data": {"k": "1"}})
    found: list[Any] = []
    async with connected(api, f"{configmaps}?watch=1&fieldSelector=metadata.name%3Dm") as socket:
        found.append(await socket.receive_json(timeout=10))
        api.patch(f"{configmaps}/m", {"data": {"k": "2"}})
        found.append(await socket.receive_json(timeout=10))
        api.delete(f"{configmaps}/m")
        found.append(await socket.receive_json(timeout=10))
    assert [one["type"] for one in found] == ["ADDED", "MODIFIED", "DELETED"]
    assert found[1]["object"]["data"] == {"k": "2"}


async def test_watch_ends_with_a_close(api: Api, configmaps: str) -> None:
    async with connected(api, f"{configmaps}?watch=1&timeoutSeconds=1") as socket:
        assert [message.json()["type"] async for message in socket] == ["ADDED"]  # kube-root-ca.crt
        assert socket.close_code == 1000


@pytest.mark.parametrize(("query", "code"), [("?watch=1&labelSelector=%3D%3D", 400), ("", 404)])
async def test_what_cannot_be_watched_is_refused(api: Api, configmaps: str, query: str, code: int) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        async with connected(api, configmaps + query):
            raise AssertionError("it was accepted")
    assert caught.value.status == code
