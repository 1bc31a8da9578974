"""The client speaks the API's protocol."""

import anyio
import pytest
from aiohttp import web
from tests.contract.kube.server import SmallServer, status

from virtdeck.basis.errors import Absent, Bug, Conflict, Invalid, Unready
from virtdeck.crds import kinds
from virtdeck.crds.core.config import ConfigMap
from virtdeck.crds.meta import ObjectMeta
from virtdeck.kube.access import Access
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio
MAP = kinds.CONFIG_MAP


def config_map(name: str, **data: str) -> ConfigMap:
    return ConfigMap(api_version="v1", kind="ConfigMap", metadata=ObjectMeta(name=name), data=data or None)


async def test_what_was_created_can_be_read_patched_and_deleted(client: Client) -> None:
    created = await client.create(MAP, config_map("a", x="1"), "ns")
    assert (created.metadata.namespace, created.data) == ("ns", {"x": "1"})
    patched = await client.merge_patch(MAP, "a", "ns", {"data": {"x": None, "y": "2"}})
    assert patched.data == {"y": "2"}
    assert (await client.require(MAP, "a", "ns")).data == {"y": "2"}
    await client.delete(MAP, "a", "ns", uid=patched.metadata.uid)
    assert await client.get(MAP, "a", "ns") is None


async def test_a_missing_object_is_none_for_get_and_an_error_for_require(client: Client) -> None:
    assert await client.get(MAP, "none", "ns") is None
    with pytest.raises(Absent):
        await client.require(MAP, "none", "ns")


async def test_an_object_is_not_deleted_when_it_is_another_one_by_that_name(client: Client) -> None:
    await client.create(MAP, config_map("a"), "ns")
    with pytest.raises(Conflict):
        await client.delete(MAP, "a", "ns", uid="former")


async def test_a_list_is_read_page_by_page(client: Client, server: SmallServer) -> None:
    server.page = 2
    for name in "abcde":
        await client.create(MAP, config_map(name), "ns")
    listing = await client.list(MAP, "ns")
    assert [obj.metadata.name for obj in listing] == list("abcde")
    assert listing.resource_version == "105"
    assert server.requests.count("GET /api/v1/namespaces/ns/configmaps") == 3


async def test_raw_kinds_keep_fields_that_no_type_knows(client: Client) -> None:
    obj = {"metadata": {"name": "a"}, "future": {"field": 1}}
    created = await client.create(raw(MAP), obj, "ns")
    assert created["future"] == {"field": 1}


async def test_an_impersonating_client_says_for_whom_it_acts(client: Client, server: SmallServer) -> None:
    user = client.as_user("ann", ["dev", "ops"], {"example.org/scope": ["a", "b"]})
    await user.get(MAP, "a", "ns")
    headers = server.headers[-1]
    assert headers["Impersonate-User"] == ["ann"]
    assert headers["Impersonate-Group"] == ["dev", "ops"]
    assert headers["Impersonate-Extra-example.org%2Fscope"] == ["a", "b"]
    assert headers["Authorization"] == ["Bearer secret"]
    await client.get(MAP, "a", "ns")
    assert "Impersonate-User" not in server.headers[-1]


async def test_a_refusal_keeps_its_causes(client: Client, server: SmallServer) -> None:
    server.answers.append(status(422, "Invalid", "bad", causes=[{"field": "data.x", "message": "no"}]))
    with pytest.raises(Invalid) as caught:
        await client.create(MAP, config_map("a"), "ns")
    assert caught.value.causes[0].field == "data.x"


async def test_a_request_gives_the_servers_own_answer_even_when_it_is_an_error(client: Client) -> None:
    code, body = await client.request("GET", "/api/v1/namespaces/ns/configmaps/none")
    assert code == 404
    assert b"NotFound" in body


async def test_an_answer_that_stays_out_is_unready(client: Client, server: SmallServer) -> None:
    stalled = anyio.Event()

    async def stall(request: web.Request) -> web.Response:
        await stalled.wait()
        return web.Response()

    server.handle = stall  # type: ignore[method-assign]
    await client.request("GET", "/")  # the route was bound before: this one still answers
    with pytest.raises(Unready, match="in time"):
        await client.request("GET", "/api/v1/namespaces/ns/configmaps?watch=1", deadline_seconds=0.05)


async def test_a_server_that_is_not_there_is_unready() -> None:
    async with open_client(Access(server="http://127.0.0.1:1")) as client:
        with pytest.raises(Unready, match="cannot be reached") as caught:
            await client.get(MAP, "a", "ns")
    assert caught.value.reason == "ApiServerUnreachable"


async def test_a_name_cannot_leave_its_place_in_the_path(client: Client, server: SmallServer) -> None:
    await client.get(MAP, "../secrets/x", "ns")
    assert server.requests[-1] == "GET /api/v1/namespaces/ns/configmaps/../secrets/x"
    with pytest.raises(Bug):
        await client.get(MAP, "", "ns")


async def test_an_unreadable_object_does_not_hide_the_others(client: Client, server: SmallServer) -> None:
    await client.create(MAP, config_map("good"), "ns")
    await server.create("/api/v1/namespaces/ns/configmaps", {"metadata": {"name": "odd"}, "data": [1]})
    assert [obj.metadata.name for obj in await client.list(MAP, "ns")] == ["good"]
