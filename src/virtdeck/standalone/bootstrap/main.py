"""Reads the objects of the installation, and writes what differs."""

import http
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import msgspec
import structlog

from virtdeck.basis.errors import HostFault, Unready
from virtdeck.crds.kinds import find_kind
from virtdeck.install import Gateway, installation, node_roles
from virtdeck.kube.access import Access
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.paths import collection_path, object_path
from virtdeck.standalone.bootstrap.decide import Create, Object, decide
from virtdeck.standalone.bootstrap.settings import Settings

log = structlog.get_logger()
Standing = dict[str, dict[str, Object]]  # by the path of the collection, then by name
# The API server serves a new kind a moment after its definition was stored.
_SETTLE_SECONDS = 10.0
_ARRIVAL_SECONDS = 60.0


async def install(settings: Settings) -> None:
    """Every object is as the installation wants it. Raises: HostFault naming what could not be written."""
    access: Access = load_kubeconfig(Path(settings.kubeconfig))
    gateway = Gateway(
        ca_bundle=await anyio.Path(settings.component_ca).read_text(),
        url=settings.gateway_url,
        namespace=settings.namespace,
    )
    # Made before the API server is asked: it starts beside this process.
    objects = installation(gateway, node_names=(settings.node_name,), use_emulation=True)
    everything = (*node_roles(), *objects)
    async with open_client(access, "virtdeck-bootstrap") as client:
        await server_ready(client)
        there = await standing(client, everything)
        for wanted in everything:
            if not is_settled(wanted, there):
                await apply(client, wanted)


async def server_ready(client: Client) -> None:
    """The API server serves. Raises: HostFault when it does not within a minute."""
    with anyio.move_on_after(_ARRIVAL_SECONDS):
        while True:
            with suppress(Unready):
                if (await client.request("GET", "/readyz")).status == http.HTTPStatus.OK:
                    return
            await anyio.sleep(0.02)
    raise HostFault("the API server does not serve; its log tells why")


async def standing(client: Client, wanted: Iterable[Object]) -> Standing:
    """What there is of the kinds, by one list each; nothing of those that are not served yet."""
    there: Standing = {}
    for obj in wanted:
        collection = _collection(obj)
        if collection in there:
            continue
        reply = await client.request("GET", collection)
        items = msgspec.json.decode(reply.body)["items"] if reply.status == http.HTTPStatus.OK else ()
        # Lists of Kubernetes' own kinds leave out what each item would repeat.
        named = {"apiVersion": obj["apiVersion"], "kind": obj["kind"]}
        there[collection] = {item["metadata"]["name"]: {**item, **named} for item in items}
    return there


def is_settled(wanted: Object, there: Standing) -> bool:
    """The object is there and needs no write; what it seems to need is decided on the newest, read alone."""
    found = there[_collection(wanted)].get(wanted["metadata"]["name"])
    return found is not None and decide(wanted, found) is None


async def apply(client: Client, wanted: Object) -> None:
    """One object is as wanted."""
    action = decide(wanted, await read(client, wanted))
    if action is None:
        return
    name = f"{wanted['kind']}/{wanted['metadata']['name']}"
    method, path = ("POST", _collection(wanted)) if isinstance(action, Create) else ("PUT", _path(wanted))
    reply = await client.request(method, path, body=action.obj)
    if reply.status >= http.HTTPStatus.BAD_REQUEST:
        raise HostFault(
            f"{name} could not be written ({reply.status}): {reply.body[:500].decode(errors='replace')}"
        )
    log.info("object_written", object=name, action=type(action).__name__)


async def read(client: Client, wanted: Object) -> Object | None:
    """The object as the server has it; waits until the server serves its kind. Raises: HostFault."""
    with anyio.fail_after(_SETTLE_SECONDS):
        while True:
            reply = await client.request("GET", _path(wanted))
            if reply.status == http.HTTPStatus.OK:
                found: Object = msgspec.json.decode(reply.body)
                return found
            if reply.status != http.HTTPStatus.NOT_FOUND:
                raise HostFault(f"GET {_path(wanted)} answered {reply.status}: {reply.body[:500]!r}")
            if b'"details"' in reply.body:
                return None
            await anyio.sleep(0.05)


def _collection(obj: Object) -> str:
    return collection_path(_kind(obj), obj["metadata"].get("namespace"))


def _path(obj: Object) -> str:
    return object_path(_kind(obj), obj["metadata"]["name"], obj["metadata"].get("namespace"))


def _kind(obj: Object) -> Any:
    kind = find_kind(obj["apiVersion"], obj["kind"])
    if kind is None:
        raise HostFault(f"no kind {obj['kind']} in {obj['apiVersion']} is known")
    return kind
