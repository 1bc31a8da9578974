"""The routes of virt-handler's API, and who may call them."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import orjson

from virtdeck.basis.errors import Absent, Invalid, Refused, VirtdeckError
from virtdeck.kube.objects import Key
from virtdeck.node_agent.api.answers import Answer
from virtdeck.node_agent.api.context import Api
from virtdeck.node_agent.api.guest import READS
from virtdeck.node_agent.api.lifecycle import ACTS
from virtdeck.node_agent.api.metrics import render_metrics
from virtdeck.node_agent.api.streams import open_console
from virtdeck.serving.asgi import App, Receive, Scope, Send, answer
from virtdeck.serving.tls import peer_certificate

VIRT_API = "kubevirt.io:system:client:virt-api"
_VMI_PATH = re.compile(r"/v1/namespaces/([^/]+)/virtualmachineinstances/([^/]+)/([a-z/]+)")

Work = Callable[[Api, Key, Any], Awaitable[Answer]]


def build_app(api: Api) -> App:
    """virt-handler's API. Errors leave it as they are raised; whoever serves it maps them."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        peer = peer_certificate(scope)
        if peer is None or peer["cn"] != VIRT_API:
            raise Refused("only virt-api may call virt-handler", authenticated=peer is not None)
        if scope["type"] == "websocket":
            await _open_stream(api, scope, receive)
        elif scope["path"] == "/healthz":
            await answer(scope, send, 200, b"ok", b"text/plain")
        elif scope["path"] == "/metrics":
            await answer(scope, send, 200, await render_metrics(api), b"text/plain; version=0.0.4")
        else:
            work, key = _work_of(scope), _target(scope)[0]
            found = await work(api, key, await _read_body(receive))
            await answer(scope, send, found.code, found.body, found.content_type)

    return app


def _target(scope: Scope) -> tuple[Key, str]:
    """The VMI and the subresource that the path names. Raises: Absent."""
    found = _VMI_PATH.fullmatch(scope["path"])
    if found is None:
        raise Absent("there is nothing at this path")
    namespace, name, subresource = found.groups()
    return Key(namespace, name), subresource


def _work_of(scope: Scope) -> Work:
    subresource = _target(scope)[1]
    table: dict[str, dict[str, Work]] = {"PUT": ACTS, "GET": READS}
    work = table.get(scope["method"], {}).get(subresource)
    if work is not None:
        return work
    if any(subresource in works for works in table.values()):
        raise VirtdeckError(f"{scope['method']} is not offered here", reason="MethodNotAllowed")
    raise Absent("there is nothing at this path")


async def _read_body(receive: Receive) -> Any:
    """The body's JSON, None without one. Raises: Invalid."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    if not body.strip():
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as fault:
        raise Invalid(f"the body is not JSON: {fault}") from fault


async def _open_stream(api: Api, scope: Scope, receive: Receive) -> None:
    key, subresource = _target(scope)
    if subresource not in {"vnc", "console"}:
        raise Absent("there is no stream at this path")
    await receive()  # websocket.connect
    await open_console(api, scope, key, "vnc" if subresource == "vnc" else "console")
