"""Unix sockets below a folder that others may write to."""

import os
import socket
import stat
import struct
from dataclasses import dataclass

from virtdeck.basis.errors import Lost, Unready
from virtdeck.safety.openat2 import UnsafePath
from virtdeck.safety.paths import Directory


@dataclass(frozen=True)
class Peer:
    """Who stands at the other end, by the kernel's word at the time it began to listen."""

    pid: int
    uid: int
    gid: int


def connect_beneath(directory: Directory, path: str, uid: int | None = None) -> tuple[socket.socket, Peer]:
    """A connected, non-blocking stream socket and its peer; the inode that was checked is the one dialled.

    ``uid``: the only user that may be at the other end.
    Raises: UnsafePath (a link, no socket, another user); Absent; Lost (nobody listens); Unready (queue full).
    """
    handle = directory.handle(path)
    try:
        if not stat.S_ISSOCK(os.fstat(handle).st_mode):
            raise UnsafePath(f"{path!r} is not a socket")
        channel = _connect(f"/proc/self/fd/{handle}", path)
    finally:
        os.close(handle)
    peer = peer_of(channel)
    if uid is not None and peer.uid != uid:
        channel.close()
        raise UnsafePath(f"{path!r} is served by user {peer.uid} instead of {uid}")
    return channel, peer


def _connect(address: str, path: str) -> socket.socket:
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    channel.setblocking(False)  # a Unix connect answers at once: accepted, refused, or queue full
    try:
        channel.connect(address)
    except BlockingIOError as fault:
        channel.close()
        raise Unready(f"the queue of {path!r} is full") from fault
    except (ConnectionError, FileNotFoundError) as fault:
        channel.close()
        raise Lost(f"nobody listens at {path!r}") from fault
    except BaseException:
        channel.close()
        raise
    return channel


def peer_of(channel: socket.socket) -> Peer:
    """The peer's credentials. Source: SO_PEERCRED, unix(7)"""
    return Peer(*struct.unpack("3i", channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)))
