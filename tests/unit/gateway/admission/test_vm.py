"""The verdict on VirtualMachines."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain, root_volume, vm

from virtdeck.gateway.admission import ClusterConfig, Verdict, validate_vm
from virtdeck.gateway.admission.not_yet import VM_SPEC

_NODE = "kubevirt.io/nodeName"


def _verdict(obj: Plain, old: Plain | None = None, cluster: ClusterConfig = CLUSTER) -> Verdict:
    return validate_vm(obj, old, ALICE, cluster)


def _fields(obj: Plain, old: Plain | None = None) -> set[str]:
    return {cause.field for cause in _verdict(obj, old).causes}


def test_a_sound_vm_is_let_through() -> None:
    assert _verdict(vm()) == Verdict()


@pytest.mark.parametrize(
    ("obj", "field"),
    [
        (vm({"template": None}), "spec.template"),
        (vm({"runStrategy": "Sometimes"}), "spec.runStrategy"),
        (vm({"template": {"metadata": {"labels": {_NODE: "x"}}}}), f"spec.template.metadata.labels[{_NODE}]"),
        (vm(template={"domain": {"memory": None}}), "spec.template.spec.domain.memory.guest"),
        (vm(template={"domain": {"cpu": {"cores": "two"}}}), "spec.template.spec.domain.cpu.cores"),
    ],
)
def test_a_vm_is_refused_with_the_path_that_its_author_wrote(obj: Plain, field: str) -> None:
    assert _fields(obj) == {field}


def test_live_update_asks_for_memory_that_can_grow() -> None:
    """V258, V259"""
    live = ClusterConfig(live_update=True)
    domain = {"domain": {"memory": {"guest": "512Mi", "maxGuest": "511Mi"}, "cpu": {"maxSockets": 513}}}
    fields = {cause.field for cause in _verdict(vm(template=domain), cluster=live).causes}
    memory = "spec.template.spec.domain.memory"
    assert fields == {f"{memory}.guest", f"{memory}.maxGuest", "spec.template.spec.domain.cpu.maxSockets"}


def test_labels_that_a_start_could_not_give_are_refused() -> None:
    labels = {"a b": "c", "size": "very big", "fine": "", "example.com/role": "web"}
    template = "spec.template.metadata"
    obj = vm({"template": {"metadata": {"labels": labels, "annotations": {"a b": "x"}}}})
    assert _fields(obj) == {
        f"{template}.labels[a b]",
        f"{template}.labels[size]",
        f"{template}.annotations[a b]",
    }


def test_running_still_works_but_is_warned_about() -> None:
    verdict = _verdict(vm({"runStrategy": None, "running": False}))
    assert verdict.allowed
    assert "Halted" in verdict.warnings[0]


@pytest.mark.parametrize("name", ["a" * 64, "Upper", "under_score"])
def test_a_name_that_does_not_fit_is_refused_once(name: str) -> None:
    obj = vm()
    obj["metadata"]["name"] = name
    assert _fields(obj) == {"metadata.name"}
    assert _fields(obj, obj) == set(), "it cannot be changed any more"


def test_what_an_update_does_not_touch_is_not_judged_again() -> None:
    old = vm(template=root_volume(hostDisk={"path": "/d", "type": "Disk"}))
    stopped = vm({"runStrategy": "Halted"}, template=root_volume(hostDisk={"path": "/d", "type": "Disk"}))
    relabelled = vm({"runStrategy": "nonsense"})
    assert not _verdict(old).allowed
    assert _verdict(stopped, old).allowed
    assert _verdict(relabelled, vm({"runStrategy": "nonsense"})).allowed
    assert _fields(vm({"runStrategy": "nonsense"}), vm()) == {"spec.runStrategy"}
    assert _fields(vm({"dataVolumeTemplates": [{"spec": {}}]}), vm()) >= {"spec.dataVolumeTemplates"}


def test_a_vm_that_is_being_deleted_is_not_held_up() -> None:
    obj = vm({"runStrategy": "nonsense"})
    obj["metadata"]["deletionTimestamp"] = "2026-01-31T12:00:00Z"
    assert _verdict(obj).allowed


@pytest.mark.parametrize("field", VM_SPEC)
def test_what_cannot_run_yet_is_refused_at_once(field: str) -> None:
    field, _, only = field.partition("=")
    value: Any = only or [{"metadata": {"name": "a"}, "spec": {}}]
    (cause,) = [cause for cause in _verdict(vm({field: value})).causes if cause.field == f"spec.{field}"]
    assert "this release" in cause.message
