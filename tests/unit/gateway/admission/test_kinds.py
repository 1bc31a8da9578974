"""Verdicts on whole objects of the other kinds: paths, what an update does not touch, what is only stored."""

from copy import deepcopy

import pytest
from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain, merged
from tests.unit.gateway.admission.examples.evictions import eviction
from tests.unit.gateway.admission.examples.replicas import POOL, REPLICA_SET
from tests.unit.gateway.admission.examples.templates import CORES, NAME, template

from virtdeck.crds.kinds import CUSTOM
from virtdeck.gateway.admission.kinds.clone import mutate_clone, validate_clone
from virtdeck.gateway.admission.kinds.eviction import RULES as EVICTIONS
from virtdeck.gateway.admission.kinds.migration import FINALIZER, VMI_LABEL, mutate_migration
from virtdeck.gateway.admission.kinds.pool import validate_pool
from virtdeck.gateway.admission.kinds.replica_set import validate_replica_set
from virtdeck.gateway.admission.kinds.snapshot import validate_snapshot
from virtdeck.gateway.admission.kinds.template import validate_template
from virtdeck.gateway.admission.stored_only import KINDS, stored_only

_BAD_NIC = {"domain": {"devices": {"interfaces": [{"name": "default", "masquerade": {}, "model": "ne2000"}]}}}
_SNAPSHOT: Plain = {
    "metadata": {"name": "s"},
    "spec": {"source": {"apiGroup": "kubevirt.io", "kind": "VirtualMachine", "name": "a"}},
}
_CLONE: Plain = {"metadata": {"name": "c"}, "spec": {"source": _SNAPSHOT["spec"]["source"]}}


def test_what_a_replica_set_makes_is_judged_as_a_vmi() -> None:
    assert validate_replica_set(REPLICA_SET, None, ALICE, CLUSTER).allowed
    bad = merged(REPLICA_SET, {"spec": {"template": {"spec": _BAD_NIC}}})
    (cause,) = validate_replica_set(bad, None, ALICE, CLUSTER).causes
    assert cause.field == "spec.template.spec.domain.devices.interfaces[0].model"


def test_what_a_pool_makes_is_judged_as_a_machine() -> None:
    assert validate_pool(POOL, None, ALICE, CLUSTER).allowed
    template = {"spec": {"runStrategy": "Sometimes", "template": {"spec": _BAD_NIC}}}
    bad = merged(POOL, {"spec": {"virtualMachineTemplate": template}})
    fields = {cause.field for cause in validate_pool(bad, None, ALICE, CLUSTER).causes}
    assert fields == {
        "spec.virtualMachineTemplate.spec.runStrategy",
        "spec.virtualMachineTemplate.spec.template.spec.domain.devices.interfaces[0].model",
    }


@pytest.mark.parametrize(("validate", "obj"), [(validate_replica_set, REPLICA_SET), (validate_pool, POOL)])
def test_a_set_that_was_let_in_can_be_scaled_and_relabelled(validate: object, obj: Plain) -> None:
    """What is wrong in a template that an update leaves as it is is not judged again."""
    template = "template" if "template" in obj["spec"] else "virtualMachineTemplate"
    inner = {"spec": _BAD_NIC} if template == "template" else {"spec": {"template": {"spec": _BAD_NIC}}}
    old = merged(obj, {"spec": {template: inner}})
    for change in ({"metadata": {"labels": {"a": "b"}}}, {"spec": {"replicas": 5}}):
        assert validate(merged(old, change), old, ALICE, CLUSTER).allowed  # type: ignore[operator]


def test_an_object_that_cannot_be_read_is_refused_by_its_field() -> None:
    wrong = deepcopy(_SNAPSHOT) | {"spec": {"source": {"kind": 5, "name": "a"}}}
    assert [cause.field for cause in validate_snapshot(wrong, None, ALICE, CLUSTER).causes] == [
        "spec.source.kind"
    ]


def test_a_kind_that_nobody_acts_on_says_so_once_when_it_is_made() -> None:
    (warning,) = validate_snapshot(_SNAPSHOT, None, ALICE, CLUSTER).warnings
    assert "does not act on it yet" in warning
    assert validate_snapshot(_SNAPSHOT, _SNAPSHOT, ALICE, CLUSTER).warnings == ()
    assert stored_only("virtualmachines.kubevirt.io") == ""


def test_every_kind_that_is_only_stored_is_one_of_ours() -> None:
    assert {f"{kind.plural}.{kind.group}" for kind in CUSTOM} >= KINDS


def test_a_clone_without_a_target_gets_a_name_of_its_own() -> None:
    target = mutate_clone(_CLONE, lambda: "abcde")["spec"]["target"]
    assert target == {"apiGroup": "kubevirt.io", "kind": "VirtualMachine", "name": "clone-a-abcde"}
    named = merged(_CLONE, {"spec": {"target": {**target, "name": "b"}}})
    assert mutate_clone(named) == named
    assert validate_clone(mutate_clone(_CLONE), None, ALICE, CLUSTER).allowed
    long = merged(_CLONE, {"spec": {"source": {"name": "a" * 63}}})
    assert len(mutate_clone(long)["spec"]["target"]["name"]) == 63


@pytest.mark.parametrize("spec", [None, 5, {}, {"source": None}, {"source": {"name": 5}}])
def test_a_clone_that_cannot_be_read_is_left_to_its_rules(spec: object) -> None:
    assert mutate_clone({"spec": spec}) == {"spec": spec}


def test_a_migration_is_labelled_with_its_vmi_and_kept_by_nobody_that_does_not_exist() -> None:
    made = mutate_migration({"metadata": {"name": "m"}, "spec": {"vmiName": "a"}})
    assert made["metadata"]["labels"] == {VMI_LABEL: "a"}
    acted_on = not stored_only("virtualmachineinstancemigrations.kubevirt.io")
    assert (FINALIZER in made["metadata"].get("finalizers", ())) is acted_on
    assert mutate_migration(made) == made


@pytest.mark.parametrize(
    ("strategy", "can_move", "status", "stays", "marked"),
    [
        (None, True, {}, False, False),
        ("None", True, {}, False, False),
        ("LiveMigrate", False, {}, True, False),
        ("LiveMigrate", True, {}, True, True),
        ("LiveMigrate", True, {"evacuationNodeName": "a"}, True, False),
        ("LiveMigrateIfPossible", False, {}, False, False),
        ("LiveMigrateIfPossible", True, {}, True, True),
        ("External", False, {}, True, True),
        ("LiveMigrate", True, {"nodeName": "b"}, False, False),
        ("LiveMigrate", True, {"phase": "Failed"}, False, False),
    ],
)
def test_an_eviction_moves_protects_or_ends_a_guest(
    strategy: str | None, can_move: bool, status: Plain, stays: bool, marked: bool
) -> None:
    found = eviction(strategy, can_move, **status)
    assert bool(list(EVICTIONS.ask(found))) is stays
    assert found.to_be_marked is marked


def test_a_template_whose_spec_stays_is_not_judged_again() -> None:
    old = template([NAME])
    assert not validate_template(old, None, ALICE, CLUSTER).allowed
    assert validate_template(merged(old, {"metadata": {"labels": {"a": "b"}}}), old, ALICE, CLUSTER).allowed
    changed = template([NAME], message="a message")
    assert not validate_template(changed, old, ALICE, CLUSTER).allowed
    mended = validate_template(template([NAME, CORES]), old, ALICE, CLUSTER)
    assert (mended.allowed, mended.warnings) == (True, ())
