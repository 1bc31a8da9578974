"""Carries requests for our kinds on to the API server as the user who sent them."""

import re
from collections.abc import AsyncGenerator
from typing import Any, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.gateway.auth.session import Caller, current_user
from virtdeck.gateway.context import Context
from virtdeck.kube.client import Client

_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_PLAIN: Final = re.compile(rb"/apis/(?:kubevirt\.io|subresources\.kubevirt\.io)(?:/[A-Za-z0-9._-]+)*")
_CALL_SECONDS: Final = 45.0
_BODIES: Final = (
    "application/json",
    "application/yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
)
_FRESH: Final = {"Cache-Control": "no-store"}


def facade_router(context: Context) -> APIRouter:
    """The façade's routes; ``facade.openapi`` documents them from the kinds themselves."""
    router = APIRouter(include_in_schema=False)

    async def carry_on(request: Request, caller: Caller = Depends(current_user)) -> Response:  # noqa: B008
        client = context.client_as(caller.user)
        path = _path(request)
        if request.method == "GET" and request.query_params.get("watch") in ("true", "1"):
            answered = _watch(client, path, request)
            code = await anext(answered)
            return StreamingResponse(answered, code, _FRESH, "application/json")
        body = await request.body()
        status, answer = await client.request(
            request.method,
            path,
            query=_query(request),
            body=body or None,
            content_type=_content_type(request),
            deadline_seconds=_CALL_SECONDS,
        )
        media = "image/png" if answer.startswith(b"\x89PNG") else "application/json"
        return Response(answer, status, _FRESH, media)

    for group in ("kubevirt.io", "subresources.kubevirt.io"):
        router.add_api_route(f"/apis/{group}/{{rest:path}}", carry_on, methods=_METHODS)
    return router


def _path(request: Request) -> str:
    """The path as it came; nothing that two readers could read differently. Raises: Absent."""
    raw: bytes = request.scope["raw_path"]
    if not _PLAIN.fullmatch(raw) or b"/.." in raw or b"/./" in raw:
        raise Absent("no such path")
    return raw.decode()


def _query(request: Request) -> dict[str, str]:
    return dict(request.query_params.items())


def _content_type(request: Request) -> str:
    """Raises: Invalid (415)."""
    given = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if given not in _BODIES:
        raise Invalid(
            f"{given} is not understood; send one of {', '.join(_BODIES)}", reason="UnsupportedMediaType"
        )
    return given


async def _watch(client: Client, path: str, request: Request) -> AsyncGenerator[Any, None]:
    """First the status code that the API server answers with, then what it says, piece by piece."""
    options: dict[str, Any] = {"query": _query(request)}
    async with client.open_response("GET", path, **options) as response:
        yield response.status
        async for piece in response.content.iter_any():
            yield piece
