"""What machines leave on the host, beside what a running product keeps ready for the next ones."""

import json
from pathlib import Path
from typing import Any

from e2e.product import Product, host_traces, until

_IN_PODS = ("qemu-system-x86", "libvirtd", "python", "conmon")


def of_machines(product: Product) -> dict[str, list[str]]:
    """Everything that belongs to some pod, by kind; all empty when there is none."""
    identity = json.loads((product.state / "instance.json").read_text())["id"]
    traces = host_traces(product.state)
    ready = _ready_networks(product)
    runner = product.state / "runner"
    return {
        "pods": traces["pods"],
        "mounts": traces["mounts"],
        "processes": [f"{pid} {name}" for name in _IN_PODS for pid in product.processes_of(name)],
        "namespaces": [name for name in traces["namespaces"] if name not in ready],
        "links": traces["links"][len(ready) :],
        "leases": [name for name in _names(runner / "cni" / f"vd-{identity}") if ":" in name or "." in name][
            len(ready) + 1 :  # and the note of the last address given
        ],
        "cgroups": [str(path) for path in Path("/sys/fs/cgroup").glob(f"*/virtdeck-{identity}/*/")],
        "bundles": _names(runner / "pods") + _names(Path(f"/run/virtdeck-{identity}/runc")),
        "logs": _names(product.state / "log" / "pods"),
    }


def wait_until_nothing_is_left(product: Product, seconds: float = 10) -> None:
    """Raises: AssertionError with what is left."""
    until(lambda: of_machines(product), lambda left: not any(left.values()), seconds)


def _ready_networks(product: Product) -> set[str]:
    """Network namespaces that wait for the next pods: no pod has them."""
    notes = (product.state / "runner" / "networks").glob("*.json")
    return {note["name"] for note in map(_read, notes) if note and not note.get("pod")}


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    return found


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []
