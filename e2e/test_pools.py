"""A pool as its users meet it: kubectl scales it, its guests run, a changed template rolls over them."""

import json
from typing import Any

import pytest
from e2e.conftest import Manifests
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(240)]

POOL = "vm-pool-cirros"
CHANGE = {"template": {"spec": {"domain": {"memory": {"guest": "160Mi"}}}}}
PATCH = json.dumps({"spec": {"maxUnavailable": 1, "virtualMachineTemplate": {"spec": CHANGE}}})


def status(product: Product) -> dict[str, Any]:
    found = product.get("vmpool", POOL)
    return found.get("status", {}) if found else {}


def ready(product: Product, count: int, seconds: float = 90) -> None:
    until(lambda: status(product), lambda shown: shown.get("readyReplicas") == count, seconds)


def sizes(product: Product) -> list[str]:
    """The memory of the pool's guests."""
    path = '{range .items[*]}{.spec.domain.memory.guest}{" "}{end}'
    return product.kubectl("get", "vmi", "-l", f"kubevirt.io/vmpool={POOL}", "-o", f"jsonpath={path}").split()


def test_example_pool_scales_rolls_over_and_goes(product: Product, manifest: Manifests) -> None:
    product.apply(manifest(POOL))
    ready(product, 3)
    machines = product.kubectl("get", "vm", "-o", "name").split()
    assert {f"virtualmachine.kubevirt.io/{POOL}-{index}" for index in range(3)} <= set(machines)
    product.kubectl("scale", "vmpool", POOL, "--replicas", "2")
    until(lambda: status(product), lambda shown: shown.get("replicas") == 2, 30)
    ready(product, 2)
    product.kubectl("patch", "vmpool", POOL, "--type", "merge", "-p", PATCH)
    until(lambda: sizes(product), lambda found: found == ["160Mi", "160Mi"], 90)
    ready(product, 2)
    table = product.kubectl("get", "vmpool", POOL).splitlines()
    assert [table[0].split(), table[1].split()[:4]] == [
        ["NAME", "DESIRED", "CURRENT", "READY", "AGE"],
        [POOL, "2", "2", "2"],
    ]
    story = product.kubectl("describe", "vmpool", POOL)
    for reason in ("SuccessfulCreate", "SuccessfulDelete", "SuccessfulUpdate"):
        assert reason in story
    product.kubectl("delete", "vmpool", POOL, "--timeout=60s")
    for index in range(3):
        product.wait_gone("vm", f"{POOL}-{index}")
