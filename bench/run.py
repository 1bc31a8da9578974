"""Measures an instance of its own and prints one table: ``.venv/bin/python -m bench.run [section …]``."""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import admission, imports, lists, memory, starting, vnc, writes
from bench.installed import Installed, environment
from e2e.api import Api
from e2e.product import Product, free_address

Row = tuple[str, str, str]


def main(sections: list[str]) -> int:
    """Prints figure, value and goal of each section."""
    wanted = sections or list(SECTIONS)
    rows: list[Row] = []
    with running_product() as (product, ready):
        rows += ready
        for name in wanted:
            sys.stderr.write(f"measuring {name}\n")
            rows += SECTIONS[name](product)
    width = max(len(row[0]) for row in rows)
    for figure, value, goal in rows:
        print(f"{figure.ljust(width)}  {value:>24}  {goal}")
    return 0


@contextmanager
def running_product() -> Iterator[tuple[Product, list[Row]]]:
    """A fresh instance, with the times of its first and second start."""
    folder = Path(tempfile.mkdtemp(prefix="virtdeck-bench-", dir="/var/tmp"))
    product = Installed(folder / "state", free_address())
    started = time.monotonic()
    product.up()
    first = time.monotonic() - started
    product.command("down")
    started = time.monotonic()
    product.up()
    second = time.monotonic() - started
    rows = [
        ("first start, demo images built", f"{first:.1f} s", ""),
        ("second start until ready", f"{second:.2f} s", "goal 3 s"),
    ]
    try:
        yield product, rows
    finally:
        product.command("down", "--vms", check=False)
        shutil.rmtree(folder, ignore_errors=True)


def measure_starts(product: Product) -> list[Row]:
    """create → Running beside virsh create, in turn."""
    pairs = starting.paired_starts(product, rounds=7)
    ours = statistics.median(pair.ours_seconds for pair in pairs)
    theirs = statistics.median(pair.virsh_seconds for pair in pairs)
    ratio = statistics.median(pair.ours_seconds / pair.virsh_seconds for pair in pairs)
    return [
        ("create -> Running, median", f"{ours:.3f} s", ""),
        ("virsh create of the same XML, median", f"{theirs:.3f} s", ""),
        ("ratio, median of pairs", f"{ratio:.2f}", "goal <= 2.5"),
    ]


def measure_writes(product: Product) -> list[Row]:
    """API writes from create to Running."""
    count = writes.writes_of_one_start(product)
    return [
        ("API writes, create to Running, create counted", str(count.to_running), "goal <= 4"),
        ("API writes until Ready, 3 s later", str(count.settled), ""),
    ]


def measure_memory(product: Product) -> list[Row]:
    """One VM's launcher side, and the idle product."""
    launcher = memory.launcher_side(product)
    idle = memory.idle_product(product, seconds=30.0)
    parts = ", ".join(f"{name} {size / 2**20:.0f}" for name, size in idle.pss_bytes.items())
    return [
        ("PSS of one VM's launcher side", f"{launcher / 2**20:.1f} MB", "goal <= 45 MB"),
        (
            "PSS of the idle product",
            f"{sum(idle.pss_bytes.values()) / 2**20:.0f} MB",
            f"goal <= 220 MB ({parts})",
        ),
        ("CPU of the idle product", f"{idle.core_share * 100:.2f} % of a core", "goal <= 1 %"),
    ]


def measure_list(product: Product) -> list[Row]:
    """The VM list page at 1,000 and 5,000 VMs."""
    rows = []
    for machines in (1000, 5000):
        page = lists.list_page(product, Api(product), machines, requests=60)
        times = f"{page.p50_ms:.0f} / {page.p95_ms:.0f} ms"
        rows += [
            (f"VM list page at {machines:,} VMs, p50 / p95", times, "goal p95 <= 150 ms"),
            ("  its HTML, gzipped", f"{page.gzip_bytes / 1024:.1f} KB", "goal <= 25 KB"),
        ]
    return rows


def measure_vnc(product: Product) -> list[Row]:
    """Throughput and round trip of the VNC path beside websockify."""
    paths = vnc.compare(product)
    return [
        ("VNC path, virt-api and virt-handler", f"{paths.ours_bytes_per_second / 2**20:.0f} MiB/s", ""),
        ("websockify", f"{paths.websockify_bytes_per_second / 2**20:.0f} MiB/s", ""),
        ("ratio", f"{paths.ratio:.1f}", "goal >= 3"),
        ("round trip, ours / websockify", f"{paths.ours_ms:.2f} / {paths.websockify_ms:.2f} ms", ""),
    ]


def measure_admission(product: Product) -> list[Row]:
    """The webhooks of virtual machines with every field set, and bodies that are refused."""
    rows = []
    for webhook in admission.measured_webhooks(product):
        times = f"{webhook.p50_ms:.2f} / {webhook.p95_ms:.2f} ms"
        rows += [
            (f"webhook {webhook.path}, p50 / p95", times, "goal p50 < 5 ms"),
            ("  requests per second of one core", f"{webhook.per_core_second:.0f}", "goal >= 500"),
            ("  requests per second, 4 senders on the same host", f"{webhook.per_second:.0f}", ""),
        ]
    for refusal in admission.measured_refusals(product):
        cost = f"{refusal.code} in {refusal.ms:.0f} ms"
        rows.append((f"webhook, {refusal.name}", cost, f"{refusal.cpu_ms:.1f} ms of CPU"))
    return rows


def measure_imports(_: Product) -> list[Row]:
    """What each process pays for its modules before it does anything."""
    return [
        (
            f"imports of {cost.process}",
            f"{cost.milliseconds:.0f} ms of CPU, {cost.private_bytes / 2**20:.1f} MB",
            f"{cost.modules} modules, {cost.types} of them types of the API",
        )
        for cost in imports.import_costs(str(environment() / "bin" / "python"))
    ]


SECTIONS: dict[str, Callable[[Product], list[Row]]] = {
    "start": measure_starts,
    "writes": measure_writes,
    "memory": measure_memory,
    "imports": measure_imports,
    "vnc": measure_vnc,
    "list": measure_list,
    "admission": measure_admission,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
