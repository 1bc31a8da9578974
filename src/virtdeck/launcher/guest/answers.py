"""The agent's answers as the API shows them. Source: QEMU guest agent protocol, guest-*."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final

from virtdeck.launcher.guest.bounds import (
    MAX_ADDRESSES,
    MAX_COMMANDS,
    MAX_DISKS,
    MAX_FILESYSTEMS,
    MAX_INTERFACES,
    MAX_USERS,
    Cutter,
)

_MAC: Final = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")
_OS_FIELDS: Final = {
    "name": "name",
    "kernel-release": "kernelRelease",
    "version": "version",
    "pretty-name": "prettyName",
    "version-id": "versionId",
    "kernel-version": "kernelVersion",
    "machine": "machine",
    "id": "id",
}


def os_info(answer: object, cut: Cutter) -> dict[str, str]:
    """guest-get-osinfo in the spelling of guestOSInfo."""
    said = _fields(answer)
    return {ours: text for theirs, ours in _OS_FIELDS.items() if (text := cut.text(said.get(theirs)))}


def host_name(answer: object, cut: Cutter) -> str:
    """guest-get-host-name."""
    return cut.text(_fields(answer).get("host-name"))


def interfaces(answer: object, cut: Cutter) -> tuple[dict[str, Any], ...]:
    """guest-network-get-interfaces: name, mac and addresses of each, without loopback."""
    found = (_interface(_fields(item), cut) for item in cut.items(answer, MAX_INTERFACES))
    return tuple(item for item in found if item)


def _interface(said: Mapping[str, Any], cut: Cutter) -> dict[str, Any] | None:
    name, mac = cut.text(said.get("name")), cut.text(said.get("hardware-address")).lower()
    addresses = [
        address
        for item in cut.items(said.get("ip-addresses"), MAX_ADDRESSES)
        if (address := _address(_fields(item).get("ip-address"), cut))
    ]
    if not name or any(ip_address(address).is_loopback for address in addresses):
        return None
    return {"name": name, "mac": mac if _MAC.fullmatch(mac) else "", "ipAddresses": addresses}


def _address(value: object, cut: Cutter) -> str | None:
    try:
        return str(ip_address(cut.text(value).partition("%")[0]))
    except ValueError:
        return None


def users(answer: object, cut: Cutter) -> tuple[dict[str, Any], ...]:
    """guest-get-users as VirtualMachineInstanceGuestOSUser."""
    return tuple(
        {
            "userName": cut.text(said.get("user")),
            "domain": cut.text(said.get("domain")),
            "loginTime": float(cut.number(said.get("login-time"))),
        }
        for said in map(_fields, cut.items(answer, MAX_USERS))
    )


def filesystems(answer: object, cut: Cutter) -> tuple[dict[str, Any], ...]:
    """guest-get-fsinfo as VirtualMachineInstanceFileSystem."""
    return tuple(_filesystem(_fields(item), cut) for item in cut.items(answer, MAX_FILESYSTEMS))


def _filesystem(said: Mapping[str, Any], cut: Cutter) -> dict[str, Any]:
    disks = [
        {"serial": cut.text(disk.get("serial")), "busType": cut.text(disk.get("bus-type"))}
        for disk in map(_fields, cut.items(said.get("disk"), MAX_DISKS))
    ]
    return {
        "diskName": cut.text(said.get("name")),
        "mountPoint": cut.text(said.get("mountpoint")),
        "fileSystemType": cut.text(said.get("type")),
        "usedBytes": cut.number(said.get("used-bytes")),
        "totalBytes": cut.number(said.get("total-bytes")),
        "disk": disks,
    }


def version(answer: object, cut: Cutter) -> str:
    """guest-info: the agent's version."""
    return cut.text(_fields(answer).get("version"))


def commands(answer: object, cut: Cutter) -> tuple[str, ...]:
    """guest-info: what the agent can do."""
    said = map(_fields, cut.items(_fields(answer).get("supported_commands"), MAX_COMMANDS))
    return tuple(cut.text(item.get("name")) for item in said if item.get("enabled") is True)


def timezone(answer: object, cut: Cutter) -> str:
    """guest-get-timezone as ``UTC, 0``: the name and the offset in seconds."""
    said = _fields(answer)
    offset = said.get("offset")
    return f"{cut.text(said.get('zone'))}, {offset}" if isinstance(offset, int) else ""


def _fields(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
