"""Who wrote what to the API while one VMI started, from the API server's own audit log."""

import itertools
import json
import time
from dataclasses import dataclass
from typing import Any

from bench.starting import COLLECTION
from e2e.api import Api
from e2e.machines import kernel_boot_vmi
from e2e.product import Product

NAME = "bench-writes"
VMIS = "virtualmachineinstances"
WRITES = {"create", "update", "patch", "delete"}
# A kubelet's own writes and reports for people do not count: every Kubernetes has them.
NOT_COUNTED = ("system:node:", "system:serviceaccount:kube-system:")


@dataclass(frozen=True)
class Writes:
    """Of the VMI and its pod, the client's create counted.

    to_running: with the one that said Running. settled: with those that follow within seconds (Ready).
    """

    to_running: int
    settled: int


def writes_of_one_start(product: Product) -> Writes:
    """What one start of a VMI costs the API server."""
    log = product.state / "log" / "audit.log"
    before = log.stat().st_size
    api = Api(product)
    watch = api.watch(f"{COLLECTION}?fieldSelector=metadata.name%3D{NAME}")
    product.apply(kernel_boot_vmi(NAME))
    events = 1 + sum(1 for _ in itertools.takewhile(lambda event: not says_running(event), watch))
    time.sleep(3)
    with log.open() as file:
        file.seek(before)
        entries = [json.loads(line) for line in file]
    product.kubectl("delete", "vmi", NAME, "--timeout=60s")
    counted = [entry for entry in entries if entry["verb"] in WRITES and is_counted(entry)]
    return Writes(position_of_running(counted, events), len(counted))


def says_running(event: dict[str, Any]) -> bool:
    """The watch event shows a running VMI."""
    return bool(event["object"].get("status", {}).get("phase") == "Running")


def resource_of(entry: dict[str, Any]) -> str:
    """``pods`` or ``pods/status``."""
    reference = entry.get("objectRef", {})
    parts = (reference.get("resource", ""), reference.get("subresource", ""))
    return "/".join(part for part in parts if part)


def position_of_running(counted: list[dict[str, Any]], events: int) -> int:
    """How many writes there were up to the VMI's write number ``events``, the one that said Running."""
    of_vmi = [number for number, entry in enumerate(counted, 1) if resource_of(entry) == VMIS]
    return of_vmi[events - 1]


def is_counted(entry: dict[str, Any]) -> bool:
    """The write is one of the budget's."""
    return resource_of(entry) in {VMIS, "pods", "pods/status"} and not entry["user"]["username"].startswith(
        NOT_COUNTED
    )
