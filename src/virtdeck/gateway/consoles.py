"""Consoles of browsers: ``/ws/ns/<ns>/vms/<name>/<vnc|console>?ticket=…&mode=…&replay=1``.

A browser cannot read why a WebSocket was refused, so it is accepted first and then closed with a code and a
sentence; only another site's page is refused outright.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import parse_qsl

import structlog
from starlette.requests import HTTPConnection

from virtdeck.basis.errors import (
    Absent,
    Bug,
    Conflict,
    Invalid,
    Lost,
    Refused,
    Unready,
    VirtdeckError,
)
from virtdeck.crds import kinds
from virtdeck.crds.core.config import Secret
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.subresources import GROUP, WEBSOCKET_PROTOCOL
from virtdeck.gateway.auth.links import Door, use_ticket
from virtdeck.gateway.auth.origin import require_socket_origin
from virtdeck.gateway.auth.reviews import Attempt
from virtdeck.gateway.context import Context
from virtdeck.gateway.subresources import checks
from virtdeck.gateway.subresources.screens import Wish, dial_console
from virtdeck.kube.snapshot import Change
from virtdeck.serving.asgi import App, Receive, Scope, Send

_PATH: Final = re.compile(r"/ws/ns/([a-z0-9-]{1,63})/vms/([a-z0-9.-]{1,253})/(vnc|console)")
_MODES: Final = ("take", "ask", "watch")
_LOGGED_OUT: Final = (4403, "you were logged out")

log = structlog.get_logger()

Close = Callable[[int, str], None]


class OpenConsoles:
    """The consoles that sessions have open, so that a logout closes them."""

    def __init__(self) -> None:
        self._open: dict[str, set[Close]] = {}

    @contextmanager
    def holding(self, session: str, close: Close) -> Iterator[None]:
        """The console is open for as long as the block."""
        mine = self._open.setdefault(session, set())
        mine.add(close)
        try:
            yield
        finally:
            mine.discard(close)
            if not mine:
                self._open.pop(session, None)

    def session_changed(self, change: Change[Secret]) -> None:
        """A listener of the sessions' cache: who is gone loses their consoles."""
        if change.new is None:
            for close in tuple(self._open.get(change.key.name, ())):
                close(*_LOGGED_OUT)


def console_app(context: Context, consoles: OpenConsoles) -> App:
    """Takes all WebSocket requests of the public app."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"])
        if found is None:
            raise Absent("no such WebSocket")
        request = HTTPConnection(scope)
        require_socket_origin(request.headers, context.gatekeeper.origin(request))
        await receive()  # websocket.connect
        try:
            await _serve(context, consoles, scope, found.groups())
        except VirtdeckError as fault:
            if isinstance(fault, Bug):
                raise
            code, reason = close_of(fault)
            log.info("console_refused", code=code, reason=reason, path=scope["path"])
            await send({"type": "websocket.accept", "subprotocol": _subprotocol(scope)})
            await send({"type": "websocket.close", "code": code, "reason": reason})

    return app


def close_of(fault: VirtdeckError) -> tuple[int, str]:
    """The close code and sentence of an error; the codes are docs/contracts.md's."""
    reason = fault.message.encode()[:120].decode(errors="ignore")
    if fault.reason == "ConsoleHeld":
        return 4423, reason
    codes: tuple[tuple[type[VirtdeckError], int], ...] = (
        (Refused, 4403),
        (Absent, 4404),
        (Conflict, 4410),
        (Invalid, 4400),
        (Unready, 4502),
        (Lost, 4502),
    )
    return next((code for kind, code in codes if isinstance(fault, kind)), 4502), reason


async def _serve(context: Context, consoles: OpenConsoles, scope: Scope, place: tuple[str, ...]) -> None:
    namespace, name, kind = place
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=20))
    door = await use_ticket(context.vault, query.get("ticket", ""), namespace, name, kind)
    _require_same_session(context, scope, door)
    scope.setdefault("state", {})["user"] = door.user.name
    await context.reviews.require(
        door.user, Attempt("get", GROUP, "virtualmachineinstances", kind, namespace, name, "v1")
    )
    vmi = await _require_vmi(context, namespace, name, kind)
    wish = Wish(
        kind,
        door.user,
        origin="browser",
        mode=_mode(query.get("mode", "take")),
        replay=query.get("replay") in ("1", "true"),
        subprotocol=_subprotocol(scope),
    )
    relay = await dial_console(context, scope, vmi, wish)
    with consoles.holding(door.session, relay.close):
        await relay.run()


def _require_same_session(context: Context, scope: Scope, door: Door) -> None:
    """The browser that shows the ticket is the one that asked for it. Raises: Refused."""
    if not door.session:
        return  # made for a bearer token: a program's own
    session = context.gatekeeper.session_of(HTTPConnection(scope))
    if session is None or session.name != door.session:
        raise Refused("this ticket is of another login", authenticated=False)


async def _require_vmi(context: Context, namespace: str, name: str, kind: str) -> VirtualMachineInstance:
    vmi = await context.client.get(kinds.VMI, name, namespace)
    if vmi is None:
        if await context.client.get(kinds.VM, name, namespace) is not None:
            raise Conflict("the virtual machine does not run")
        raise Absent(f"there is no virtual machine {name} in namespace {namespace}")
    if not checks.is_running(vmi):
        raise Conflict("the virtual machine does not run")
    (checks.check_screen if kind == "vnc" else checks.check_console)(vmi)
    return vmi


def _mode(text: str) -> str:
    if text not in _MODES:
        raise Invalid("mode must be take, ask or watch", reason="BadRequest")
    return text


def _subprotocol(scope: Scope) -> str | None:
    """The first that both know; what a browser asked for must be answered."""
    offered = scope.get("subprotocols", ())
    return next((name for name in (WEBSOCKET_PROTOCOL,) if name in offered), None)
