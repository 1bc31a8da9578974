"""Who sends a browser's or a program's request, for endpoints of the public app."""

from dataclasses import dataclass
from typing import Any, Protocol

from starlette.requests import HTTPConnection

from virtdeck.basis.errors import Refused
from virtdeck.gateway.auth.cookies import find_code
from virtdeck.gateway.auth.origin import origin_of, require_same_origin, require_token
from virtdeck.gateway.auth.reviews import TokenReviews
from virtdeck.gateway.auth.sessions import Session, Sessions
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.settings import GatewaySettings


@dataclass(frozen=True)
class Caller:
    """Who is behind a request. session: None for programs, which send a bearer token."""

    user: User
    session: Session | None = None


class Guard(Protocol):
    """What finds out who calls."""

    async def caller(self, request: HTTPConnection) -> Caller: ...


class Gatekeeper:
    """Finds out who calls, by bearer token or session; a session's mutations must come from our pages."""

    def __init__(self, settings: GatewaySettings, sessions: Sessions, tokens: TokenReviews) -> None:
        self.settings = settings
        self.sessions = sessions
        self.tokens = tokens

    def session_of(self, request: HTTPConnection) -> Session | None:
        """The session of this browser, without a question to anybody."""
        code = find_code(self.settings, request.headers)
        return self.sessions.find(code) if code else None

    def origin(self, request: HTTPConnection) -> str:
        """Our own pages' origin as this browser knows it."""
        scheme = "https" if self.settings.secure else "http"
        return origin_of(self.settings.public_url, scheme, request.headers)

    def check_form(self, request: HTTPConnection, token: str) -> None:
        """The form or script is one of this session's own pages. Raises: Refused."""
        session = self.session_of(request)
        if session is None:
            raise Refused("nobody is logged in", authenticated=False)
        require_same_origin(request.scope["method"], request.headers, self.origin(request))
        require_token(session.csrf, token)

    async def caller(self, request: HTTPConnection) -> Caller:
        """Who sends this request; a session's mutation also repeats its token. Raises: Refused."""
        token = bearer_token(request)
        if token is not None:
            return _noted(request, Caller(await self.tokens.user_of(token)))
        session = self.session_of(request)
        if session is None:
            raise Refused("log in, or send a bearer token", authenticated=False)
        if request.scope.get("method", "GET") not in ("GET", "HEAD", "OPTIONS"):
            self.check_form(request, request.headers.get("x-csrf-token", ""))
        await self.sessions.touch(session)
        return _noted(request, Caller(session.user, session))


def bearer_token(request: HTTPConnection) -> str | None:
    """The bearer token of the Authorization header. Raises: Refused when it is something else."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused("only bearer tokens are understood", authenticated=False)
    return token.strip()


async def current_user(request: HTTPConnection) -> Caller:
    """FastAPI dependency: who sends this request. Raises: Refused."""
    state: Any = request.app.state
    guard: Guard = state.gatekeeper
    return await guard.caller(request)


def _noted(request: HTTPConnection, caller: Caller) -> Caller:
    request.scope.setdefault("state", {})["user"] = caller.user.name
    return caller
