"""Verdicts on VMIs: creation, update (V300–V306), what cannot run yet, and KubeVirt's own examples."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.gateway.admission.build import (
    ALICE,
    CLUSTER,
    CONTROLLER,
    FRESH,
    HANDLER,
    Plain,
    devices,
    nic,
    root_volume,
    vmi,
)

from virtdeck.gateway.admission import (
    ClusterConfig,
    Verdict,
    mutate_vm,
    mutate_vmi,
    validate_vm,
    validate_vmi_create,
    validate_vmi_update,
)
from virtdeck.gateway.auth.user import User, make_user

EXAMPLES = Path(__file__).parents[3] / "data" / "kubevirt" / "examples"
OPEN_NODES = ClusterConfig(disabled_gates=frozenset({"NodeRestriction"}))


def _created(obj: Plain, cluster: ClusterConfig = CLUSTER) -> Verdict:
    return validate_vmi_create(mutate_vmi(obj, None, ALICE, cluster, FRESH), None, ALICE, cluster)


def test_a_sound_vmi_is_let_through() -> None:
    assert _created(vmi()) == Verdict()


@pytest.mark.parametrize(
    "example",
    [
        "vm-cirros",
        "vm-cirros-sata",
        "vmi-kernel-boot",
        "vmi-ephemeral",
        "vmi-nocloud",
        "vmi-masquerade",
        "vmi-sata",
        "vmi-alpine-efi",
        "vmi-secureboot",
        "vmi-fedora",
        "vmi-migratable",
    ],
)
def test_kubevirts_examples_are_let_through(example: str) -> None:
    (obj,) = yaml.safe_load_all((EXAMPLES / f"{example}.yaml").read_text())
    obj["metadata"].setdefault("namespace", "default")
    if obj["kind"] == "VirtualMachine":
        verdict = validate_vm(mutate_vm(obj, None, CLUSTER, FRESH), None, ALICE, CLUSTER)
    else:
        verdict = _created(obj)
    assert verdict.causes == ()


@pytest.mark.parametrize(
    ("example", "field"),
    [
        ("vmi-pvc", "spec.volumes[0].persistentVolumeClaim"),
        ("vmi-host-disk", "spec.volumes[0].hostDisk"),
        ("vmi-gpu", "spec.domain.devices.gpus"),
        ("vmi-usb", "spec.domain.devices.hostDevices"),
        ("vmi-sriov", "spec.domain.devices.interfaces[1].sriov"),
        ("vmi-multus-ptp", "spec.networks[0].multus"),
        ("vmi-fedora-isolated", "spec.domain.cpu.dedicatedCpuPlacement"),
    ],
)
def test_an_example_that_cannot_run_yet_is_refused_with_the_field(example: str, field: str) -> None:
    (obj,) = yaml.safe_load_all((EXAMPLES / f"{example}.yaml").read_text())
    causes = [cause for cause in _created(obj).causes if cause.field == field]
    assert len(causes) == 1, "said once"
    assert "this release" in causes[0].message


@pytest.mark.parametrize(
    "spec",
    [
        devices(gpus=[], hostDevices=[], autoattachVSOCK=False, tpm={"enabled": True, "persistent": False}),
        {"domain": {"cpu": {"dedicatedCpuPlacement": False, "isolateEmulatorThread": False}}},
        {"resourceClaims": [], "accessCredentials": []},
    ],
    ids=["devices", "cpu", "lists"],
)
def test_a_field_that_is_off_is_not_in_use(spec: Plain) -> None:
    assert _created(vmi(spec)).causes == ()


def test_what_a_guest_can_run_without_is_warned_about() -> None:
    verdict = _created(vmi({"readinessProbe": {"tcpSocket": {"port": 22}}}))
    assert verdict.allowed
    assert verdict.warnings == (
        "spec.readinessProbe: probes of guests are stored but not asked in this release",
    )


def test_every_cause_is_told_at_once() -> None:
    spec = nic(model="ne2000") | root_volume(persistentVolumeClaim={"claimName": "c"}) | {"hostname": "No"}
    fields = {cause.field for cause in _created(vmi(spec)).causes}
    assert fields == {
        "spec.domain.devices.interfaces[0].model",
        "spec.volumes[0].persistentVolumeClaim",
        "spec.hostname",
    }


def test_a_text_that_xml_cannot_hold_is_refused() -> None:
    spec = {
        "domain": {"chassis": {"serial": "a\x00"}, "firmware": {"kernelBoot": {"kernelArgs": "quiet\x1b[2J"}}}
    }
    fields = {cause.field for cause in _created(vmi(spec)).causes}
    assert fields >= {"spec.domain.chassis.serial", "spec.domain.firmware.kernelBoot.kernelArgs"}


def test_what_cannot_be_read_is_refused_with_the_field() -> None:
    verdict = _created({"metadata": {"name": "a"}, "spec": {"domain": {"devices": {"disks": {}}}}})
    assert [cause.field for cause in verdict.causes] == ["spec.domain.devices.disks"]


def test_a_generated_name_leaves_room_for_its_suffix() -> None:
    obj = vmi()
    obj["metadata"] = {"generateName": "a" * 59}
    assert [cause.field for cause in _created(obj).causes] == ["metadata.generateName"]


def _update(new: Plain, old: Plain, user: User, cluster: ClusterConfig = CLUSTER) -> set[str]:
    verdict = validate_vmi_update(new, old, user, cluster)
    assert verdict.forbidden is bool(verdict.causes)
    return {cause.field for cause in verdict.causes}


def _on_node(node: str, **status: Any) -> Plain:
    return vmi() | {"status": {"nodeName": node, **status}}


def _handler(node: str | None) -> User:
    extra = {"authentication.kubernetes.io/node-name": [node]} if node else {}
    return make_user(HANDLER.name, extra=extra)


def test_a_handler_keeps_to_its_node() -> None:
    """V300–V302"""
    here, moved = _on_node("a"), _on_node("b")
    assert _update(here, here, _handler("a")) == set()
    assert _update(here, here, _handler("b")) == {"status.nodeName"}, "V300"
    rewritten = here | {"spec": vmi({"terminationGracePeriodSeconds": 7})["spec"]}
    assert _update(rewritten, here, _handler("a")) == {"spec.terminationGracePeriodSeconds"}, "V303"
    assert _update(moved, here, _handler("a")) == {"status.nodeName"}, "V301"
    assert _update(here, here, _handler(None)) == {"metadata"}, "V302"
    assert _update(vmi(), vmi(), _handler("a")) == {"status.nodeName"}, "a VMI without a node is nobody's"
    migrating = _on_node("a", migrationState={"targetNode": "b"})
    assert _update(migrating, migrating, _handler("b")) == set()
    assert _update(here, here, _handler(None), OPEN_NODES) == set()


def test_a_spec_is_fixed_for_users() -> None:
    """V303"""
    changed = vmi({"domain": {"memory": {"guest": "1Gi"}}})
    assert _update(changed, vmi(), ALICE) == {"spec.domain.memory.guest"}
    assert _update(changed, vmi(), CONTROLLER) == set()
    impostor = User("system:serviceaccount:default:kubevirt-controller")
    assert _update(changed, vmi(), impostor) == {"spec.domain.memory.guest"}


def test_maxima_are_fixed_for_everybody() -> None:
    """V304, V305"""
    old = vmi({"domain": {"cpu": {"maxSockets": 4}, "memory": {"maxGuest": "1Gi"}}})
    new = vmi({"domain": {"cpu": {"maxSockets": 8}, "memory": {"maxGuest": "2Gi"}}})
    assert _update(new, old, CONTROLLER) == {"spec.domain.cpu.maxSockets", "spec.domain.memory.maxGuest"}


def test_reserved_labels_are_fixed_for_users() -> None:
    """V306"""
    label = "kubevirt.io/nodeName"
    labelled = vmi(labels={label: "a"})
    for new, old in ((labelled, vmi()), (vmi(), labelled), (vmi(labels={label: "b"}), labelled)):
        assert _update(new, old, ALICE) == {f"metadata.labels[{label}]"}
    assert _update(vmi(labels={"mine": "x"}), vmi(), ALICE) == set()
    assert _update(labelled, vmi(), CONTROLLER) == set()
