"""Processes by number and time of birth, so that a number given to another is noticed."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import anyio


@dataclass(frozen=True)
class ProcessId:
    """One process. born: clock ticks since boot. Source: /proc/<pid>/stat, field 22"""

    pid: int
    born: int

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """The process that has this number now."""
        found = _read_stat(pid)
        return cls(pid, found[1]) if found else None


def is_alive(process: ProcessId) -> bool:
    """The process exists and is no zombie."""
    found = _read_stat(process.pid)
    return found is not None and found[1] == process.born and found[0] not in "ZX"


def signal_process(process: ProcessId, number: signal.Signals) -> None:
    """The process has the signal; nothing happens when it is gone."""
    descriptor = _open(process)
    if descriptor is not None:
        try:
            signal.pidfd_send_signal(descriptor, number)
        except ProcessLookupError:
            return
        finally:
            os.close(descriptor)


def handles(process: ProcessId, number: signal.Signals) -> bool:
    """The process has a handler for the signal. The first process of a container is deaf to it until then."""
    try:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    except OSError:
        return False
    caught = next((line.split()[1] for line in lines if line.startswith("SigCgt:")), "0")
    return bool(int(caught, 16) >> (number - 1) & 1)


async def wait_ended(process: ProcessId) -> None:
    """The process has ended. Cancel: safe."""
    descriptor = _open(process)
    if descriptor is None:
        return
    try:
        await anyio.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def _open(process: ProcessId) -> int | None:
    try:
        descriptor = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return None
    if is_alive(process):  # checked after opening: from here on the descriptor means this process
        return descriptor
    os.close(descriptor)
    return None


def _read_stat(pid: int) -> tuple[str, int] | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name before it may hold anything
    return fields[0], int(fields[19])
