"""The embedded API server beside kube-apiserver with etcd: ``python -m bench.apiserver [seconds]``."""

import gzip
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.api_fanout import fan_out
from bench.api_pressure import press, require_wrk
from bench.api_sides import VMS, Side, ours, real
from e2e.machines import disk_vm

CLIENTS = (1, 8, 32)
MACHINES = 10_000
WATCHERS, WRITES = 200, 60
Row = tuple[str, str, str, str]


def body() -> str:
    """A stopped machine of about 2 KiB, its name still to be given."""
    made = json.loads(disk_vm("NAME", "#cloud-config\n" + "# padding\n" * 150, "Halted"))
    return json.dumps(made, separators=(",", ":")).replace(
        '{"name":"NAME"}', '{"name":"NAME","labels":{"bench":"yes"}}'
    )


def empty(sides: tuple[Side, Side]) -> list[Row]:
    """A server that was just started."""
    ready, memory = [one.ready_seconds for one in sides], [one.memory() for one in sides]
    return [
        _row("start to ready, empty", [f"{one:.2f} s" for one in ready], [1 / one for one in ready]),
        _row(
            "memory (PSS), empty", [f"{one / 2**20:.0f} MiB" for one in memory], [1 / one for one in memory]
        ),
    ]


def rates(sides: tuple[Side, Side], seconds: int) -> list[Row]:
    """Requests per second of each verb and number of clients, the two servers in turn."""
    rows = []
    for verb in ("create", "update", "patch", "get"):
        for clients in CLIENTS:
            prefix = f"{verb}-{clients}-" if verb == "create" else f"create-{CLIENTS[-1]}-"
            found = [press(side, verb, clients, seconds, prefix, body()) for side in sides]
            name = f"{verb}, {clients} client{'s' if clients > 1 else ''}"
            rows.append(
                _row(
                    name,
                    [f"{one.per_second:,.0f}/s, p99 {one.p99}" for one in found],
                    [one.per_second for one in found],
                )
            )
            rows.append(
                _row(
                    "  CPU a request",
                    [f"{one.cpu * 1e3:.2f} ms" for one in found],
                    [1 / one.cpu for one in found],
                )
            )
    return rows


def crowds(sides: tuple[Side, Side]) -> list[Row]:
    """Time from a write to the last of many watchers."""
    found = [fan_out(side, WATCHERS, WRITES, body()) for side in sides]
    texts = [f"{one.median * 1e3:.1f} / {one.p95 * 1e3:.1f} ms" for one in found]
    return [
        _row(f"write to the last of {WATCHERS} watchers, p50 / p95", texts, [1 / one.median for one in found])
    ]


def machines(sides: tuple[Side, Side]) -> list[Row]:
    """With 10,000 machines: the whole list, memory, disk."""
    lists, sizes = [], []
    for side in sides:
        while (present := _count(side)) < MACHINES:
            press(side, "create", 16, 4, f"more-{present}-", body())
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            raw = side.call("GET", f"{VMS}?limit={MACHINES}")
            times.append(time.perf_counter() - begun)
        lists.append(statistics.median(times))
        packed = side.call("GET", f"{VMS}?limit={MACHINES}", headers={"Accept-Encoding": "gzip"})
        sizes.append((len(raw), len(packed), len(gzip.decompress(packed))))
    memory = [side.memory() for side in sides]
    disk = [side.disk() for side in sides]
    mega = 2**20
    return [
        _row(
            f"list of {MACHINES:,} machines",
            [f"{one * 1e3:.0f} ms" for one in lists],
            [1 / one for one in lists],
        ),
        _row(
            "  its bytes, gzipped",
            [f"{raw / mega:.1f}, {packed / mega:.1f} MiB" for raw, packed, _ in sizes],
            [],
        ),
        _row("memory (PSS) then", [f"{one / mega:.0f} MiB" for one in memory], [1 / one for one in memory]),
        _row("files on disk then", [f"{one / mega:.0f} MiB" for one in disk], [1 / one for one in disk]),
    ]


def _count(side: Side) -> int:
    meta = json.loads(side.call("GET", f"{VMS}?limit=1"))["metadata"]
    return 1 + int(meta.get("remainingItemCount", 0))


def _row(name: str, texts: list[str], better_is_more: list[float]) -> Row:
    ratio = f"{better_is_more[0] / better_is_more[1]:.1f}" if better_is_more else ""
    return name, texts[0], texts[1], ratio


def main(arguments: list[str]) -> int:
    """Prints one table; the ratio says how many times better ours is."""
    require_wrk()
    seconds = int(arguments[0]) if arguments else 5
    with (
        tempfile.TemporaryDirectory(prefix="virtdeck-bench-", dir="/var/tmp") as folder,
        ours(Path(folder) / "ours") as mine,
        real(Path(folder) / "real") as theirs,
    ):
        sides = (mine, theirs)
        rows = [*empty(sides), *rates(sides, seconds), *crowds(sides), *machines(sides)]
    for name, mine_text, their_text, ratio in [("", "ours", "kube-apiserver + etcd", "ratio"), *rows]:
        print(f"{name:48} {mine_text:>26} {their_text:>26} {ratio:>6}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
