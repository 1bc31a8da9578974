"""Tells the supervisor that this process serves (the sd_notify protocol, so systemd works as well)."""

import os
import socket


def notify(state: str) -> None:
    """Send ``state`` (``READY=1``, ``STATUS=…``) to $NOTIFY_SOCKET; without one, nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto(state.encode(), address)


def notify_ready() -> None:
    """The process serves from now on."""
    notify("READY=1")
