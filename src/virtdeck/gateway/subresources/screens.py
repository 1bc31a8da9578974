"""The screen and the serial console: a WebSocket carried on to the node's virt-handler, byte for byte."""

from dataclasses import dataclass
from urllib.parse import urlencode

import anyio

from virtdeck.basis.errors import Conflict, Invalid, Lost
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context
from virtdeck.gateway.subresources import checks
from virtdeck.gateway.subresources.calls import Call, handler_path, header_value, require_vmi
from virtdeck.kube.errors import error_from_reply
from virtdeck.serving.asgi import Scope
from virtdeck.serving.relay import Refusal, Relay
from virtdeck.serving.takeover import takeover_of

_DIAL_SECONDS = 10.0


@dataclass(frozen=True)
class Wish:
    """How a console is wanted. kind: ``vnc`` or ``console``. mode: as virt-handler's API has it."""

    kind: str
    user: User
    origin: str = "virtctl"
    mode: str = "take"
    replay: bool = False
    subprotocol: str | None = None


async def console(call: Call, scope: Scope, subprotocol: str | None) -> None:
    """The serial console was used and is closed."""
    vmi = await require_vmi(call)
    checks.check_console(vmi)
    await _serve(call, scope, vmi, "console", subprotocol)


async def vnc(call: Call, scope: Scope, subprotocol: str | None) -> None:
    """The screen was used and is closed."""
    vmi = await require_vmi(call)
    checks.check_screen(vmi)
    await _serve(call, scope, vmi, "vnc", subprotocol)


async def usbredir(call: Call, scope: Scope, subprotocol: str | None) -> None:
    """Raises: Conflict; no instance has such a device yet."""
    vmi = await require_vmi(call)
    checks.require_running(vmi)
    raise Conflict("the instance takes no USB devices of clients (clientPassthrough)")


async def vsock(call: Call, scope: Scope, subprotocol: str | None) -> None:
    """Raises: Invalid; no instance has such a device yet."""
    await require_vmi(call)
    raise Invalid("the instance has no VSOCK device attached", reason="BadRequest")


async def dial_console(context: Context, scope: Scope, vmi: VirtualMachineInstance, wish: Wish) -> Relay:
    """A relay to the instance's virt-handler, not accepted yet.

    Raises: what virt-handler refused it with (Unready when somebody holds it); Lost.
    """
    if not vmi.status.node_name:
        raise Conflict("the instance is not on a node yet")
    query = {"mode": wish.mode} | ({"replay": "1"} if wish.replay else {})
    path = handler_path(vmi.metadata.namespace, vmi.metadata.name, wish.kind) + "?" + urlencode(query)
    headers = [
        (b"x-virtdeck-user", header_value(wish.user).encode()),
        (b"x-virtdeck-origin", wish.origin.encode()),
    ]
    if wish.subprotocol:
        headers.append((b"sec-websocket-protocol", wish.subprotocol.encode()))
    try:
        with anyio.fail_after(_DIAL_SECONDS):
            found = await context.handlers.dial(vmi.status.node_name, takeover_of(scope), path, headers)
    except TimeoutError as fault:
        raise Lost(f"virt-handler of node {vmi.status.node_name} did not answer in time") from fault
    if isinstance(found, Refusal):
        raise error_from_reply(found.code, found.body)
    return found


async def _serve(
    call: Call, scope: Scope, vmi: VirtualMachineInstance, kind: str, subprotocol: str | None
) -> None:
    if call.user is None:
        raise Conflict("consoles are for users")
    mode = "ask" if call.query.get("preserveSession") == "true" else "take"
    wish = Wish(kind, call.user, mode=mode, subprotocol=subprotocol)
    await (await dial_console(call.context, scope, vmi, wish)).run()
