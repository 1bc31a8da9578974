"""The façade's paths of our kinds as OpenAPI: what ``crds.routes`` serves, with its types."""

from collections.abc import Callable, Iterator
from typing import Any

from virtdeck.crds.kinds import Kind
from virtdeck.crds.routes import KindRoute, kind_routes
from virtdeck.gateway.facade import parts
from virtdeck.gateway.facade.parts import Document


def kind_paths() -> Document:
    """Every path of every kind in every version."""
    paths: Document = {}
    for route in kind_routes():
        item = paths.setdefault(route.path, {"parameters": parts.named(*_path_parameters(route))})
        item[route.method.lower()] = _operation(route)
    return paths


def list_schemas(kinds: tuple[Kind[Any], ...]) -> Document:
    """The lists of kinds. Shape: name → schema."""
    return {kind.list_kind: _list_schema(kind) for kind in kinds}


def _operation(route: KindRoute) -> Document:
    what, queries, change = _OPERATIONS[route.verb]
    subject = f"the {route.subresource} of a {route.kind.kind}" if route.subresource else route.kind.kind
    everywhere = " of every namespace" if route.place == "everywhere" else ""
    operation: Document = {
        "summary": f"{what} {subject}{everywhere}",
        "tags": [route.kind.kind],
        "operationId": _operation_id(route),
        "parameters": parts.named(*queries),
        **change(route),
    }
    older = route.version != route.kind.version
    return operation | ({"deprecated": True} if older or route.kind.deprecation else {})


def _operation_id(route: KindRoute) -> str:
    place = "Everywhere" if route.place == "everywhere" else ""
    part = route.subresource.capitalize()
    group = "".join(word.capitalize() for word in route.kind.group.split("."))
    return f"{route.verb}{group}{route.version.capitalize()}{route.kind.kind}{part}{place}"


def _path_parameters(route: KindRoute) -> Iterator[str]:
    for name in ("namespace", "name"):
        if f"{{{name}}}" in route.path:
            yield name


def _type(route: KindRoute) -> str:
    return "Scale" if route.subresource == "scale" else route.kind.kind


def _get(route: KindRoute) -> Document:
    return {"responses": parts.responses(_200=parts.response("The object", _type(route)))}


def _list(route: KindRoute) -> Document:
    answer = parts.response("The objects", route.kind.list_kind)
    answer["content"]["application/json;stream=watch"] = {"schema": parts.refer("WatchEvent")}
    return {"responses": parts.responses(_200=answer)}


def _create(route: KindRoute) -> Document:
    answers = parts.responses(_201=parts.response("The object as it is kept", _type(route)))
    return {"requestBody": parts.body(_type(route)), "responses": answers}


def _replace(route: KindRoute) -> Document:
    answers = parts.responses(
        _200=parts.response("The object as it is kept", _type(route)),
        _201=parts.response("The object, which was not there before", _type(route)),
    )
    return {"requestBody": parts.body(_type(route)), "responses": answers}


def _patch(route: KindRoute) -> Document:
    answers = parts.responses(
        _200=parts.response("The object as it is kept", _type(route)),
        _201=parts.response("The object, which was applied for the first time", _type(route)),
    )
    return {"requestBody": parts.patch_body(_type(route)), "responses": answers}


def _delete(route: KindRoute) -> Document:
    answers = parts.responses(
        _200=parts.response("It is gone, or this is what it waits as", "Status", _type(route)),
        _202=parts.response("It will go", "Status", _type(route)),
    )
    return {"requestBody": parts.body("DeleteOptions", required=False), "responses": answers}


def _sweep(route: KindRoute) -> Document:
    answers = parts.responses(_200=parts.response("What was deleted", "Status", route.kind.list_kind))
    return {"requestBody": parts.body("DeleteOptions", required=False), "responses": answers}


_OPERATIONS: dict[str, tuple[str, tuple[str, ...], Callable[[KindRoute], Document]]] = {
    "get": ("Read", parts.READING, _get),
    "list": ("List or watch each", parts.LISTING, _list),
    "create": ("Create a", parts.WRITING, _create),
    "update": ("Replace", parts.WRITING, _replace),
    "patch": ("Change", parts.PATCHING, _patch),
    "delete": ("Delete", parts.DELETING, _delete),
    "deletecollection": ("Delete each", parts.SWEEPING, _sweep),
}


def _list_schema(kind: Kind[Any]) -> Document:
    return {
        "type": "object",
        "description": f"Objects of the kind {kind.kind}.",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string", "enum": [kind.list_kind]},
            "metadata": parts.refer("ListMeta"),
            "items": {"type": "array", "items": parts.refer(kind.kind)},
        },
        "required": ["apiVersion", "kind", "metadata", "items"],
    }
