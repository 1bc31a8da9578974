"""Whether virt-api lives, and whether it can do its work."""

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from virtdeck.gateway.context import Context


def health_problem(context: Context) -> str:
    """Why virt-api cannot do its work now; empty when it can."""
    waiting = [cache.kind.plural for cache in context.caches.all() if not cache.synced]
    if waiting:
        return f"not yet listed from the API server: {', '.join(waiting)}"
    if not context.sessions.cache.synced:
        return "sessions are not yet listed from the API server"
    return ""


def health_router(context: Context) -> APIRouter:
    """``/healthz``: the process serves. ``/readyz``: it has seen the API server's objects as well."""
    router = APIRouter(include_in_schema=False)

    async def healthz() -> Response:
        return PlainTextResponse("ok\n")

    async def readyz() -> Response:
        problem = health_problem(context)
        return PlainTextResponse(f"{problem or 'ok'}\n", 503 if problem else 200)

    router.add_api_route("/healthz", healthz, methods=["GET"])
    router.add_api_route("/readyz", readyz, methods=["GET"])
    return router
