"""KubeVirt's example instance types give guests their size, and a later change leaves machines alone."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from e2e.api import Api, Terminal
from e2e.conftest import Manifests
from e2e.machines import kernel_boot_vm
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(300)]

EXAMPLES = {
    "vm-cirros-csmall": "csmall",
    "vm-cirros-clarge": "clarge",
    "vm-cirros-cluster-csmall": "cluster-csmall",
}
SIZES = {"csmall": (1, "128Mi"), "clarge": (4, "2Gi"), "cluster-csmall": (1, "128Mi")}
NAME = "sized"


@pytest.fixture(scope="module", autouse=True)
def sizes(product: Product) -> Iterator[None]:
    """The examples' instance types, and one of our own."""
    manifest = Manifests()
    for name in SIZES:
        product.apply(manifest(name))
    product.apply(instancetype(2, "160Mi"))
    yield
    product.kubectl("delete", "vmf", "csmall", "clarge", "ours")
    product.kubectl("delete", "vmcf", "cluster-csmall")


def instancetype(processors: int, memory: str) -> str:
    """The instance type ``ours``."""
    spec = {"cpu": {"guest": processors}, "memory": {"guest": memory}}
    kind = {"apiVersion": "instancetype.kubevirt.io/v1beta1", "kind": "VirtualMachineInstancetype"}
    return json.dumps(kind | {"metadata": {"name": "ours"}, "spec": spec})


def sized(strategy: str, **domain: Any) -> str:
    """A kernel-boot machine of the size ``ours``; ``domain`` says more of it."""
    vm = json.loads(kernel_boot_vm(NAME, strategy))
    del vm["spec"]["template"]["spec"]["domain"]["memory"]
    vm["spec"]["template"]["spec"]["domain"] |= domain
    vm["spec"]["instancetype"] = {"kind": "VirtualMachineInstancetype", "name": "ours"}
    return json.dumps(vm)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_refused_as_it_is_and_runs_without_its_own_memory(
    product: Product, manifest: Manifests, name: str
) -> None:
    """As in KubeVirt: what these machines say of memory, their instance type gives already."""
    told = product.kubectl("apply", "-f", "-", stdin=manifest(name), check=False)
    assert "spec.template.spec.domain.memory.guest" in told
    vm = yaml.safe_load(manifest(name))
    del vm["spec"]["template"]["spec"]["domain"]["memory"]
    vm["spec"]["runStrategy"] = "Always"
    product.apply(json.dumps(vm))
    vmi = product.wait_for_phase(name, "Running")
    processors, memory = SIZES[EXAMPLES[name]]
    assert vmi["spec"]["domain"]["memory"]["guest"] == memory
    assert vmi["spec"]["domain"]["cpu"]["sockets"] == processors
    product.kubectl("delete", "vm", name, "--timeout=60s")


def test_every_conflict_is_named(product: Product) -> None:
    stated = sized("Halted", memory={"guest": "1Gi"}, cpu={"cores": 3})
    told = product.kubectl("apply", "-f", "-", stdin=stated, check=False)
    for field in ("memory.guest", "cpu.cores"):
        assert f"spec.template.spec.domain.{field}" in told
    assert product.get("vm", NAME) is None


def test_the_guest_sees_its_size_and_keeps_it_when_the_instance_type_changes(product: Product) -> None:
    product.apply(sized("Always"))
    first = product.wait_for_phase(NAME, "Running")
    assert what_the_guest_sees(product) == 2
    code, expanded = Api(product).sub("GET", "virtualmachines", NAME, "expand-spec")
    assert code == 200
    domain = expanded["spec"]["template"]["spec"]["domain"]
    assert (domain["cpu"]["sockets"], domain["memory"]["guest"]) == (2, "160Mi")
    product.apply(instancetype(1, "96Mi"))
    product.kubectl("delete", "vmi", NAME, "--timeout=60s")
    until(
        lambda: product.get("vmi", NAME),
        lambda vmi: vmi is not None and vmi["metadata"]["uid"] != first["metadata"]["uid"],
        30,
    )
    product.wait_for_phase(NAME, "Running")
    assert what_the_guest_sees(product) == 2
    product.kubectl("delete", "vm", NAME, "--timeout=60s")


def what_the_guest_sees(product: Product) -> int:
    """Its processors; its memory is checked on the way."""
    with Api(product).stream("virtualmachineinstances", NAME, "console") as stream:
        terminal = Terminal(stream)
        terminal.wake()
        kibibytes = int(terminal.run("grep MemTotal /proc/meminfo").split()[1])
        assert 100 << 10 < kibibytes < 160 << 10
        return int(terminal.run("grep -c ^processor /proc/cpuinfo").split()[-1])


def test_a_bundled_size_and_system_run_by_name(product: Product) -> None:
    vm = json.loads(sized("Always"))
    vm["spec"] |= {"instancetype": {"name": "u1.nano"}, "preference": {"name": "linux"}}
    until(lambda: product.get("vmcp", "linux"), lambda found: found is not None, 30)
    product.apply(json.dumps(vm))
    vmi = product.wait_for_phase(NAME, "Running")
    assert vmi["spec"]["domain"]["memory"]["guest"] == "512Mi"
    assert vmi["spec"]["domain"]["devices"]["rng"] == {}
    assert vmi["metadata"]["annotations"]["kubevirt.io/cluster-instancetype-name"] == "u1.nano"
    product.kubectl("delete", "vm", NAME, "--timeout=60s")
