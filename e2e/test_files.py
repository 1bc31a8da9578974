"""Files that Kubernetes keeps, as disks in a real guest: mounted there, and read over its serial console."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from e2e.api import Api, Terminal
from e2e.machines import guest_with
from e2e.product import Product

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(120)]

NAME = "files"
VOLUMES: list[dict[str, Any]] = [
    {"name": "config", "configMap": {"name": "files"}},
    {"name": "hidden", "secret": {"secretName": "files", "volumeLabel": "hidden"}},
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
]


@pytest.fixture(scope="module")
def guest(product: Product) -> Iterator[Terminal]:
    """A shell in a guest that has them all."""
    files = ("--from-literal=app.conf=colour = blue", "--from-literal=-rf=no option")
    product.kubectl("create", "configmap", NAME, *files)
    product.kubectl("create", "secret", "generic", NAME, "--from-literal=password=swordfish")
    product.apply(guest_with(NAME, VOLUMES, labels={"tier": "front"}))
    product.wait_for_phase(NAME, "Running")
    with Api(product).stream("virtualmachineinstances", NAME, "console") as stream:
        terminal = Terminal(stream)
        terminal.wake()
        yield terminal
    for kind in ("vmi", "configmap", "secret"):
        product.kubectl("delete", kind, NAME, "--timeout=60s")


def files_of(guest: Terminal, label: str) -> dict[str, str]:
    """What the guest reads on the disk with this label, by path."""
    guest.run(f"mkdir -p /{label}; mount -t iso9660 -o ro $(findfs LABEL={label}) /{label}")
    printed = guest.run(
        f"cd /{label} && find . -type f -exec sh -c 'echo \"{{}}|$(cat \"{{}}\")\"' ';'; cd /"
    )
    lines = (line.partition("|") for line in printed.replace("\r", "").splitlines() if "|" in line)
    return {path.removeprefix("./"): content for path, _, content in lines}


def test_a_config_map_is_a_disk_with_its_entries(guest: Terminal) -> None:
    assert files_of(guest, "cfgdata") == {"app.conf": "colour = blue", "-rf": "no option"}


def test_a_secret_is_a_disk_with_the_label_it_was_given(guest: Terminal) -> None:
    assert files_of(guest, "hidden") == {"password": "swordfish"}


def test_an_optional_secret_that_is_not_there_is_an_empty_disk(guest: Terminal) -> None:
    assert files_of(guest, "absent") == {}
    assert "/absent" in guest.run("cat /proc/mounts")


def test_fields_of_the_instance_are_files(guest: Terminal) -> None:
    found = files_of(guest, "fields")
    assert found["memory"] == "1"
    assert 'tier="front"' in guest.run("cat /fields/deep/labels; echo")


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
