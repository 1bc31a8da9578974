"""The audit log: who did what to which object and how it ended, one line a request, in files that rotate."""

import os
from dataclasses import dataclass
from pathlib import Path

import orjson
import structlog

from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.telemetry.audit_entries import Ending, entry
from virtdeck.standalone.apiserver.telemetry.labels import READS

log = structlog.get_logger()


@dataclass(frozen=True)
class AuditPolicy:
    """What is written and how much of it is kept.

    level: None, Metadata, Request or RequestResponse, for what changes something. reads: whether reads that
    succeed are written as well, as Metadata. Files: the log itself and ``backups`` older ones, ``.1`` newest.
    """

    level: str = "Metadata"
    reads: bool = False
    file_bytes: int = 16 * 1024 * 1024
    backups: int = 4


class Audit:
    """Appends to a file; without a path, keeps nothing."""

    def __init__(self, path: str, policy: AuditPolicy | None = None) -> None:
        self._path = Path(path) if path else None
        self._policy = policy or AuditPolicy()
        self._file = self._open()
        self._failing = False

    def _open(self) -> int | None:
        if self._path is None or self._policy.level == "None":
            return None
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def record(self, call: Call, audit_id: str, ending: Ending) -> None:
        """The request's end is in the log, if the policy wants it; a full disk stops nobody."""
        level = self._level(call, ending.code)
        if self._file is None or level is None:
            return
        try:
            os.write(self._file, orjson.dumps(entry(call, audit_id, ending, level)) + b"\n")
            if os.fstat(self._file).st_size > self._policy.file_bytes:
                self._rotate()
            self._failing = False
        except OSError as fault:
            if not self._failing:
                log.error("audit_log_not_written", message=str(fault))
            self._failing = True

    def _level(self, call: Call, code: int) -> str | None:
        if call.target.verb in READS:
            return "Metadata" if code >= 400 or self._policy.reads else None
        return self._policy.level

    def _rotate(self) -> None:
        if self._path is None or self._file is None:
            return
        os.close(self._file)
        self._file = None
        for number in range(self._policy.backups - 1, 0, -1):
            older = self._numbered(number)
            if older.exists():
                older.replace(self._numbered(number + 1))
        if self._policy.backups:
            self._path.replace(self._numbered(1))
        else:
            self._path.unlink()
        self._file = self._open()

    def _numbered(self, number: int) -> Path:
        path = self._path or Path()
        return path.with_name(f"{path.name}.{number}")

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
