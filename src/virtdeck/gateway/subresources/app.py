"""Serves the subresource API: identity, route, access review, action; in this order."""

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import parse_qsl

from virtdeck.basis.errors import Invalid
from virtdeck.crds.subresources import GROUP, WEBSOCKET_PROTOCOL
from virtdeck.gateway.auth.front_proxy import FrontProxy, identify
from virtdeck.gateway.auth.reviews import Attempt
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context
from virtdeck.gateway.subresources import forwarding, screens
from virtdeck.gateway.subresources.actions import ACTIONS
from virtdeck.gateway.subresources.calls import Call, Reply
from virtdeck.gateway.subresources.paths import Match, match
from virtdeck.serving.asgi import App, Receive, Scope, Send, answer
from virtdeck.serving.body import read_body
from virtdeck.serving.tls import peer_certificate

Stream = Callable[[Call, Scope, str | None], Awaitable[None]]

STREAMS: Final[dict[str, Stream]] = {
    "console": screens.console,
    "vnc": screens.vnc,
    "usbredir": screens.usbredir,
    "vsock": screens.vsock,
    "forward_vm": forwarding.forward_vm,
    "forward_vmi": forwarding.forward_vmi,
}


def subresource_app(context: Context, front_proxy: Callable[[], FrontProxy]) -> App:
    """The API's paths with a resource in them; ``front_proxy`` is how users are identified now."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method", "GET")
        found = match(method, scope["raw_path"])
        user = (
            None if found.route.open else identify(front_proxy(), peer_certificate(scope), scope["headers"])
        )
        if user is not None:
            scope.setdefault("state", {})["user"] = user.name
            await context.reviews.require(user, attempt_of(found))
        await serve_call(context, found, user, scope, receive, send)

    return app


async def serve_call(
    context: Context, found: Match, user: User | None, scope: Scope, receive: Receive, send: Send
) -> None:
    """What an allowed user asked for has been done and answered."""
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=50))
    if found.route.sub.websocket != (scope["type"] == "websocket"):
        wanted = "a WebSocket" if found.route.sub.websocket else "a plain request"
        raise Invalid(f"this subresource wants {wanted}", reason="BadRequest")
    if not found.route.sub.websocket:
        call = Call(context, found, user, query, await read_body(receive))
        reply: Reply = await ACTIONS[found.route.action](call)
        await answer(scope, send, reply.code, reply.body, reply.content_type.encode())
        return
    call = Call(context, found, user, query)
    await receive()  # websocket.connect
    offered = scope.get("subprotocols", ())
    subprotocol = WEBSOCKET_PROTOCOL if WEBSOCKET_PROTOCOL in offered else None
    await STREAMS[found.route.action](call, scope, subprotocol)


def attempt_of(found: Match) -> Attempt:
    """The access that is reviewed: the whole subresource, without port and protocol."""
    sub = found.route.sub
    if not sub.resource:
        return Attempt(sub.verb, GROUP, sub.name, "", found.namespace, "", found.version)
    return Attempt(sub.verb, GROUP, sub.resource, sub.name, found.namespace, found.name, found.version)
