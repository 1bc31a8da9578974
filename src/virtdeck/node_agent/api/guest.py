"""The GET routes: what the guest's agent says, its screen, and who uses its consoles."""

from typing import Any

from virtdeck.basis.errors import Conflict
from virtdeck.kube.objects import Key
from virtdeck.node_agent.api.answers import Answer, json_answer
from virtdeck.node_agent.api.context import Api
from virtdeck.node_agent.api.lifecycle import Act
from virtdeck.wire import launcher as wire

_AGENT_SECONDS = 15.0
_SCREENSHOT_SECONDS = 15.0
_VERSION = "kubevirt.io/v1"


async def guestosinfo(api: Api, key: Key, _body: Any) -> Answer:
    """All that the agent says, as KubeVirt's VirtualMachineInstanceGuestAgentInfo."""
    return json_answer(agent_info(await _read(api, key)))


async def userlist(api: Api, key: Key, _body: Any) -> Answer:
    """Who is logged in, as KubeVirt's VirtualMachineInstanceGuestOSUserList."""
    info = await _read(api, key)
    return json_answer(_list("VirtualMachineInstanceGuestOSUserList", info.users))


async def filesystemlist(api: Api, key: Key, _body: Any) -> Answer:
    """The guest's file systems, as KubeVirt's VirtualMachineInstanceFileSystemList."""
    info = await _read(api, key)
    return json_answer(_list("VirtualMachineInstanceFileSystemList", info.filesystems))


async def screenshot(api: Api, key: Key, _body: Any) -> Answer:
    """The guest's screen as PNG; nobody's session is disturbed."""
    guest = api.require_guest(key)
    request = wire.TakeScreenshot(id=guest.conversation.next_id())
    shot = await guest.conversation.ask(request, wire.Screenshot, _SCREENSHOT_SECONDS)
    return Answer(shot.png, b"image/png")


async def sessions(api: Api, key: Key, _body: Any) -> Answer:
    """Who uses the VMI's consoles."""
    vmi = api.require_vmi(key)
    return json_answer({"items": [session.describe() for session in api.sessions.of(vmi.metadata.uid)]})


READS: dict[str, Act] = {
    "guestosinfo": guestosinfo,
    "userlist": userlist,
    "filesystemlist": filesystemlist,
    "vnc/screenshot": screenshot,
    "sessions": sessions,
}


def agent_info(info: wire.GuestInfo) -> dict[str, Any]:
    """The launcher's GuestInfo in KubeVirt's shape."""
    return {
        "apiVersion": _VERSION,
        "kind": "VirtualMachineInstanceGuestAgentInfo",
        "guestAgentVersion": info.agent.version,
        "hostname": info.agent.host_name,
        "os": info.agent.os,
        "timezone": info.timezone,
        "fsFreezeStatus": info.fs_freeze_status,
        "supportedCommands": [{"name": name, "enabled": True} for name in info.supported_commands],
        "userList": list(info.users),
        "fsInfo": {"disks": list(info.filesystems)},
    }


def _list(kind: str, items: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    return {"apiVersion": _VERSION, "kind": kind, "metadata": {}, "items": list(items)}


async def _read(api: Api, key: Key) -> wire.GuestInfo:
    guest = api.require_guest(key)
    if not guest.state.agent.connected:
        raise Conflict(f"{key} has no guest agent connected", reason="AgentNotConnected")
    request = wire.ReadGuestInfo(id=guest.conversation.next_id())
    return await guest.conversation.ask(request, wire.GuestInfo, _AGENT_SECONDS)
