"""Who wrote what to the API while one VMI started, from the API server's own audit log."""

import json
import time
from collections import Counter

from e2e.machines import kernel_boot_vmi
from e2e.product import Product

NAME = "bench-writes"
WRITES = {"create", "update", "patch", "delete"}
# A kubelet's own writes and reports for people do not count: every Kubernetes has them.
NOT_COUNTED = ("system:node:", "system:serviceaccount:kube-system:")


def writes_of_one_start(product: Product) -> int:
    """Writes to the VMI and its pod from create to Running, the client's create counted."""
    log = product.state / "log" / "audit.log"
    before = log.stat().st_size
    product.apply(kernel_boot_vmi(NAME))
    product.wait_for_phase(NAME, "Running")
    time.sleep(3)
    with log.open() as file:
        file.seek(before)
        entries = [json.loads(line) for line in file]
    counted = Counter(
        (entry["user"], entry["verb"], entry["resource"])
        for entry in entries
        if entry["verb"] in WRITES and is_counted(entry)
    )
    product.kubectl("delete", "vmi", NAME, "--timeout=60s")
    return sum(counted.values())


def is_counted(entry: dict[str, str]) -> bool:
    """The write is one of the budget's."""
    return entry["resource"] in {
        "virtualmachineinstances",
        "pods",
        "pods/status",
    } and not entry["user"].startswith(NOT_COUNTED)
