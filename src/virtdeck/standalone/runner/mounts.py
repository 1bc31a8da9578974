"""mount(2) and umount(2), and what is mounted."""

import ctypes
import os
from pathlib import Path

from virtdeck.basis.errors import HostFault

MS_RDONLY = 0x1
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_REMOUNT = 0x20
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
_MNT_DETACH = 0x2
_UMOUNT_NOFOLLOW = 0x8
_RESTRICTED = MS_NOSUID | MS_NODEV | MS_NOEXEC

_libc = ctypes.CDLL(None, use_errno=True)


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """``source`` is mounted at ``target``. Raises: HostFault. Source: mount(2)"""
    arguments = [os.fsencode(text) or None for text in (source, target, kind)]
    if _libc.mount(*arguments, ctypes.c_ulong(flags), os.fsencode(options) or None):
        code = ctypes.get_errno()
        raise HostFault(f"{source} cannot be mounted at {target}: {os.strerror(code)}")


def bind_read_only(source: str, target: str) -> None:
    """The folder ``source`` is seen at ``target`` too, without writing, devices and programs."""
    mount(source, target, flags=MS_BIND)
    mount(source, target, flags=MS_BIND | MS_REMOUNT | MS_RDONLY | _RESTRICTED)


def mount_memory(target: str, size_bytes: int, mode: int, owner: tuple[int, int]) -> None:
    """A tmpfs stands at ``target``."""
    options = f"size={size_bytes},mode={mode:o},uid={owner[0]},gid={owner[1]}"
    mount("tmpfs", target, "tmpfs", _RESTRICTED, options)


def unmount(target: str) -> None:
    """Nothing is mounted at ``target`` any more; who has files open there keeps them. Raises: HostFault."""
    if _libc.umount2(os.fsencode(target), _MNT_DETACH | _UMOUNT_NOFOLLOW):
        raise HostFault(f"{target} cannot be unmounted: {os.strerror(ctypes.get_errno())}")


def mounts_below(folder: str) -> list[str]:
    """Mount points at or below the folder, deepest and newest first."""
    points = [
        _unescaped(line.split(" ")[4]) for line in Path("/proc/self/mountinfo").read_text().splitlines()
    ]
    found = [point for point in points if point == folder or point.startswith(f"{folder}/")]
    found.reverse()
    return sorted(found, key=lambda point: -point.count("/"))


def _unescaped(text: str) -> str:
    # The kernel writes space, tab, newline and backslash as octal.
    return text.encode().decode("unicode_escape") if "\\" in text else text
