"""The audit log: one line a write or refusal, who did what to which object and how it ended."""

import os
from datetime import UTC, datetime
from pathlib import Path

import orjson

from virtdeck.standalone.apiserver.requests.call import Call

_READS = ("get", "list", "watch")
_LARGEST_BYTES = 16 * 1024 * 1024  # then the file becomes .1, and an older .1 goes


class Audit:
    """Appends to a file; without a path, keeps nothing. Bodies are never written: they may hold secrets."""

    def __init__(self, path: str) -> None:
        self._path = Path(path) if path else None
        self._file = self._open()

    def _open(self) -> int | None:
        if self._path is None:
            return None
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def record(self, call: Call, code: int) -> None:
        """The call's end is in the log, if it changed something or was refused."""
        if self._file is None or (call.target.verb in _READS and code < 400):
            return
        os.write(self._file, orjson.dumps(_line(call, code)) + b"\n")
        if self._path is not None and os.fstat(self._file).st_size > _LARGEST_BYTES:
            os.close(self._file)
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            self._file = self._open()

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _line(call: Call, code: int) -> dict[str, object]:
    target = call.target
    client = call.scope.get("client")
    return {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "verb": target.verb,
        "user": call.user.name,
        "caller": call.caller,
        "groups": list(call.user.groups),
        "group": target.group,
        "resource": f"{target.plural}/{target.subresource}" if target.subresource else target.plural,
        "namespace": target.namespace,
        "name": target.name,
        "path": target.path if not target.is_resource else "",
        "code": code,
        "peer": client[0] if client else "",
        "agent": call.headers.get("user-agent", "")[:128],
    }
