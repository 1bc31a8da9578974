"""Files that Kubernetes keeps, as disks in a real guest: mounted there, and read over its serial console."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from e2e.api import Api, Terminal
from e2e.machines import disk_vm, guest_with
from e2e.product import Product

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(120)]

NAME = "files"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFILESFILESFILESFILESFILESFILESFILESFILESFI writer"
VOLUMES: list[dict[str, Any]] = [
    {"name": "config", "configMap": {"name": NAME, "volumeLabel": "settings"}},
    {"name": "hidden", "secret": {"secretName": NAME, "volumeLabel": "hidden"}},
    {"name": "absent", "secret": {"secretName": "not-there", "optional": True, "volumeLabel": "absent"}},
    {
        "name": "fields",
        "downwardAPI": {
            "volumeLabel": "fields",
            "fields": [
                {"path": "deep/labels", "fieldRef": {"fieldPath": "metadata.labels"}},
                {"path": "memory", "resourceFieldRef": {"resource": "requests.memory", "divisor": "1Gi"}},
            ],
        },
    },
    {"name": "account", "serviceAccount": {"serviceAccountName": NAME}},
    {
        "name": "drive",
        "cloudInitConfigDrive": {"secretRef": {"name": NAME}, "networkDataSecretRef": {"name": NAME}},
    },
]
SECRET = (
    "--from-literal=password=swordfish",
    "--from-literal=userdata=#!/bin/sh",
    "--from-literal=networkdata={}",
)


@pytest.fixture(scope="module")
def keys(product: Product) -> Iterator[None]:
    """The secret with the key is there."""
    product.kubectl("create", "secret", "generic", "keys", f"--from-literal=key={KEY}")
    yield
    product.kubectl("delete", "secret", "keys")


@pytest.fixture(scope="module")
def guest(product: Product, keys: None) -> Iterator[Terminal]:
    """A shell in a guest that has them all."""
    files = ("--from-literal=app.conf=colour = blue", "--from-literal=-rf=no option")
    product.kubectl("create", "configmap", NAME, *files)
    product.kubectl("create", "secret", "generic", NAME, *SECRET)
    product.kubectl("create", "serviceaccount", NAME)
    credentials = [ssh_key({"configDrive": {}})]
    product.apply(guest_with(NAME, VOLUMES, labels={"tier": "front"}, accessCredentials=credentials))
    product.wait_for_phase(NAME, "Running")
    with Api(product).stream("virtualmachineinstances", NAME, "console") as stream:
        terminal = Terminal(stream)
        terminal.wake()
        yield terminal
    for kind in ("vmi", "configmap", "secret", "serviceaccount"):
        product.kubectl("delete", kind, NAME, "--timeout=60s")


def ssh_key(method: dict[str, Any]) -> dict[str, Any]:
    """The key, handed over by this method."""
    return {"sshPublicKey": {"source": {"secret": {"secretName": "keys"}}, "propagationMethod": method}}


def files_of(guest: Terminal, label: str) -> dict[str, str]:
    """What the guest reads on the disk with this label, by path."""
    guest.run(f"mkdir -p /{label}; mount -t iso9660 -o ro $(findfs LABEL={label}) /{label}")
    printed = guest.run(
        f'cd /{label}; find . -type f | while read -r f; do echo "$f|$(cat "$f")"; done; cd /'
    )
    lines = (line.partition("|") for line in printed.replace("\r", "").splitlines() if "|" in line)
    return {path.removeprefix("./"): content for path, _, content in lines}


def test_a_config_map_is_a_disk_with_its_entries(guest: Terminal) -> None:
    assert files_of(guest, "settings") == {"app.conf": "colour = blue", "-rf": "no option"}


def test_a_secret_is_a_disk_with_the_label_it_was_given(guest: Terminal) -> None:
    assert files_of(guest, "hidden")["password"] == "swordfish"


def test_an_optional_secret_that_is_not_there_is_an_empty_disk(guest: Terminal) -> None:
    assert files_of(guest, "absent") == {}
    assert "/absent" in guest.run("cat /proc/mounts")


def test_fields_of_the_instance_are_files(guest: Terminal) -> None:
    found = files_of(guest, "fields")
    assert found["memory"] == "1"
    assert 'tier="front"' in guest.run("cat /fields/deep/labels; echo")


def test_a_service_accounts_token_is_a_file_that_the_api_knows(product: Product, guest: Terminal) -> None:
    found = files_of(guest, "cfgdata")
    assert found["namespace"] == "default"
    assert found["ca.crt"] == "-----BEGIN CERTIFICATE-----"
    review = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenReview",
        "spec": {"token": found["token"]},
    }
    _, answer = Api(product).call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review)
    user = answer["status"]["user"]
    assert user["username"] == f"system:serviceaccount:default:{NAME}"
    [pod] = user["extra"]["authentication.kubernetes.io/pod-uid"]  # with which the token ends
    assert pod in (product.get("vmi", NAME) or {})["status"]["activePods"]


def test_a_config_drive_has_what_secrets_hold_and_the_keys(guest: Terminal) -> None:
    found = files_of(guest, "config-2")
    assert found["openstack/latest/user_data"] == "#!/bin/sh"
    assert found["openstack/latest/network_data.json"] == "{}"
    meta = json.loads(found["openstack/latest/meta_data.json"])
    assert (meta["hostname"], meta["public_keys"]) == (NAME, {"0": KEY})


def test_answers_for_a_setup_are_on_a_cd_and_cloud_init_has_the_keys(product: Product, keys: None) -> None:
    vm = json.loads(disk_vm("answers", "#cloud-config\n{}"))
    spec = vm["spec"]["template"]["spec"]
    spec["domain"]["devices"]["disks"].append({"name": "answers", "cdrom": {"bus": "sata"}})
    spec["volumes"].append({"name": "answers", "sysprep": {"secret": {"name": "answers"}}})
    spec["terminationGracePeriodSeconds"] = 0
    spec["accessCredentials"] = [ssh_key({"noCloud": {}})]
    product.kubectl("create", "secret", "generic", "answers", "--from-literal=Unattend.xml=<unattend/>")
    product.apply(json.dumps(vm))
    product.wait_for_phase("answers", "Running")
    with Api(product).stream("virtualmachineinstances", "answers", "console") as stream:
        terminal = Terminal(stream)
        terminal.log_in()
        terminal.run("sudo mount -o ro $(sudo findfs LABEL=unattendCD) /mnt")
        assert "/dev/sr0 /mnt" in terminal.run("cat /proc/mounts")
        assert "<unattend/>" in terminal.run("ls /mnt; cat /mnt/Unattend.xml; echo")
        assert KEY in terminal.run("cat ~/.ssh/authorized_keys")
    product.kubectl("delete", "vm/answers", "secret/answers", "--timeout=60s")


def test_a_config_map_that_is_not_there_yet_is_told(product: Product) -> None:
    product.apply(guest_with("waits", [{"name": "config", "configMap": {"name": "later"}}]))
    told = product.kubectl(
        *("wait", "vmi/waits", "--timeout=30s", "--for=condition=Synchronized=False", "-o", "json")
    )
    [said] = [one for one in json.loads(told)["status"]["conditions"] if one["type"] == "Synchronized"]
    assert said["reason"] == "CreateContainerConfigError"
    assert said["message"].startswith('the config map "later" does not exist in this namespace')
    product.kubectl("create", "configmap", "later", "--from-literal=a=b")
    product.wait_for_phase("waits", "Running", seconds=20)
    for kind, name in (("vmi", "waits"), ("configmap", "later")):
        product.kubectl("delete", kind, name, "--timeout=60s")
