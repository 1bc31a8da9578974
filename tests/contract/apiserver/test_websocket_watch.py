"""Watches over WebSockets."""

import json
from typing import Any

import anyio
import pytest
from tests.contract.apiserver.running import Api
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

pytestmark = pytest.mark.anyio


def connected(api: Api, path: str) -> connect:
    return connect(f"wss://localhost:{api.port}{path}", ssl=api.context, open_timeout=10)


async def event(socket: ClientConnection) -> Any:
    with anyio.fail_after(10):
        return json.loads(await socket.recv())


async def test_events_come_as_frames(api: Api, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "m"}, "data": {"k": "1"}})
    async with connected(api, f"{configmaps}?watch=1&fieldSelector=metadata.name%3Dm") as socket:
        found = [await event(socket)]
        api.patch(f"{configmaps}/m", {"data": {"k": "2"}})
        found.append(await event(socket))
        api.delete(f"{configmaps}/m")
        found.append(await event(socket))
    assert [one["type"] for one in found] == ["ADDED", "MODIFIED", "DELETED"]
    assert found[1]["object"]["data"] == {"k": "2"}


async def test_watch_ends_with_a_close(api: Api, configmaps: str) -> None:
    async with connected(api, f"{configmaps}?watch=1&timeoutSeconds=1") as socket:
        assert [json.loads(frame)["type"] async for frame in socket] == ["ADDED"]  # kube-root-ca.crt
    assert socket.close_code == 1000


@pytest.mark.parametrize(("query", "code"), [("?watch=1&labelSelector=%3D%3D", 400), ("", 404)])
async def test_what_cannot_be_watched_is_refused(api: Api, configmaps: str, query: str, code: int) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with connected(api, configmaps + query):
            raise AssertionError("it was accepted")
    assert caught.value.response.status_code == code
