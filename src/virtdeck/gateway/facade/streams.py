"""Subresources that are WebSockets, for programs that bring a bearer token to the façade."""

from starlette.requests import HTTPConnection

from virtdeck.basis.errors import Refused
from virtdeck.gateway.auth.session import bearer_token
from virtdeck.gateway.context import Context
from virtdeck.gateway.subresources.app import attempt_of, serve_call
from virtdeck.gateway.subresources.paths import match
from virtdeck.serving.asgi import App, Receive, Scope, Send


def stream_app(context: Context) -> App:
    """Consoles and ports by their Kubernetes path; a session alone opens nothing here, pages have tickets."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        token = bearer_token(HTTPConnection(scope))
        if token is None:
            raise Refused("send a bearer token; pages open consoles by ticket", authenticated=False)
        user = await context.tokens.user_of(token)
        scope.setdefault("state", {})["user"] = user.name
        found = match("GET", scope["raw_path"])
        await context.reviews.require(user, attempt_of(found))
        await serve_call(context, found, user, scope, receive, send)

    return app
