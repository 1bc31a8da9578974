"""The public app: sessions and login, the console's pages, the façade, its documentation, and consoles."""

from fastapi import FastAPI
from starlette.requests import Request

from virtdeck import __version__
from virtdeck.gateway.auth.cookies import cookie_name
from virtdeck.gateway.auth.headers import landing, with_security_headers
from virtdeck.gateway.context import Context
from virtdeck.gateway.errors import ErrorAnswers, ErrorPage
from virtdeck.gateway.health import health_router
from virtdeck.serving.asgi import App, Receive, Scope, Send


def make_api(context: Context, error_page: ErrorPage) -> FastAPI:
    """An app that answers every error with a page or a Status; pages and other routes are added to it."""
    api = FastAPI(
        title="virtdeck",
        version=__version__,
        docs_url=None,  # FastAPI's page loads scripts from a CDN; gateway.facade serves our own
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    api.state.gatekeeper = context.gatekeeper
    ErrorAnswers(error_page).add_to(api)
    api.include_router(health_router(context))
    return api


def public_app(context: Context, api: App, websockets: App) -> App:
    """Everything that browsers and programs may ask for. websockets: takes all WebSocket requests."""
    dispatched = _dispatch(context, api, websockets)
    return with_security_headers(landing(dispatched, cookie_name(context.settings)), context.settings.secure)


def _dispatch(context: Context, http: App, websockets: App) -> App:
    """HTTP here, WebSockets there; the session that a browser uses is noted as used and logged."""

    async def dispatched(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await websockets(scope, receive, send)
            return
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            session = context.gatekeeper.session_of(Request(scope))
            if session is not None:
                scope.setdefault("state", {})["user"] = session.user.name
                await context.sessions.touch(session)
        await http(scope, receive, send)

    return dispatched
