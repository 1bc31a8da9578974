"""What a process costs: memory, descriptors, threads, and the store's files."""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.contract.apiserver.running import Running


@dataclass(frozen=True)
class Cost:
    """Of one process, now. resident: bytes of its own, without what it shares."""

    resident: int
    descriptors: int
    threads: int


def cost_of(pid: int) -> Cost:
    """What the process costs now."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    pss = int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1])  # type: ignore[index]
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    return Cost(pss * 1024, descriptors, threads)


def cpu_seconds(pid: int) -> float:
    """How long the process's main thread has been on a processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def store_bytes(server: Running) -> tuple[int, int]:
    """The store's file and its log of latest writes."""
    store = server.state.path("apiserver", "store.sqlite")
    log = store.with_name(f"{store.name}-wal")
    return store.stat().st_size, log.stat().st_size if log.exists() else 0
