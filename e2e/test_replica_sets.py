"""A replica set as its users meet it: kubectl scales it, its guests run, one that is killed is replaced."""

from typing import Any

import pytest
from e2e.conftest import Manifests
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(240)]

SET = "vmi-replicaset-cirros"
LABEL = f"kubevirt.io/vmReplicaSet={SET}"


def status(product: Product) -> dict[str, Any]:
    found = product.get("vmirs", SET)
    return found.get("status", {}) if found else {}


def ready(product: Product, count: int, seconds: float = 90) -> None:
    until(lambda: status(product), lambda shown: shown.get("readyReplicas", 0) == count, seconds)


def guests(product: Product) -> set[str]:
    return set(product.kubectl("get", "vmi", "-l", LABEL, "-o", "name").split())


def scale(product: Product, count: int) -> None:
    product.kubectl("scale", "vmirs", SET, "--replicas", str(count))


def test_example_replica_set_scales_and_replaces(product: Product, manifest: Manifests) -> None:
    product.apply(manifest(SET))
    scale(product, 0)
    until(lambda: guests(product), lambda found: not found, 60)
    scale(product, 3)
    ready(product, 3)
    before = guests(product)
    victim = sorted(before)[0]
    product.kubectl("delete", victim, "--wait=false")
    until(lambda: guests(product), lambda found: victim not in found and len(found) == 3, 90)
    ready(product, 3)
    scale(product, 1)
    until(lambda: guests(product), lambda found: len(found) == 1, 60)
    table = product.kubectl("get", "vmirs", SET).splitlines()
    assert [table[0].split(), table[1].split()[:4]] == [
        ["NAME", "DESIRED", "CURRENT", "READY", "AGE"],
        [SET, "1", "1", "1"],
    ]
    story = product.kubectl("describe", "vmirs", SET)
    for reason in ("SuccessfulCreate", "SuccessfulDelete"):
        assert reason in story
    product.kubectl("delete", "vmirs", SET, "--timeout=60s")
    until(lambda: guests(product), lambda found: not found, 60)
