"""Carries requests for our kinds on to the API server as the user who sent them."""

import re
from collections.abc import AsyncGenerator
from typing import Any, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from virtdeck.basis.errors import Absent, Invalid, VirtdeckError
from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.routes import routes_at
from virtdeck.crds.subresources import GROUP
from virtdeck.gateway.auth.session import Caller, current_user
from virtdeck.gateway.context import Context
from virtdeck.gateway.subresources.paths import match
from virtdeck.kube.client import Client

_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_PLAIN: Final = re.compile(rb"/apis/[a-z.]+(?:/[A-Za-z0-9._-]+)*")
_STREAM: Final = "application/json;stream=watch"
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
            return StreamingResponse(answered, code, _FRESH, _STREAM if code == 200 else "application/json")
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

    for group in sorted({kind.group for kind in CUSTOM} | {GROUP}):
        for path in (f"/apis/{group}", f"/apis/{group}/{{rest:path}}"):
            router.add_api_route(path, carry_on, methods=_METHODS)
    return router


def _path(request: Request) -> str:
    """The path as it came, if something is served there; nothing that two readers could read differently.

    Raises: Absent, or 405 for another method.
    """
    raw: bytes = request.scope["raw_path"]
    if not _PLAIN.fullmatch(raw) or b"/.." in raw or b"/./" in raw:
        raise Absent("no such path")
    path = raw.decode()
    if path.startswith(f"/apis/{GROUP}/") and path.count("/") > 3:
        match(request.method, raw)
        return path
    methods = {"GET"} if path.count("/") < 4 else routes_at(path).keys()
    if not methods:
        raise Absent("no such path")
    if request.method not in methods:
        raise VirtdeckError(f"this path answers {', '.join(methods)} only", reason="MethodNotAllowed")
    return path


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
