"""The public app: sessions and login, the console's pages, the façade, its documentation, and consoles."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from virtdeck import __version__
from virtdeck.basis.errors import Bug, Cause, Invalid, VirtdeckError
from virtdeck.gateway.auth.cookies import cookie_name
from virtdeck.gateway.auth.headers import landing, with_security_headers
from virtdeck.gateway.context import Context
from virtdeck.gateway.health import health_router
from virtdeck.serving.asgi import App, Receive, Scope, Send
from virtdeck.serving.status import encode_status, retry_after_header, status, status_of


def make_api(context: Context) -> FastAPI:
    """An app that answers every error with a Status; pages and other routes are added to it."""
    api = FastAPI(
        title="virtdeck",
        version=__version__,
        docs_url=None,  # FastAPI's page loads scripts from a CDN; gateway.facade serves our own
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    api.state.gatekeeper = context.gatekeeper
    api.add_exception_handler(VirtdeckError, _answer_error)
    api.add_exception_handler(HTTPException, _answer_http)
    api.add_exception_handler(RequestValidationError, _answer_validation)
    api.add_exception_handler(Exception, _answer_fault)
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


async def _answer_error(_: Request, error: Exception) -> Response:
    if not isinstance(error, VirtdeckError) or isinstance(error, Bug):
        raise error
    return _response(status_of(error))


async def _answer_fault(_: Request, error: Exception) -> Response:
    """Something broke. Starlette raises the error again afterwards, and ``serving.edge`` logs it."""
    return _response(status_of(Bug(str(error))))


async def _answer_http(_: Request, error: Exception) -> Response:
    """What Starlette itself refuses: no such path, no such method."""
    if not isinstance(error, HTTPException):
        raise error
    message = str(error.detail) if error.detail else HTTPStatus(error.status_code).phrase
    answer = _response(status(error.status_code, message))
    answer.headers.update(error.headers or {})
    return answer


async def _answer_validation(_: Request, error: Exception) -> Response:
    """A body or parameter that does not fit its model, each fault with its field."""
    if not isinstance(error, RequestValidationError):
        raise error
    causes = tuple(
        Cause(".".join(str(part) for part in fault["loc"][1:]), str(fault["msg"])) for fault in error.errors()
    )
    text = ", ".join(f"{cause.field}: {cause.message}" for cause in causes[:10])
    return _response(status_of(Invalid(text, causes=causes or (Cause("", "is not valid"),))))


def _response(answer: dict[str, Any]) -> Response:
    headers = {name.decode(): value.decode() for name, value in retry_after_header(answer)}
    return Response(encode_status(answer), answer["code"], headers, "application/json")
