"""However a machine is deleted, nothing of it is left on the host."""

import json
import time

import pytest
from e2e.api import Api
from e2e.leftovers import of_machines, wait_until_nothing_is_left
from e2e.machines import container_disk, kernel_boot_vm, kernel_boot_vmi
from e2e.product import Product, until

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(180)]

VMIS = "/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances"
VMS = "/apis/kubevirt.io/v1/namespaces/default/virtualmachines"


@pytest.fixture(scope="module")
def api(product: Product) -> Api:
    return Api(product)


@pytest.fixture(autouse=True)
def clean(product: Product) -> None:
    """What other tests deleted a moment ago is gone as well."""
    wait_until_nothing_is_left(product, 60)


def create(api: Api, collection: str, manifest: str) -> None:
    code, answer = api.call("POST", collection, json.loads(manifest))
    assert code == 201, answer


def wait_absent(api: Api, path: str, seconds: float = 15) -> None:
    until(lambda: api.call("GET", path)[0], lambda code: code == 404, seconds, pause=0.05)


@pytest.mark.parametrize("milliseconds", [0, 25, 50, 100, 150, 250, 400, 700])
def test_vmi_that_is_deleted_while_it_starts_is_gone_at_once(
    product: Product, api: Api, milliseconds: int
) -> None:
    create(api, VMIS, kernel_boot_vmi("early"))
    time.sleep(milliseconds / 1000)
    assert api.call("DELETE", f"{VMIS}/early")[0] == 200
    wait_absent(api, f"{VMIS}/early", 8)
    wait_until_nothing_is_left(product)
    assert "virt-launcher-early" not in product.kubectl("get", "pods")


@pytest.mark.parametrize("milliseconds", [0, 60, 200, 500])
def test_vm_that_is_deleted_while_it_starts_takes_its_instance_along(
    product: Product, api: Api, milliseconds: int
) -> None:
    create(api, VMS, kernel_boot_vm("early", "Always"))
    time.sleep(milliseconds / 1000)
    assert api.call("DELETE", f"{VMS}/early")[0] == 200
    wait_absent(api, f"{VMS}/early", 8)
    wait_absent(api, f"{VMIS}/early", 1)
    wait_until_nothing_is_left(product)


def test_vmi_that_is_deleted_twice_is_gone_once(product: Product, api: Api) -> None:
    create(api, VMIS, kernel_boot_vmi("twice"))
    product.wait_for_phase("twice", "Running")
    first = api.call("DELETE", f"{VMIS}/twice")[0]
    second = api.call("DELETE", f"{VMIS}/twice")[0]
    assert (first, second in (200, 404)) == (200, True)
    wait_absent(api, f"{VMIS}/twice")
    code, status = api.call("DELETE", f"{VMIS}/twice")
    assert (code, status["reason"]) == (404, "NotFound")
    wait_until_nothing_is_left(product)


def test_name_is_free_as_soon_as_its_machine_is_gone(product: Product, api: Api) -> None:
    for _ in range(2):
        create(api, VMIS, kernel_boot_vmi("again"))
        product.wait_for_phase("again", "Running")
        api.call("DELETE", f"{VMIS}/again")
        wait_absent(api, f"{VMIS}/again")
    wait_until_nothing_is_left(product)


def test_machine_that_waits_for_an_image_can_be_deleted(product: Product, api: Api) -> None:
    create(api, VMS, kernel_boot_vm("waits", "Always", **container_disk("team/never:v1")))
    until(
        lambda: product.get("vm", "waits"),
        lambda vm: "ImagePull" in vm.get("status", {}).get("printableStatus", ""),
        30,
    )
    api.call("DELETE", f"{VMS}/waits")
    wait_absent(api, f"{VMS}/waits", 8)
    wait_until_nothing_is_left(product)


def test_machine_whose_starts_fail_can_be_deleted(product: Product, api: Api) -> None:
    create(api, VMS, kernel_boot_vm("fails", "Always", **container_disk("virtdeck/demo-kernel:latest")))
    until(
        lambda: product.get("vm", "fails"),
        lambda vm: vm.get("status", {}).get("printableStatus") == "CrashLoopBackOff",
        30,
    )
    api.call("DELETE", f"{VMS}/fails")
    wait_absent(api, f"{VMS}/fails", 8)
    wait_until_nothing_is_left(product)


def test_namespaces_keep_machines_of_one_name_apart_and_take_theirs_along(product: Product, api: Api) -> None:
    for namespace in ("left", "right"):
        product.kubectl("create", "namespace", namespace)
        product.apply(kernel_boot_vm("same", "Always"), namespace)
    uids = {
        product.wait_for_phase("same", "Running", found)["metadata"]["uid"] for found in ("left", "right")
    }
    assert len(uids) == 2
    assert len(product.processes_of("qemu-system-x86")) == 2
    product.kubectl("delete", "namespace", "left", "--timeout=60s")
    assert product.get("vmi", "same", "left") is None
    assert product.wait_for_phase("same", "Running", "right")["metadata"]["uid"] in uids
    until(lambda: product.processes_of("qemu-system-x86"), lambda left: len(left) == 1, 10)
    product.kubectl("delete", "namespace", "right", "--timeout=60s")
    wait_until_nothing_is_left(product)
    code, status = api.call("GET", "/api/v1/namespaces/right")
    assert (code, status["reason"]) == (404, "NotFound")


def test_eight_at_once_run_and_leave_nothing(product: Product, api: Api) -> None:
    names = [f"crowd-{number}" for number in range(8)]
    for name in names:
        create(api, VMIS, kernel_boot_vmi(name))
    for name in names:
        product.wait_for_phase(name, "Running", seconds=90)
    assert len(product.processes_of("qemu-system-x86")) == 8
    assert all(of_machines(product).values())  # what is looked for is there while they run
    for name in names:
        assert api.call("DELETE", f"{VMIS}/{name}")[0] == 200
    for name in names:
        wait_absent(api, f"{VMIS}/{name}", 30)
    wait_until_nothing_is_left(product, 20)
