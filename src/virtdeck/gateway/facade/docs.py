"""The documentation: ``/docs`` (Swagger UI, served by ourselves) and ``/openapi.json``."""

import gzip
from collections.abc import Callable
from html import escape
from typing import Any

import orjson
from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from virtdeck.gateway.auth.session import Caller, current_user
from virtdeck.gateway.context import Context
from virtdeck.gateway.facade.openapi import facade_document

# Style attributes are what Swagger UI is made of; scripts still come from us only.
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none';"
    " form-action 'self'; base-uri 'none'; object-src 'none'"
)
_SCRIPT = b"""\
"use strict";
const token = document.querySelector("meta[name=csrf]").content;
SwaggerUIBundle({
  url: document.querySelector("meta[name=openapi]").content,
  dom_id: "#docs",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (token && !request.headers.Authorization) request.headers["X-CSRF-Token"] = token;
    return request;
  },
});
"""
_REVALIDATED = {"Cache-Control": "no-cache"}


def docs_router(
    context: Context, asset: Callable[[str], str], own: Callable[[], dict[str, Any]]
) -> APIRouter:
    """asset: where a static file is served. own: what FastAPI knows of the app's other routes."""
    router = APIRouter(include_in_schema=False)
    made: dict[str, bytes] = {}

    async def docs(request: Request) -> Response:
        session = context.gatekeeper.session_of(request)
        if session is None:
            return RedirectResponse("/login?next=/docs", 303, {"Cache-Control": "no-store"})
        html = _PAGE.format(
            icon=escape(asset("favicon.svg")),
            style=escape(asset("vendor/swagger-ui.css")),
            bundle=escape(asset("vendor/swagger-ui.js")),
            csrf=session.csrf,
        )
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": _POLICY}
        return HTMLResponse(html, 200, headers)

    async def script(_: Request) -> Response:
        return Response(_SCRIPT, 200, _REVALIDATED, "text/javascript; charset=utf-8")

    async def openapi(request: Request, _: Caller = Depends(current_user)) -> Response:  # noqa: B008 (FastAPI's way)
        if "document" not in made:  # kept packed: it is ten times smaller, and rarely asked for
            made["document"] = gzip.compress(orjson.dumps(facade_document(own())), 6, mtime=0)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers = _REVALIDATED | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return Response(made["document"], 200, headers, "application/json")
        return Response(gzip.decompress(made["document"]), 200, _REVALIDATED, "application/json")

    for path, endpoint in (("/docs", docs), ("/docs/start.js", script), ("/openapi.json", openapi)):
        router.add_api_route(path, endpoint, methods=["GET"])
    return router


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csrf" content="{csrf}">
<meta name="openapi" content="/openapi.json">
<title>API · virtdeck</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
<link rel="stylesheet" href="{style}">
</head>
<body>
<div id="docs"></div>
<noscript><p>The documentation as data: <a href="/openapi.json">openapi.json</a></p></noscript>
<script src="{bundle}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
