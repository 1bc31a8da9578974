"""The supervisor's socket: one JSON line asked, one JSON line answered."""

import json
import socket
from pathlib import Path
from typing import Any

from virtdeck.basis.errors import Absent

MAX_LINE_BYTES = 1 << 16


def listen(path: Path) -> socket.socket:
    """A listening socket that only root may use; a leftover of a killed supervisor is replaced."""
    path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    server.bind(str(path))
    path.chmod(0o600)
    server.listen(8)
    server.setblocking(False)
    return server


def ask(path: Path, command: str, timeout_seconds: float = 10.0) -> dict[str, Any]:
    """The supervisor's answer. Raises: Absent when none is running."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        channel.settimeout(timeout_seconds)
        try:
            channel.connect(str(path))
            channel.sendall(json.dumps({"command": command}).encode() + b"\n")
            line = channel.makefile("rb").readline(MAX_LINE_BYTES)
        except OSError as fault:
            raise Absent("virtdeck is not running; start it with ./virtdeck up") from fault
    if not line:
        raise Absent("the supervisor ended while it was asked; look at log/supervisor.log")
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise Absent("the supervisor answered nonsense; look at log/supervisor.log")
    return answer
