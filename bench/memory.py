"""Memory and CPU of processes as the kernel accounts them."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from e2e.machines import kernel_boot_vmi
from e2e.product import Product, all_processes, program_of, until

NAME = "bench-memory"


def pss_bytes(pid: int) -> int:
    """Proportional set size: shared pages count by their share. 0 when the process is gone."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    [line] = [line for line in rollup.splitlines() if line.startswith("Pss:")]
    return int(line.split()[1]) * 1024


def cpu_seconds(pid: int) -> float:
    """Time on a processor so far, of all threads; /proc/<pid>/stat counts in ticks, too coarse here."""
    nanoseconds = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):
            nanoseconds += int(thread.read_text().split()[0])
    return nanoseconds / 1e9


def share_of_a_core(pids: Iterable[int], seconds: float) -> float:
    """How much of one core the processes take while nothing is asked of them, 0.01 = 1 %."""
    watched = list(pids)
    before = sum(map(cpu_seconds, watched))
    time.sleep(seconds)
    return (sum(map(cpu_seconds, watched)) - before) / seconds


@dataclass(frozen=True)
class Idle:
    """The product while nobody asks anything of it."""

    pss_bytes: dict[str, int]
    core_share: float


def idle_product(product: Product, seconds: float) -> Idle:
    """Every process of the product, the supervisor included, a while after the last VM has gone."""
    time.sleep(10)
    pids = product.components() | {"supervisor": _supervisor(product)}
    share = share_of_a_core(pids.values(), seconds)
    return Idle({name: pss_bytes(pid) for name, pid in pids.items()}, share)


def launcher_side(product: Product) -> int:
    """PSS of everything that one VM adds on its node, QEMU itself left out."""
    product.apply(kernel_boot_vmi(NAME))
    product.wait_for_phase(NAME, "Running")
    time.sleep(15)
    [pod_uid] = (product.get("vmi", NAME) or {})["status"]["activePods"]
    pids = [pid for pid in all_processes() if _belongs(pid, pod_uid) and program_of(pid) != "qemu-system-x86"]
    total = sum(map(pss_bytes, pids))
    product.kubectl("delete", "vmi", NAME, "--timeout=60s")
    until(lambda: [pid for pid in all_processes() if _belongs(pid, pod_uid)], lambda left: not left, 20)
    return total


def _belongs(pid: int, pod_uid: str) -> bool:
    try:
        cgroup = Path(f"/proc/{pid}/cgroup").read_text()
        command = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
    return pod_uid in cgroup or (pod_uid in command and "conmon" in command)


def _supervisor(product: Product) -> int:
    wanted = f"virtdeck.standalone.supervisor\0{product.state}\0"
    [pid] = [pid for pid in all_processes() if wanted in _command(pid)]
    return pid


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
