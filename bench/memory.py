"""Memory and CPU of processes as the kernel accounts them."""

import os
import time
from collections.abc import Iterable
from pathlib import Path


def pss_bytes(pid: int) -> int:
    """Proportional set size: shared pages count by their share. 0 when the process is gone."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    [line] = [line for line in rollup.splitlines() if line.startswith("Pss:")]
    return int(line.split()[1]) * 1024


def cpu_seconds(pid: int) -> float:
    """User and system time so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share_of_a_core(pids: Iterable[int], seconds: float) -> float:
    """How much of one core the processes take while nothing is asked of them, 0.01 = 1 %."""
    watched = list(pids)
    before = sum(map(cpu_seconds, watched))
    time.sleep(seconds)
    return (sum(map(cpu_seconds, watched)) - before) / seconds
