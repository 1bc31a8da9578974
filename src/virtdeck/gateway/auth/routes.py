"""Logging in and out, one's own sessions, one-time links and console tickets."""

import base64
import binascii
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

import anyio
import orjson
from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from virtdeck.basis.errors import Absent, Refused
from virtdeck.gateway.auth.cookies import clear_cookie, set_cookie
from virtdeck.gateway.auth.links import Door, make_link, make_ticket, use_link
from virtdeck.gateway.auth.origin import require_same_origin, safe_next
from virtdeck.gateway.auth.session import Caller, bearer_token, current_user
from virtdeck.gateway.auth.sessions import Session
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context

LoginPage = Callable[[Request, dict[str, Any]], str]

_FRESH = {"Cache-Control": "no-store"}
_LONGEST_CREDENTIAL = 16 * 1024
_STRANGERS_AT_ONCE = 8  # logins under way; each costs the API server a question


class TicketRequest(BaseModel):
    """Which console to open."""

    model_config = ConfigDict(extra="forbid")

    namespace: str = Field(max_length=63)
    name: str = Field(max_length=253)
    kind: Literal["vnc", "console"]


class TicketAnswer(BaseModel):
    """A code for the WebSocket's ``ticket`` parameter, good once and for half a minute."""

    ticket: str
    expiresAt: str  # noqa: N815 (as Kubernetes spells times)


class LinkAnswer(BaseModel):
    """A link that logs its first user in as whoever asked for it."""

    url: str
    expiresAt: str  # noqa: N815 (as Kubernetes spells times)


class SessionAnswer(BaseModel):
    """One of one's own sessions; times as RFC 3339 has them."""

    name: str
    since: str
    lastSeen: str  # noqa: N815 (as Kubernetes spells times)
    ends: str
    agent: str = Field(description="What the browser calls itself.")
    current: bool = Field(description="Whether this request came by it.")


class SessionList(BaseModel):
    """One's own sessions, the newest first."""

    items: list[SessionAnswer]


def auth_router(context: Context, login_page: LoginPage) -> APIRouter:
    """The routes; ``login_page`` renders ``{next, problem, link}``."""
    routes = _Routes(context, login_page)
    router = APIRouter(tags=["login"])
    pages: dict[str, Any] = {"include_in_schema": False}
    router.add_api_route("/login", routes.show, methods=["GET"], **pages)
    router.add_api_route("/login", routes.log_in, methods=["POST"], **pages)
    router.add_api_route("/logout", routes.log_out, methods=["POST"], **pages)
    for method, path, endpoint, summary, code, answer in (
        ("GET", "/auth/sessions", routes.list_sessions, "List one's own sessions", 200, SessionList),
        ("DELETE", "/auth/sessions/{name}", routes.end_session, "End one of one's own sessions", 204, None),
        ("POST", "/auth/login-links", routes.link, "Make a one-time login link", 201, LinkAnswer),
        ("POST", "/ws-tickets", routes.ticket, "Make a ticket for a console", 201, TicketAnswer),
    ):
        router.add_api_route(
            path, endpoint, methods=[method], summary=summary, status_code=code, response_model=answer
        )
    return router


class _Routes:
    def __init__(self, context: Context, login_page: LoginPage) -> None:
        self._context = context
        self._login_page = login_page
        self._strangers = anyio.CapacityLimiter(_STRANGERS_AT_ONCE)

    async def show(self, request: Request) -> Response:
        """The login page; a one-time link is not used up by looking at it."""
        query = request.query_params
        link = query.get("link", "")[:_LONGEST_CREDENTIAL]
        target = safe_next(query.get("next"))
        if not link and self._context.gatekeeper.session_of(request) is not None:
            return RedirectResponse(target, 303, _FRESH)
        return self._page(request, target, link)

    async def log_in(self, request: Request) -> Response:
        """A session for whoever shows a one-time link or a bearer token."""
        require_same_origin("POST", request.headers, self._context.gatekeeper.origin(request))
        async with request.form(max_files=0, max_fields=10, max_part_size=_LONGEST_CREDENTIAL) as form:
            given = {key: value.strip() for key, value in form.items() if isinstance(value, str)}
        target = safe_next(given.get("next"))
        try:
            async with self._strangers:
                user, ends = await self._credential(given.get("link", ""), given.get("token", ""))
        except Refused as fault:
            return self._page(request, target, "", fault.message)
        code, _ = await self._context.sessions.open(user, request.headers.get("user-agent", ""), ends)
        answer = RedirectResponse(target, 303, _FRESH)
        answer.headers["Set-Cookie"] = set_cookie(self._context.settings, code)
        return answer

    async def log_out(self, request: Request) -> Response:
        """The session is over; its consoles close."""
        gatekeeper = self._context.gatekeeper
        session = gatekeeper.session_of(request)
        if session is not None:
            async with request.form(max_files=0, max_fields=10) as form:
                given = form.get("csrf") or request.headers.get("x-csrf-token") or ""
            gatekeeper.check_form(request, str(given))
            await self._context.sessions.end(session.name)
        answer = RedirectResponse("/login", 303, _FRESH)
        answer.headers["Set-Cookie"] = clear_cookie(self._context.settings)
        return answer

    async def list_sessions(self, caller: Caller = Depends(current_user)) -> Response:  # noqa: B008 (FastAPI's way)
        """One's own sessions, the newest first."""
        mine = self._context.sessions.of(caller.user)
        current = caller.session.name if caller.session else ""
        return JSONResponse({"items": [_shown(session, current) for session in mine]}, headers=_FRESH)

    async def end_session(self, name: str, caller: Caller = Depends(current_user)) -> Response:  # noqa: B008
        """One of one's own sessions is over."""
        if all(session.name != name for session in self._context.sessions.of(caller.user)):
            raise Absent("you have no such session")
        await self._context.sessions.end(name)
        return Response(None, 204)

    async def link(self, request: Request) -> Response:
        """A one-time login link for whoever's bearer token this is."""
        token = bearer_token(request)
        if token is None:
            raise Refused(
                "a login link is made for a bearer token or a client certificate", authenticated=False
            )
        async with self._strangers:
            user = await self._context.tokens.user_of(token)
        settings = self._context.settings
        made = await make_link(self._context.vault, user, settings.origin, settings.link_seconds)
        return JSONResponse(made, 201, _FRESH)

    async def ticket(self, wanted: TicketRequest, caller: Caller = Depends(current_user)) -> Response:  # noqa: B008
        """A ticket that opens one console of one VM, once."""
        session = caller.session.name if caller.session else ""
        door = Door(wanted.namespace, wanted.name, wanted.kind, caller.user, session)
        seconds = self._context.settings.ticket_seconds
        return JSONResponse(await make_ticket(self._context.vault, door, seconds), 201, _FRESH)

    async def _credential(self, link: str, token: str) -> tuple[User, datetime | None]:
        if link:
            return await use_link(self._context.vault, link), None
        if token:
            return await self._context.tokens.user_of(token), _token_ends(token)
        raise Refused("paste a token, or open a login link", authenticated=False)

    def _page(self, request: Request, target: str, link: str, problem: str = "") -> Response:
        html = self._login_page(request, {"next": target, "problem": problem, "link": link})
        return HTMLResponse(html, 401 if problem else 200, _FRESH)


def _token_ends(token: str) -> datetime | None:
    """When a JSON web token that the API server accepted ends; None for other tokens."""
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        claims = orjson.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        return datetime.fromtimestamp(float(claims["exp"]), UTC)
    except (binascii.Error, ValueError, KeyError, TypeError, OverflowError, OSError):
        return None


def _shown(session: Session, current: str) -> dict[str, Any]:
    return {
        "name": session.name,
        "since": session.since.isoformat(),
        "lastSeen": session.seen.isoformat(),
        "ends": session.ends.isoformat(),
        "agent": session.agent,
        "current": session.name == current,
    }
