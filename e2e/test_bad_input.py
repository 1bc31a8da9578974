"""Bad input: refused with the field and the way out, or told by the object itself within seconds."""

import json
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from e2e.api import Api
from e2e.machines import kernel_boot_vm, kernel_boot_vmi, seed_from_secret
from e2e.product import Product
from e2e.telling import shown, told

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(120)]

PLACES = "/apis/kubevirt.io/v1/namespaces/default"
Spec = dict[str, Any]
# A spoiled spec, the field that is wrong below it, and words that help.
Refusal = tuple[Callable[[Spec], None], str, str]


def put(path: str, value: Any) -> Callable[[Spec], None]:
    """Spoils a VMI's spec at one place."""
    *folders, name = path.split(".")

    def spoil(spec: Spec) -> None:
        here = spec
        for folder in folders:
            here = here.setdefault(folder, {})
        here[name] = value

    return spoil


def volume(**source: Any) -> Callable[[Spec], None]:
    """A disk on a volume of this kind."""

    def spoil(spec: Spec) -> None:
        spec["domain"]["devices"]["disks"] = [{"name": "data", "disk": {"bus": "virtio"}}]
        spec["volumes"] = [{"name": "data", **source}]

    return spoil


DISK_WITHOUT_VOLUME = put("domain.devices.disks", [{"name": "data", "disk": {"bus": "virtio"}}])
FLOPPY = put("domain.devices.disks", [{"name": "data", "disk": {"bus": "floppy"}}])
SHADOW = put("domain.firmware.kernelBoot.container.kernelPath", "/../../etc/shadow")
REFUSED: dict[str, Refusal] = {
    "wrong_type": (put("domain.cpu", {"cores": "two"}), "domain.cpu.cores", "integer"),
    "no_object": (put("domain.memory", "lots"), "domain.memory", "object"),
    "no_quantity": (put("domain.memory.guest", "lots"), "domain.memory.guest", "1.5Gi"),
    "negative": (put("domain.memory.guest", "-1Gi"), "domain.memory.guest", "negative"),
    "too_many_processors": (put("domain.cpu", {"cores": 4000000000}), "domain.cpu", "at most 512"),
    "beyond_all_numbers": (
        put("domain.resources", {"requests": {"cpu": "1e30"}}),
        "domain.cpu",
        "at most 512",
    ),
    "enum": (FLOPPY, "domain.devices.disks[0].disk.bus", "virtio, sata, scsi or usb"),
    "disk_without_volume": (DISK_WITHOUT_VOLUME, "domain.devices.disks[0].name", "volumes"),
    "volume_without_source": (volume(), "volumes[0]", "containerDisk"),
    "long_user_data": (
        volume(cloudInitNoCloud={"userData": "x" * 3000}),
        "volumes[0].cloudInitNoCloud.userData",
        "secretRef",
    ),
    "kernel_outside": (SHADOW, "domain.firmware.kernelBoot.container.kernelPath", "/boot/vmlinuz"),
    "disk_outside": (
        volume(containerDisk={"image": "a/b", "path": "/../../etc/shadow"}),
        "volumes[0].containerDisk.path",
        "/disk/disk.qcow2",
    ),
    "host_disk": (
        volume(hostDisk={"path": "/etc/shadow", "type": "Disk"}),
        "volumes[0].hostDisk",
        "containerDisk",
    ),
    "claim": (
        volume(persistentVolumeClaim={"claimName": "a"}),
        "volumes[0].persistentVolumeClaim",
        "containerDisk",
    ),
    "data_volume": (volume(dataVolume={"name": "a"}), "volumes[0].dataVolume", "containerDisk"),
    "endless_grace": (
        put("terminationGracePeriodSeconds", 2**62),
        "terminationGracePeriodSeconds",
        "at most 2147483647",
    ),
}


@pytest.fixture(scope="module")
def api(product: Product) -> Api:
    return Api(product)


def machine(kind: str, name: str = "bad", spoil: Callable[[Spec], None] | None = None) -> dict[str, Any]:
    text = kernel_boot_vm(name, "Always") if kind == "vm" else kernel_boot_vmi(name)
    found: dict[str, Any] = json.loads(text)
    if spoil is not None:
        spoil(found["spec"]["template"]["spec"] if kind == "vm" else found["spec"])
    return found


def place(kind: str, query: str = "") -> str:
    plural = "virtualmachines" if kind == "vm" else "virtualmachineinstances"
    return f"{PLACES}/{plural}{query}"


@pytest.mark.parametrize("kind", ["vm", "vmi"])
@pytest.mark.parametrize("case", REFUSED)
def test_refusal_names_the_field_and_the_way_out(product: Product, api: Api, kind: str, case: str) -> None:
    spoil, field, words = REFUSED[case]
    manifest = machine(kind, spoil=spoil)
    path = f"spec.template.spec.{field}" if kind == "vm" else f"spec.{field}"
    code, status = api.call("POST", place(kind), manifest)
    assert (code, status["kind"], status["reason"]) == (422, "Status", "Invalid")
    told = {cause["field"]: cause["message"] for cause in status["details"]["causes"]}
    assert words in told[path]
    # Without kubectl's own check, which old ones make with other words before the server is asked.
    printed = product.kubectl("apply", "--validate=false", "-f", "-", stdin=json.dumps(manifest), check=False)
    assert path in printed
    assert words in printed
    assert product.get(kind, "bad") is None


@pytest.mark.parametrize("kind", ["vm", "vmi"])
def test_unknown_field_is_refused_by_its_path_where_validation_is_strict(
    product: Product, api: Api, kind: str
) -> None:
    manifest = machine(kind, spoil=put("domain.devices.diskz", []))
    path = "spec.template.spec.domain.devices.diskz" if kind == "vm" else "spec.domain.devices.diskz"
    # kubectl before 1.25 checks by itself and names the field and its parent; later ones ask the server.
    printed = product.kubectl("apply", "-f", "-", stdin=json.dumps(manifest), check=False)
    assert path in printed or ("diskz" in printed and path.removesuffix(".diskz") in printed)
    code, status = api.call("POST", place(kind, "?fieldValidation=Strict"), manifest)
    assert (code, status["reason"]) == (400, "BadRequest")
    assert f'unknown field "{path}"' in status["message"]
    assert product.get(kind, "bad") is None


@pytest.mark.parametrize("kind", ["vm", "vmi"])
@pytest.mark.parametrize(
    ("name", "words"), [("a" * 64, "at most 63"), ("a" * 254, "no more than 253"), ("Bad_Name!", "lower")]
)
def test_name_that_does_not_fit_is_refused(api: Api, kind: str, name: str, words: str) -> None:
    code, status = api.call("POST", place(kind), machine(kind, name))
    assert (code, status["reason"]) == (422, "Invalid")
    told = {cause["field"]: cause["message"] for cause in status["details"]["causes"]}
    assert words in told["metadata.name"]


@pytest.mark.parametrize("kind", ["vm", "vmi"])
def test_name_that_is_taken_is_a_conflict(product: Product, api: Api, kind: str) -> None:
    manifest = machine(kind, "twice", put("nodeSelector", {"no-such": "node"}))
    assert api.call("POST", place(kind), manifest)[0] == 201
    code, status = api.call("POST", place(kind), manifest)
    assert (code, status["reason"]) == (409, "AlreadyExists")
    assert '"twice" already exists' in status["message"]
    product.kubectl("delete", kind, "twice", "--timeout=30s")


def test_gateways_own_rest_api_refuses_with_the_same_status(product: Product, api: Api) -> None:
    product.kubectl("create", "serviceaccount", "robot")
    product.kubectl(
        "create", "clusterrolebinding", "robot", "--clusterrole=kubevirt.io:admin",
        "--serviceaccount=default:robot",
    )  # fmt: skip
    home = "/api/v1/namespaces/default/serviceaccounts/robot/token"
    token = api.call("POST", home, {"spec": {"expirationSeconds": 3600}})[1]["status"]["token"]
    manifest = machine("vm", spoil=FLOPPY)
    request = Request(
        f"{product.url}{place('vm')}",
        json.dumps(manifest).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=30)
    assert (refused.value.code, json.load(refused.value)) == api.call("POST", place("vm"), manifest)
    product.kubectl("delete", "serviceaccount/robot", "clusterrolebinding/robot")


def test_volume_without_disk_gets_one(api: Api) -> None:
    """KubeVirt's rule: what is listed is wanted."""
    spec = {"volumes": [{"name": "data", "containerDisk": {"image": "virtdeck/demo:latest"}}]}
    code, made = api.call("POST", place("vmi", "?dryRun=All"), json.loads(kernel_boot_vmi("bad", **spec)))
    assert code == 201
    assert [disk["name"] for disk in made["spec"]["domain"]["devices"]["disks"]] == ["data"]


def test_run_strategy_that_does_not_exist_is_refused(api: Api) -> None:
    code, status = api.call("POST", place("vm"), json.loads(kernel_boot_vm("bad", "Sometimes")))
    [cause] = status["details"]["causes"]
    assert (code, cause["field"]) == (422, "spec.runStrategy")
    assert "Always, RerunOnFailure, Manual, Halted or Once" in cause["message"]


def test_secret_without_the_key_fails_the_instance_by_its_volume(product: Product) -> None:
    product.kubectl("create", "secret", "generic", "keyless", "--from-literal=other=x")
    product.apply(kernel_boot_vmi("keyless", **seed_from_secret("keyless")))
    product.wait_for_phase("keyless", "Failed", seconds=15)
    said = told(product, "vmi", "keyless", "Synchronized")
    assert "the secret of the volume seed has none of the keys userdata, userData" in said["message"]
    product.kubectl("delete", "vmi/keyless", "secret/keyless", "--timeout=30s")


def test_missing_secret_is_told_and_the_machine_starts_once_it_is_there(product: Product) -> None:
    product.apply(kernel_boot_vm("nosecret", "Always", **seed_from_secret("later")))
    said = told(product, "vm", "nosecret", "Synchronized")
    assert 'the secret "later" does not exist' in said["message"]
    product.kubectl("create", "secret", "generic", "later", "--from-literal=userdata=#cloud-config")
    product.wait_for_phase("nosecret", "Running", seconds=15)
    product.kubectl("delete", "vm/nosecret", "secret/later", "--timeout=60s")


def test_more_memory_than_the_host_has_is_told_in_kubernetes_words(product: Product) -> None:
    manifest = machine("vm", "fat", put("domain.memory", {"guest": "4Ti"}))
    product.apply(json.dumps(manifest))
    shown(product, "fat", "ErrorUnschedulable")
    said = told(product, "vmi", "fat", "PodScheduled")
    assert (said["status"], said["reason"]) == ("False", "Unschedulable")
    assert said["message"] == "0/1 nodes are available: 1 Insufficient memory."
    product.kubectl("delete", "vm", "fat", "--timeout=30s")
    product.wait_gone("vmi", "fat", seconds=10)
    assert "virt-launcher-fat" not in product.kubectl("get", "pods")


def test_missing_kernel_is_the_vms_own_condition_though_its_instance_is_gone(product: Product) -> None:
    wrong = put("domain.firmware.kernelBoot.container.kernelPath", "/boot/nothere")
    product.apply(json.dumps(machine("vm", "nokernel", wrong)))
    shown(product, "nokernel", "CrashLoopBackOff")
    said = told(product, "vm", "nokernel", "Failure")
    assert (said["status"], said["reason"]) == ("True", "InvalidImage")
    assert "kernelBoot.container.kernelPath: /boot/nothere is not in the image" in said["message"]
    product.kubectl("delete", "vm", "nokernel", "--timeout=30s")
