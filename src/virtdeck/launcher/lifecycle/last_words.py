"""What is left of a QEMU that ended badly: its exit code and the end of its log."""

import os
import signal
from typing import Final

LOG_TAIL_BYTES: Final = 4096
MAX_WORDS: Final = 512
# libvirt's own lines in QEMU's log, which say nothing of the cause.
_NOISE: Final = ("shutting down, reason=", "starting up libvirt version", "char device redirected")


def describe_end(exit_code: int | None, log: str) -> str:
    """Why QEMU ended, as far as anything says so; empty when nothing does. exit_code: minus a signal."""
    parts = []
    if exit_code == -signal.SIGKILL:
        parts.append("it was killed (SIGKILL): by hand, or by the kernel for want of memory")
    elif exit_code is not None and exit_code < 0:
        parts.append(f"it died of {signal.Signals(-exit_code).name}")
    elif exit_code:
        parts.append(f"it ended with exit code {exit_code}")
    lines = [line.strip() for line in log.splitlines() if not any(noise in line for noise in _NOISE)]
    if lines and lines[-1].startswith("2") and "qemu" in lines[-1]:  # a message with QEMU's time stamp
        parts.append(lines[-1].partition("Z ")[2] or lines[-1])
    return "; ".join(parts)[:MAX_WORDS]


def read_tail(path: str) -> str:
    """The end of a file, or nothing when it is not there."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would cost each launcher 3 ms
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - LOG_TAIL_BYTES))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def read_pid(path: str) -> int | None:
    """The pid in the file, or None."""
    text = read_tail(path).strip()
    return int(text) if text.isdigit() else None
