"""One supervised process: how it is started, what became of it, when it may start again."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 30.0
# glibc's malloc: one arena, since Python's threads take turns anyway; what is large goes back to the kernel
# when it is freed. Otherwise the lists of a start stay with a process for its life: 3 MB.
ALLOCATION = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "131072",
    "MALLOC_TRIM_THRESHOLD_": "131072",
}
# A process that ran this long was well: its next failure starts the pauses anew.
STEADY_SECONDS = 60.0


@dataclass(frozen=True)
class Program:
    """What to run: ``needs`` names the components that must be ready before it is started.

    once: it does its work and ends. repeat_seconds: it is run again and again, first after this time; nobody
    waits for it.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    needs: tuple[str, ...] = ()
    once: bool = False
    repeat_seconds: float = 0.0


@dataclass
class Component:
    """The state of one program; times are monotonic seconds."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    ready: bool = False
    finished: bool = False
    restarts: int = 0
    started_at: float = 0.0
    retry_at: float = 0.0
    pause_seconds: float = FIRST_PAUSE_SECONDS
    last_exit: str = ""
    notify: socket.socket = field(default_factory=lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process else None

    @property
    def is_satisfied(self) -> bool:
        """Others that need this one may start."""
        if self.program.repeat_seconds:
            return True
        return self.finished if self.program.once else self.ready

    def start(self, run_folder: Path) -> None:
        """The process runs; its notifications come to ``notify``."""
        address = f"\0virtdeck-{os.getpid()}-{self.program.name}-{time.monotonic_ns()}"
        self.notify.close()
        self.notify = socket.socket(
            socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        )
        self.notify.bind(address)
        environment = {
            **ALLOCATION,
            **os.environ,
            "NOTIFY_SOCKET": "@" + address[1:],
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        with self.program.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.program.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment,
                start_new_session=True,
            )
        self.ready = False
        self.started_at = time.monotonic()
        record_process(run_folder, self.program.name, self.process.pid)

    def reap(self) -> None:
        """The process has ended: its next start is planned, later each time that it fails soon."""
        if self.process is None:
            return
        code = self.process.wait()
        now = time.monotonic()
        self.last_exit = _exit_words(code)
        self.process, self.ready = None, False
        if self.program.repeat_seconds and code == 0:
            self.retry_at, self.pause_seconds = now + self.program.repeat_seconds, FIRST_PAUSE_SECONDS
            return
        if self.program.once and code == 0:
            self.finished = True
            return
        if now - self.started_at > STEADY_SECONDS:
            self.pause_seconds = FIRST_PAUSE_SECONDS
        self.retry_at = now + self.pause_seconds
        self.pause_seconds = min(self.pause_seconds * 2, LONGEST_PAUSE_SECONDS)
        self.restarts += 1

    def read_notifications(self) -> None:
        """What the process said of itself is known."""
        while True:
            try:
                text = self.notify.recv(4096)
            except BlockingIOError:
                return
            if b"READY=1" in text.split(b"\n"):
                self.ready = True


def _exit_words(code: int) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


def record_process(run_folder: Path, name: str, pid: int) -> None:
    """A later supervisor can find this process again and tell it from a stranger with its number."""
    (run_folder / f"{name}.pid").write_text(f"{pid} {start_time(pid)}\n")


def stop_recorded(run_folder: Path, name: str, ends_within: Callable[[int], bool]) -> None:
    """A process that an earlier supervisor left behind is gone."""
    path = run_folder / f"{name}.pid"
    try:
        pid, started = path.read_text().split()
    except (OSError, ValueError):
        return
    if start_time(int(pid)) == started:
        _stop(int(pid), ends_within)
    path.unlink(missing_ok=True)


def _stop(pid: int, ends_within: Callable[[int], bool]) -> None:
    for step in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, step)
        except ProcessLookupError:
            return
        if ends_within(pid):
            return


def start_time(pid: int) -> str:
    """When the process started, in ticks since boot; empty when there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
