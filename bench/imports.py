"""What a process pays before its first line of work: the CPU time and the memory of its imports."""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# What each process runs; a process is what its main module brings in.
PROCESSES = {
    "virt-launcher": "virtdeck.launcher.main",
    "virt-handler": "virtdeck.node_agent.main",
    "virt-controller": "virtdeck.controllers.main",
    "virt-api": "virtdeck.gateway.main",
    "API server": "virtdeck.standalone.apiserver.main",
    "pod runner": "virtdeck.standalone.runner.main",
    "supervisor": "virtdeck.standalone.supervisor.loop",
    "types of a VMI alone, which a launcher loads with its first": "virtdeck.crds.kubevirt.vmi",
}
_ROUNDS = 5
_PROBE = """
import importlib, json, sys, time
def memory():
    with open("/proc/self/smaps_rollup") as rollup:
        parts = dict(line.split(":") for line in rollup if line.startswith("Private_"))
    return sum(int(size.split()[0]) for size in parts.values())
before, began = memory(), time.process_time()
importlib.import_module(sys.argv[1])
spent = time.process_time() - began
types = sum(name.startswith("virtdeck.crds") for name in sys.modules)
print(json.dumps({"seconds": spent, "kib": memory() - before, "modules": len(sys.modules), "types": types}))
"""


@dataclass(frozen=True)
class Cost:
    """The imports of one process. milliseconds: of CPU. private_bytes: its own. types: modules of crds."""

    process: str
    milliseconds: float
    private_bytes: int
    modules: int
    types: int


def import_costs(python: str = sys.executable) -> Iterator[Cost]:
    """Each process's cost, by the interpreter of the environment that is measured; medians of five."""
    for process, module in PROCESSES.items():
        rounds = [_measured(python, module) for _ in range(_ROUNDS)]
        yield Cost(
            process,
            statistics.median(one["seconds"] for one in rounds) * 1000,
            int(statistics.median(one["kib"] for one in rounds)) * 1024,
            int(rounds[0]["modules"]),
            int(rounds[0]["types"]),
        )


def _measured(python: str, module: str) -> dict[str, float]:
    folder = Path(__file__).parents[1]
    done = subprocess.run(
        [python, "-c", _PROBE, module],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found
