"""Processes that outlive the command that started them, kept by number and start time in a folder."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

_POLITE_SECONDS = 10.0
_TICK_SECONDS = 0.05


class Processes:
    """What runs for one state folder: ``<name>.pid`` below ``run/``, its output in ``log/<name>.log``."""

    def __init__(self, folder: Path) -> None:
        self._run = folder / "run"
        self._log = folder / "log"
        self._run.mkdir(parents=True, exist_ok=True)
        self._log.mkdir(exist_ok=True)
        self._children: list[subprocess.Popen[bytes]] = []

    def log(self, name: str) -> Path:
        return self._log / f"{name}.log"

    def start(self, name: str, command: list[str | Path], cwd: Path) -> None:
        """The process runs, in a session of its own, so that the terminal's signals do not reach it."""
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self._children.append(process)
        (self._run / f"{name}.pid").write_text(f"{process.pid} {_start_time(process.pid)}")

    def pid(self, name: str) -> int | None:
        """None when it does not run, also when its number belongs to another process by now."""
        try:
            pid, started = (self._run / f"{name}.pid").read_text().split()
        except FileNotFoundError:
            return None
        return int(pid) if started and _start_time(int(pid)) == started else None

    def stop_all(self) -> None:
        """Nothing runs: the youngest is asked first, each is killed after ten seconds."""
        notes = sorted(self._run.glob("*.pid"), key=lambda note: note.stat().st_mtime_ns, reverse=True)
        for note in notes:
            if pid := self.pid(note.stem):
                _stop(pid)
            note.unlink()
        for child in self._children:
            child.wait()


def _stop(pid: int) -> None:
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + _POLITE_SECONDS
    while _start_time(pid):
        if time.monotonic() > deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_TICK_SECONDS)


def _start_time(pid: int) -> str:
    """In clock ticks since boot; empty when it has ended, reaped or not."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[0] == "Z" else fields[19]
