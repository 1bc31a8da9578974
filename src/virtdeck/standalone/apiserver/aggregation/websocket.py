"""WebSockets of aggregated servers: the handshake passed on as the client's user, then a relay."""

import anyio

from virtdeck.basis.errors import Invalid, Lost
from virtdeck.serving.asgi import Headers
from virtdeck.serving.relay import Refusal, Relay, dial
from virtdeck.serving.takeover import takeover_of
from virtdeck.serving.upgrade import Target
from virtdeck.standalone.apiserver.aggregation.identity_headers import forwarded_headers
from virtdeck.standalone.apiserver.aggregation.proxy import target_of
from virtdeck.standalone.apiserver.problems import unavailable
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.resources.registry import Delegate
from virtdeck.standalone.apiserver.service import Service

_DIAL_SECONDS = 30.0  # the other server may have to ask a node first
_LOST = (4502, "the connection to the aggregated server was lost")


async def proxy_websocket(call: Call, service: Service, delegate: Delegate) -> None:
    """The WebSocket was joined with the other server's until one end closed it, or its refusal was passed on.

    Raises: StatusError 503 when the other server cannot be reached.
    """
    try:
        with anyio.fail_after(_DIAL_SECONDS):
            found = await dial(takeover_of(call.scope), _target(call, service, delegate))
    except (Lost, Invalid, OSError, TimeoutError) as fault:
        raise unavailable(f"error trying to reach service: {fault or 'no answer in time'}") from fault
    if isinstance(found, Refusal):
        await _pass_refusal(call, found)
    else:
        await _run(found)


def _target(call: Call, service: Service, delegate: Delegate) -> Target:
    endpoint = service.upstreams.delegate(delegate)
    headers: Headers = [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in forwarded_headers(call.scope, call.user)
    ]
    if "sec-websocket-protocol" in call.headers:
        headers.append((b"sec-websocket-protocol", call.headers["sec-websocket-protocol"].encode("latin-1")))
    return Target(
        endpoint.host, endpoint.port, target_of(call), headers, endpoint.context, endpoint.server_name
    )


async def _run(relay: Relay) -> None:
    relay.lost_code = _LOST
    relay.silence_seconds = None  # only its own clients know how long an aggregated server may be silent
    await relay.run()


async def _pass_refusal(call: Call, refusal: Refusal) -> None:
    kind = refusal.header(b"content-type") or b"text/plain"
    head = [(b"content-type", kind), (b"content-length", str(len(refusal.body)).encode())]
    await call.send({"type": "websocket.http.response.start", "status": refusal.code, "headers": head})
    await call.send({"type": "websocket.http.response.body", "body": refusal.body, "more_body": False})
