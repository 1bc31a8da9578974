"""``python fake_screen.py SOCKET LAUNCHER_PID``: a VNC server in QEMU's place, cgroups and user.

After RFB's greeting it floods who asks for a picture and gives back who presses a key.
"""

import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

FLOOD_BYTES = 256 * 1024
KEY_BYTES = 8
PICTURE_REQUEST = 3


def main(path: str, launcher: int) -> None:
    """Serves until killed."""
    enter_cgroups(launcher)
    owner = Path(f"/proc/{launcher}").stat()
    listener = socket.socket(socket.AF_UNIX)
    os.chdir(Path(path).parent)
    listener.bind(Path(path).name)  # a socket's address may be no longer than 107 bytes
    os.chown(path, owner.st_uid, owner.st_gid)
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)
    listener.listen()  # as that user: this is the moment that the peer's credentials are of
    print("listening", flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def enter_cgroups(launcher: int) -> None:
    """This process is where the launcher is."""
    for line in Path(f"/proc/{launcher}/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        hierarchy = controllers.removeprefix("name=") if number != "0" else ""
        with suppress(OSError):  # a hierarchy that is not mounted holds nobody
            Path(f"/sys/fs/cgroup/{hierarchy}{path}/cgroup.procs").write_text(str(os.getpid()))


def serve(connection: socket.socket) -> None:
    """One client, until it goes."""
    with connection, suppress(OSError, EOFError):
        connection.sendall(b"RFB 003.008\n")
        take(connection, 12)
        connection.sendall(b"\1\1")  # one kind of security: none
        take(connection, 1)
        connection.sendall(bytes(4))
        take(connection, 1)
        connection.sendall((800).to_bytes(2, "big") + (600).to_bytes(2, "big") + bytes(16) + bytes(4))
        message = take(connection, 1)
        if message[0] == PICTURE_REQUEST:
            flood = bytes(FLOOD_BYTES)
            while True:
                connection.sendall(flood)
        message += take(connection, KEY_BYTES - 1)
        while True:
            connection.sendall(message)
            message = take(connection, KEY_BYTES)


def take(connection: socket.socket, count: int) -> bytes:
    """Exactly that many bytes. Raises: EOFError."""
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
