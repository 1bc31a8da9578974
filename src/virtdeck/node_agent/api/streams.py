"""Screens and serial lines: a WebSocket joined with the launcher's socket, and its place in the sessions."""

import socket
from urllib.parse import parse_qs

import structlog

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Absent, Lost, Unready
from virtdeck.kube.objects import Key
from virtdeck.node_agent.api.context import Api, Guest
from virtdeck.node_agent.api.rfb import RfbClientFilter
from virtdeck.node_agent.api.sessions import Kind, Mode, Session, parse_mode
from virtdeck.node_agent.launchers.folders import PRIVATE_VOLUME
from virtdeck.node_agent.launchers.peer import PeerProcess
from virtdeck.safety.sockets import connect_beneath
from virtdeck.serving.asgi import Scope
from virtdeck.serving.bridge import Bridge, BridgeOptions, Filter
from virtdeck.serving.takeover import takeover_of

SUBPROTOCOL = "plain.kubevirt.io"
STOPPED = (4410, "the virtual machine stopped")
_LONGEST_NAME = 256

log = structlog.get_logger()


async def open_console(api: Api, scope: Scope, key: Key, kind: Kind) -> None:
    """The console was used and is closed again.

    Raises: Absent, Conflict, Held before it is accepted.
    """
    query = {name: values[-1] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    preserve = query.get("preserveSession") == "true"
    mode = parse_mode(query.get("mode"), preserve=preserve)
    guest = api.require_guest(key)
    api.sessions.check(guest.vmi.metadata.uid, kind, mode)
    channel = _dial(api, guest, _socket_name(kind, replay=query.get("replay") in {"1", "true"}))
    options = BridgeOptions(
        subprotocol=SUBPROTOCOL if SUBPROTOCOL in scope.get("subprotocols", ()) else None,
        from_client=_filter(kind, mode),
        backend_gone=STOPPED,
    )
    bridge = Bridge(takeover_of(scope), options)
    session = _session(api, scope, guest.vmi.metadata.uid, kind, mode)
    api.sessions.add(session, bridge.close)
    log.info("console_opened", vmi=str(key), **session.describe())
    try:
        ending = await bridge.run(channel)
        log.info("console_closed", vmi=str(key), id=session.id, by=ending.by, code=ending.code)
    finally:
        api.sessions.remove(session.id)


def _session(api: Api, scope: Scope, vmi_uid: str, kind: Kind, mode: Mode) -> Session:
    headers = dict(scope["headers"])
    user = headers.get(b"x-virtdeck-user", b"").decode("utf-8", "replace")[:_LONGEST_NAME]
    origin = headers.get(b"x-virtdeck-origin", b"").decode("utf-8", "replace")[:_LONGEST_NAME]
    since = rfc3339(api.clock.now())
    return Session(api.sessions.next_id(), vmi_uid, kind, user or "somebody", origin, since, mode)


def _socket_name(kind: Kind, *, replay: bool) -> str:
    if kind == "vnc":
        return "vnc.sock"
    return "serial0-replay.sock" if replay else "serial0.sock"


def _filter(kind: Kind, mode: Mode) -> Filter | None:
    if kind == "vnc":
        return RfbClientFilter(watch=mode == "watch")
    return _drop_all if mode == "watch" else None


def _drop_all(_data: bytes) -> bytes:
    return b""


def _dial(api: Api, guest: Guest, name: str) -> socket.socket:
    """A connection to the launcher's socket, behind which the pod itself stands.

    Raises: Absent when the VMI has no such device, Unready, UnsafePath.
    """
    pod_uid = guest.link.target.pod_uid
    try:
        with api.folders.open_empty_dir(pod_uid, PRIVATE_VOLUME) as folder:
            channel, peer = connect_beneath(folder, name, uid=api.launcher_uid)
    except Absent as fault:
        raise Absent(f"{guest.key} has no such console") from fault
    except Lost as fault:
        raise Unready(f"the console of {guest.key} is not there yet or any more") from fault
    try:
        with PeerProcess(peer) as process:
            process.require_pod(pod_uid)
    except BaseException:
        channel.close()
        raise
    return channel
