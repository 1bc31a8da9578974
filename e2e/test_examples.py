"""KubeVirt's own example manifests, applied with kubectl, give running guests."""

from typing import Any

import pytest
from e2e.conftest import Manifests
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(240)]

VMIS = ("vmi-kernel-boot", "vmi-ephemeral", "vmi-nocloud", "vmi-masquerade")


@pytest.mark.parametrize("name", VMIS)
def test_example_vmi_runs_and_leaves_nothing(product: Product, manifest: Manifests, name: str) -> None:
    product.apply(manifest(name))
    vmi = product.wait_for_phase(name, "Running")
    until(lambda: product.get("vmi", name), is_ready, 10)
    [pod_uid] = vmi["status"]["activePods"]
    assert (product.state / "kubelet" / "pods" / pod_uid).is_dir()
    product.kubectl("delete", "vmi", name, "--timeout=60s")
    until((product.state / "kubelet" / "pods" / pod_uid).exists, lambda there: not there, 20)


def is_ready(vmi: dict[str, Any]) -> bool:
    return [c["status"] for c in vmi["status"]["conditions"] if c["type"] == "Ready"] == ["True"]


def test_example_vm_starts_when_told_and_kubectl_shows_it(product: Product, manifest: Manifests) -> None:
    product.apply(manifest("vm-cirros"))
    stopped = until(
        lambda: product.get("vm", "vm-cirros"),
        lambda vm: vm is not None and vm.get("status", {}).get("printableStatus") == "Stopped",
        20,
    )
    assert stopped["status"].get("created") in (None, False)
    product.kubectl(
        "patch", "vm", "vm-cirros", "--type", "merge", "-p", '{"spec": {"runStrategy": "Always"}}'
    )
    product.wait_for_phase("vm-cirros", "Running")
    table = product.kubectl("get", "vm,vmi,pods")
    headings = [line.split() for line in table.splitlines() if line.startswith("NAME")]
    assert headings == [
        ["NAME", "AGE", "STATUS", "READY"],
        ["NAME", "AGE", "PHASE", "IP", "NODENAME", "READY"],
        ["NAME", "READY", "STATUS", "RESTARTS", "AGE"],
    ]
    until(
        lambda: product.get("vm", "vm-cirros"),
        lambda vm: vm["status"]["printableStatus"] == "Running" and vm["status"]["ready"],
        20,
    )
    story = product.kubectl("describe", "vmi", "vm-cirros")
    for reason in ("SuccessfulCreate", "Created", "Started"):
        assert reason in story
    product.kubectl("delete", "vm", "vm-cirros", "--timeout=60s")
    product.wait_gone("vmi", "vm-cirros")
