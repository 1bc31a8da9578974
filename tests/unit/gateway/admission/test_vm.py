"""Rules on VirtualMachines (V252–V268, V282–V284)."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain, root_volume, vm

from virtdeck.gateway.admission import ClusterConfig, Verdict, validate_vm
from virtdeck.gateway.admission.not_yet import VM_SPEC


def _verdict(obj: Plain, old: Plain | None = None, cluster: ClusterConfig = CLUSTER) -> Verdict:
    return validate_vm(obj, old, ALICE, cluster)


def _fields(obj: Plain, old: Plain | None = None) -> set[str]:
    return {cause.field for cause in _verdict(obj, old).causes}


def _data_volume(**changes: Any) -> Plain:
    template = {"metadata": {"name": "dv"}, "spec": {"storage": {}, "source": {"blank": {}}, **changes}}
    disks = root_volume(dataVolume={"name": "dv"})
    return vm({"dataVolumeTemplates": [template]}, template=disks)


def test_a_sound_vm_is_let_through() -> None:
    assert _verdict(vm()) == Verdict()


_TEMPLATES = "spec.dataVolumeTemplates[0]"


@pytest.mark.parametrize(
    ("rule", "obj", "field"),
    [
        ("V252", vm({"template": None}), "spec.template"),
        ("V253", vm({"running": True}), "spec.running"),
        ("V254", vm({"runStrategy": None}), "spec.runStrategy"),
        ("V255", vm({"runStrategy": "Sometimes"}), "spec.runStrategy"),
        (
            "V257",
            vm({"template": {"metadata": {"labels": {"kubevirt.io/nodeName": "x"}}}}),
            "spec.template.metadata.labels[kubevirt.io/nodeName]",
        ),
        ("template", vm(template={"domain": {"memory": None}}), "spec.template.spec.domain.memory.guest"),
        ("types", vm(template={"domain": {"cpu": {"cores": "two"}}}), "spec.template.spec.domain.cpu.cores"),
        ("V261", _data_volume(pvc={}), f"{_TEMPLATES}.spec"),
        ("V262", _data_volume(storage=None), f"{_TEMPLATES}.spec"),
        (
            "V263",
            _data_volume(storage=None, pvc={"dataSource": {"kind": "a", "name": "b"}}),
            f"{_TEMPLATES}.spec.source",
        ),
        ("V264", _data_volume(source=None), f"{_TEMPLATES}.spec"),
        (
            "V265",
            _data_volume(source=None, sourceRef={"kind": "File", "name": "a"}),
            f"{_TEMPLATES}.spec.sourceRef.kind",
        ),
        ("V266", _data_volume(source={"blank": {}, "http": {"url": "u"}}), f"{_TEMPLATES}.spec.source"),
        (
            "V267",
            vm({"dataVolumeTemplates": [{"metadata": {"name": "x"}, "spec": {}}]}),
            f"{_TEMPLATES}.metadata.name",
        ),
        ("strategy", vm({"updateVolumesStrategy": "Hope"}), "spec.updateVolumesStrategy"),
    ],
)
def test_a_vm_that_breaks_the_rule_is_refused(rule: str, obj: Plain, field: str) -> None:
    assert field in _fields(obj), rule


@pytest.mark.parametrize(("name", "rule"), [("", "V260"), ("Not A Name", "V260")])
def test_data_volume_templates_have_names(name: str, rule: str) -> None:
    obj = _data_volume()
    obj["spec"]["dataVolumeTemplates"][0]["metadata"] = {"name": name, "namespace": "elsewhere"}
    assert f"{_TEMPLATES}.metadata.name" in _fields(obj), rule
    assert f"{_TEMPLATES}.metadata.namespace" in _fields(obj), "V268"


def test_waiting_for_a_migration_needs_its_gate() -> None:
    """V256"""
    closed = ClusterConfig(disabled_gates=frozenset({"DecentralizedLiveMigration"}))
    causes = _verdict(vm({"runStrategy": "WaitAsReceiver"}), cluster=closed).causes
    assert any("DecentralizedLiveMigration" in cause.message for cause in causes)


def test_live_update_asks_for_memory_that_can_grow() -> None:
    """V258, V259"""
    live = ClusterConfig(live_update=True)
    domain = {"domain": {"memory": {"guest": "512Mi", "maxGuest": "511Mi"}, "cpu": {"maxSockets": 513}}}
    fields = {cause.field for cause in _verdict(vm(template=domain), cluster=live).causes}
    memory = "spec.template.spec.domain.memory"
    assert fields == {f"{memory}.guest", f"{memory}.maxGuest", "spec.template.spec.domain.cpu.maxSockets"}


@pytest.mark.parametrize(
    ("rule", "status", "changes", "field"),
    [
        (
            "V282",
            {"snapshotInProgress": "s"},
            {"template": {"spec": root_volume(emptyDisk={"capacity": "1Gi"})}},
            "spec.template.spec.volumes",
        ),
        ("V283", {"snapshotInProgress": "s"}, {"runStrategy": "Halted"}, "spec.runStrategy"),
        ("V284", {"restoreInProgress": "r"}, {"runStrategy": "Halted"}, "spec.runStrategy"),
    ],
)
def test_a_machine_rests_while_it_is_saved(rule: str, status: Plain, changes: Plain, field: str) -> None:
    old = vm() | {"status": status}
    assert field in _fields(vm(changes), old), rule
    assert _fields(vm(), old) == set()


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
