"""Answers the paths of discovery."""

from hashlib import sha256
from typing import Any

import anyio
import orjson

from virtdeck.basis.errors import Lost
from virtdeck.standalone.apiserver.access.identity import SELF
from virtdeck.standalone.apiserver.aggregation.identity_headers import identity_headers
from virtdeck.standalone.apiserver.discovery import groups
from virtdeck.standalone.apiserver.problems import no_such_path
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.requests.negotiation import wants_discovery
from virtdeck.standalone.apiserver.resources.registry import Delegate
from virtdeck.standalone.apiserver.service import Service

Obj = dict[str, Any]

_LIST = "APIGroupDiscoveryList"
_DELEGATE_SECONDS = 3.0  # an aggregated server that is slower than this is stale
_MOST_BYTES = 1024 * 1024


async def discover(call: Call, service: Service) -> Reply:
    """What /api and /apis and the paths below them answer. Raises: StatusError 404."""
    form = wants_discovery(call.headers.get("accept", ""), _LIST)
    match call.target.parts:
        case ("api",):
            if form:
                return _aggregated(
                    call, [("", [("v1", groups.resource_list(service.registry, "", "v1"))])], form
                )
            return Reply(groups.core_versions(service.settings.bind))
        case ("apis",):
            if form:
                return _aggregated(call, await _all_groups(service), form)
            return Reply(groups.group_list(service.registry))
        case ("api", version):
            found = groups.resource_list(service.registry, "", version)
        case ("apis", group):
            found = groups.group_of(service.registry, group)
        case ("apis", group, version):
            found = groups.resource_list(service.registry, group, version)
        case _:
            found = None
    if found is None and call.target.parts[0] == "apis":
        return Reply(b"404 page not found\n", 404, "text/plain; charset=utf-8")
    if found is None:
        raise no_such_path()
    return Reply(found)


def _aggregated(call: Call, found: Any, form: str) -> Reply:
    body = orjson.dumps(groups.aggregated(found, form))
    etag = f'"{sha256(body).hexdigest().upper()}"'
    media = f"application/json;g=apidiscovery.k8s.io;v={form};as={_LIST}"
    headers = (("ETag", etag), ("Vary", "Accept"))
    if call.headers.get("if-none-match") == etag:
        return Reply(b"", 304, media, headers)
    return Reply(body, 200, media, headers)


async def _all_groups(service: Service) -> list[tuple[str, list[tuple[str, Obj | None]]]]:
    answers: dict[str, Obj | None] = {}

    async def ask(delegate: Delegate) -> None:
        answers[delegate.name] = await _ask_delegate(service, delegate)

    async with anyio.create_task_group() as group:
        for delegate in service.registry.delegates():
            group.start_soon(ask, delegate)
    found = []
    for name in groups.group_names(service.registry):
        versions: list[tuple[str, Obj | None]] = []
        for version in groups.versions_of(service.registry, name):
            if service.registry.delegate(name, version):
                versions.append((version, answers.get(f"{version}.{name}")))
            else:
                versions.append((version, groups.resource_list(service.registry, name, version)))
        found.append((name, versions))
    return found


async def _ask_delegate(service: Service, delegate: Delegate) -> Obj | None:
    """The APIResourceList of an aggregated server; None if it does not answer properly."""
    path = f"/apis/{delegate.group}/{delegate.version}"
    try:
        with anyio.fail_after(_DELEGATE_SECONDS):
            endpoint = service.upstreams.delegate(delegate)
            headers = [
                ("host", f"{endpoint.server_name}"),
                ("accept", "application/json"),
                *identity_headers(SELF),
            ]
            async with service.upstreams.client.request(endpoint, "GET", path, headers) as answer:
                body = b"".join([piece async for piece in answer.body()])
                if answer.status != 200 or len(body) > _MOST_BYTES:
                    return None
                found: Obj = orjson.loads(body)
                return found
    except (Lost, TimeoutError, ValueError):
        return None
