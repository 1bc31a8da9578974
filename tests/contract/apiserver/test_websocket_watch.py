"""Watches over WebSockets."""

import json

import pytest
from tests.contract.apiserver.running import Api
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect


def connected(api: Api, path: str) -> ClientConnection:
    return connect(f"wss://localhost:{api.port}{path}", ssl=api.context, open_timeout=10)


def test_events_come_as_frames(api: Api, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "m"}, "data": {"k": "1"}})
    query = "?watch=1&fieldSelector=metadata.name%3Dm"
    with connected(api, configmaps + query) as socket:
        first = json.loads(socket.recv(10))
        api.patch(f"{configmaps}/m", {"data": {"k": "2"}})
        second = json.loads(socket.recv(10))
        api.delete(f"{configmaps}/m")
        third = json.loads(socket.recv(10))
    assert [one["type"] for one in (first, second, third)] == ["ADDED", "MODIFIED", "DELETED"]
    assert second["object"]["data"] == {"k": "2"}


def test_watch_ends_with_a_close(api: Api, configmaps: str) -> None:
    with connected(api, f"{configmaps}?watch=1&timeoutSeconds=1") as socket:
        assert all(json.loads(frame)["type"] == "ADDED" for frame in socket)
        assert socket.close_code == 1000


@pytest.mark.parametrize(("query", "code"), [("?watch=1&labelSelector=%3D%3D", 400), ("", 404)])
def test_what_cannot_be_watched_is_refused(api: Api, configmaps: str, query: str, code: int) -> None:
    with pytest.raises(InvalidStatus) as caught:
        connected(api, configmaps + query)
    assert caught.value.response.status_code == code
