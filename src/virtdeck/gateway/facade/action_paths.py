"""The façade's paths of virt-api's own subresources as OpenAPI, and of discovery."""

from typing import Any

from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.subresources import GROUP, VERSIONS, WEBSOCKET_PROTOCOL
from virtdeck.gateway.facade import parts
from virtdeck.gateway.facade.parts import Document
from virtdeck.gateway.subresources.routes import ROUTES, Route

_DONE: Document = {"description": "Done; nothing is sent back"}


def action_paths() -> Document:
    """Every subresource in every version."""
    paths: Document = {}
    for version in VERSIONS:
        for route in ROUTES:
            paths[route.path(version)] = {
                "parameters": parts.named(*_path_parameters(route)),
                route.sub.method.lower(): _operation(route, version),
            }
    return paths


def discovery_paths() -> Document:
    """Which groups, versions and resources there are."""
    versions = {(kind.group, version) for kind in CUSTOM for version in (kind.version, *kind.older_versions)}
    versions |= {(GROUP, version) for version in VERSIONS}
    paths: Document = {}
    for group in sorted({group for group, _ in versions}):
        paths[f"/apis/{group}"] = _discovery(f"The versions of {group}", "APIGroup")
    for group, version in sorted(versions):
        paths[f"/apis/{group}/{version}"] = _discovery(
            f"The resources of {group}/{version}", "APIResourceList"
        )
    return paths


def _discovery(summary: str, answer: str) -> Document:
    answers = parts.responses(_200=parts.response("All of them", answer))
    return {"get": {"summary": summary, "tags": ["Discovery"], "responses": answers}}


def _operation(route: Route, version: str) -> Document:
    service, tag = route.service, route.sub.resource or GROUP
    operation: Document = {
        "summary": service.summary,
        "tags": [f"{tag}: actions" if route.sub.resource else tag],
        "responses": parts.responses(**{f"_{service.code}": _answer(route)}),
    }
    if service.body:
        operation["requestBody"] = parts.body(service.body, required=False)
    if route.sub.websocket:
        protocol = f"A WebSocket with the subprotocol {WEBSOCKET_PROTOCOL} and binary frames."
        operation["description"] = protocol
    return operation | ({"deprecated": True} if version != VERSIONS[0] else {})


def _answer(route: Route) -> dict[str, Any]:
    answer = route.service.answer
    if answer == "image/png":
        return {"description": "A picture", "content": {answer: {"schema": {}}}}
    if route.sub.websocket:
        return {"description": "The connection is a WebSocket from here on"}
    return parts.response(route.service.summary, answer) if answer else _DONE


def _path_parameters(route: Route) -> list[str]:
    names = (["namespace"] if route.namespaced else []) + (["name"] if route.sub.resource else [])
    return [*names, *route.sub.parameters]
