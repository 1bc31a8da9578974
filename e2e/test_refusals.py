"""What kubectl prints: every fault with its field, what is fixed, what is protected, what is warned about."""

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from e2e.kubectls import INSTALLED, Kubectl
from e2e.product import Product

pytestmark = [pytest.mark.root, pytest.mark.kubectl, pytest.mark.timeout(60)]

Plain = dict[str, Any]
_TEMPLATE = "spec.template.spec"
_PROTECTED = "kubevirt.io/vm-delete-protection"


@pytest.fixture(scope="module")
def kubectl(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kubectl]:
    found = Kubectl(INSTALLED, product.kubeconfig, tmp_path_factory.mktemp("home"))
    found("create", "namespace", "refusals")
    yield found
    found("delete", "namespace", "refusals")  # waits until its guest is gone


def _spec(**changes: Any) -> Plain:
    return {
        "domain": {"memory": {"guest": "64Mi"}, "devices": {"disks": [{"name": "root", "disk": {}}]}},
        "volumes": [{"name": "root", "emptyDisk": {"capacity": "1Gi"}}],
        **changes,
    }


def _vm(name: str, spec: Plain, **own: Any) -> str:
    return _object("VirtualMachine", name, {"runStrategy": "Halted", "template": {"spec": spec}, **own})


def _object(kind: str, name: str, spec: Plain) -> str:
    made = {"apiVersion": "kubevirt.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return json.dumps(made)


def _apply(kubectl: Kubectl, manifest: str) -> subprocess.CompletedProcess[str]:
    return kubectl.run("-n", "refusals", "apply", "-f", "-", given=manifest)


def test_eight_faults_are_eight_lines(kubectl: Kubectl) -> None:
    """Each says its field; the ones beside it do not hide it."""
    disk = {"name": "gone", "disk": {"bus": "floppy"}, "serial": "a b", "cache": "warm"}
    faulty = _spec(
        hostname="No",
        terminationGracePeriodSeconds=-3,
        domain={
            "memory": {"guest": "128"},
            "cpu": {"cores": 600},
            "devices": {"disks": [disk]},
        },
        volumes=[],
    )
    done = _apply(kubectl, _vm("faulty", faulty))
    assert done.returncode == 1
    lines = [line.removeprefix("* ").split(": ")[0] for line in done.stderr.splitlines()[1:] if line.strip()]
    bad_disk = f"{_TEMPLATE}.domain.devices.disks[0]"
    assert set(lines) == {
        f"{_TEMPLATE}.hostname",
        f"{_TEMPLATE}.terminationGracePeriodSeconds",
        f"{_TEMPLATE}.domain.memory.guest",
        f"{_TEMPLATE}.domain.cpu",
        f"{bad_disk}.name",
        f"{bad_disk}.disk.bus",
        f"{bad_disk}.serial",
        f"{bad_disk}.cache",
    }


def test_a_deprecated_field_and_a_password_are_warned_about(kubectl: Kubectl) -> None:
    seed = {"name": "root", "cloudInitNoCloud": {"userData": "#cloud-config\npassword: secret-word\n"}}
    vm = json.loads(_vm("warned", _spec(volumes=[seed]), running=False))
    del vm["spec"]["runStrategy"]
    done = _apply(kubectl, json.dumps(vm))
    assert done.returncode == 0, done.stderr
    assert "Warning: spec.running is deprecated" in done.stderr
    assert f"Warning: {_TEMPLATE}.volumes[0].cloudInitNoCloud.userData has a password" in done.stderr
    assert "secret-word" not in done.stderr


def test_a_change_of_what_is_fixed_names_the_field(kubectl: Kubectl) -> None:
    assert _apply(kubectl, _object("VirtualMachineInstance", "fixed", _spec())).returncode == 0
    patch = json.dumps({"spec": {"terminationGracePeriodSeconds": 7}})
    done = kubectl.run("-n", "refusals", "patch", "vmi", "fixed", "--type=merge", "-p", patch)
    assert done.returncode == 1
    assert "denied the request: spec.terminationGracePeriodSeconds: cannot be changed" in done.stderr


def test_a_protected_machine_stays(kubectl: Kubectl) -> None:
    _apply(kubectl, _vm("kept", _spec()))
    kubectl("-n", "refusals", "label", "vm", "kept", f"{_PROTECTED}=True")
    done = kubectl.run("-n", "refusals", "delete", "vm", "kept")
    assert done.returncode == 1
    assert f"metadata.labels[{_PROTECTED}]: protects the virtual machine" in done.stderr
    kubectl("-n", "refusals", "label", "vm", "kept", f"{_PROTECTED}-")
    kubectl("-n", "refusals", "delete", "vm", "kept")
