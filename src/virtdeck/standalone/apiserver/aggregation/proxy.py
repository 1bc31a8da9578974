"""Requests for a group that another server answers for: passed on with the user's name."""

import anyio
import structlog

from virtdeck.basis.errors import Lost
from virtdeck.standalone.apiserver.aggregation.identity_headers import answered_headers, forwarded_headers
from virtdeck.standalone.apiserver.problems import unavailable
from virtdeck.standalone.apiserver.requests.bodies import read_body
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.resources.registry import Delegate
from virtdeck.standalone.apiserver.service import Service

log = structlog.get_logger()

_HEAD_SECONDS = 60.0  # until the other server must have begun to answer


def target_of(call: Call) -> str:
    """The path and query as the client wrote them."""
    path: bytes = call.scope.get("raw_path") or call.scope["path"].encode()
    query: bytes = call.scope.get("query_string", b"")
    return (path + (b"?" + query if query else b"")).decode("latin-1")


async def proxy_http(call: Call, service: Service, delegate: Delegate) -> None:
    """The other server's answer has been sent. Raises: StatusError 503 when it cannot be reached."""
    body = await read_body(call.receive)
    headers = forwarded_headers(call.scope, call.user)
    started = False
    try:
        endpoint = service.upstreams.delegate(delegate)
        headers.insert(0, ("host", f"{endpoint.server_name}:{delegate.port}"))
        with anyio.fail_after(_HEAD_SECONDS) as deadline:
            async with service.upstreams.client.request(
                endpoint, call.method, target_of(call), headers, body
            ) as answer:
                deadline.deadline = float("inf")
                started = True
                await call.send(
                    {
                        "type": "http.response.start",
                        "status": answer.status,
                        "headers": answered_headers(answer.headers),
                    }
                )
                async with anyio.create_task_group() as group:
                    group.start_soon(_wait_gone, call, group.cancel_scope)
                    async for piece in answer.body():
                        await call.send({"type": "http.response.body", "body": piece, "more_body": True})
                    group.cancel_scope.cancel()
        await call.send({"type": "http.response.body", "body": b"", "more_body": False})
    except (Lost, TimeoutError) as fault:
        log.warning("aggregated_server_lost", service=delegate.service, error=str(fault))
        if started:  # half an answer is out: breaking off is the only honest end
            raise ConnectionAbortedError(str(fault)) from fault
        raise unavailable(f"error trying to reach service: {fault or 'no answer in time'}") from fault


async def _wait_gone(call: Call, scope: anyio.CancelScope) -> None:
    while (await call.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
