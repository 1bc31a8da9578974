"""How a VM keeps its instance type and preference before it starts."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.controllers.builders import SPEC, kinds_of, vm, vm_seen, vmi
from tests.unit.there import there

from virtdeck.basis.errors import Invalid
from virtdeck.controllers.vm.decide import decide, decide_failure
from virtdeck.controllers.vm.generation import placement_action
from virtdeck.controllers.vm.instance import render_vmi
from virtdeck.controllers.vm.observed import StartVmi
from virtdeck.controllers.vm.sizing import ExpandVm, Named, matchers, reference_policy
from virtdeck.crds import conditions as types
from virtdeck.crds.codec import decode
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetype
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.kube.conditions import find_condition

REVISION = "v-csmall-v1beta1-type-1-1"
CSMALL = {"name": "csmall", "kind": "VirtualMachineInstancetype"}


def live() -> VirtualMachineInstancetype:
    meta = {"name": "csmall", "namespace": "ns", "uid": "type-1", "generation": 1}
    spec = {"cpu": {"guest": 1}, "memory": {"guest": "128Mi"}}
    return decode({"metadata": meta, "spec": spec}, VirtualMachineInstancetype)


def sized(strategy: str = "Always", matcher: dict[str, Any] | None = None, **over: Any) -> VirtualMachine:
    return vm(strategy, spec={"instancetype": matcher or CSMALL}, **over)


def named(of: VirtualMachine, **how: Any) -> tuple[Named, ...]:
    return tuple(Named(which, matcher, **how) for which, matcher, _ in matchers(of))


@pytest.mark.parametrize("strategy", ["Always", "Halted"])
def test_the_instance_type_is_frozen_as_soon_as_it_is_named(strategy: str) -> None:
    machine = sized(strategy)
    plan = decide(vm_seen(machine, named=named(machine, live=live())))
    assert kinds_of(plan)[0] == "KeepFrozen"
    ref = there(there(plan.wanted).status.instancetype_ref)
    assert (ref.name, ref.kind) == ("csmall", "VirtualMachineInstancetype")
    assert there(ref.controller_revision_ref).name == REVISION


def test_the_start_names_the_revision_that_was_just_made() -> None:
    machine = sized()
    plan = decide(vm_seen(machine, named=named(machine, live=live())))
    (start,) = [action for action in plan.actions if isinstance(action, StartVmi)]
    assert there(there(start.vm.status.instancetype_ref).controller_revision_ref).name == REVISION


def test_what_is_frozen_stays_whatever_becomes_of_the_instance_type() -> None:
    ref = {**CSMALL, "controllerRevisionRef": {"name": REVISION}}
    machine = sized("Halted", status={"instancetypeRef": ref})
    plan = decide(vm_seen(machine, named=named(machine, revision=REVISION, frozen=True)))
    assert "KeepFrozen" not in kinds_of(plan)
    assert there(there(plan.wanted).status.instancetype_ref).controller_revision_ref is not None


@pytest.mark.parametrize(("generation", "kept_again"), [(1, True), (2, False)])
def test_a_revision_that_was_lost_is_made_again_while_nothing_else_would_be_kept(
    generation: int, kept_again: bool
) -> None:
    ref = {**CSMALL, "controllerRevisionRef": {"name": REVISION}}
    machine = sized("Always", status={"instancetypeRef": ref})
    now = replace(live(), metadata=replace(live().metadata, generation=generation))
    plan = decide(vm_seen(machine, named=named(machine, revision=REVISION, live=now)))
    assert ("KeepFrozen" in kinds_of(plan)) is kept_again
    assert ("StartVmi" in kinds_of(plan)) is kept_again


def test_what_is_no_longer_named_is_forgotten() -> None:
    ref = {**CSMALL, "controllerRevisionRef": {"name": REVISION}}
    plan = decide(vm_seen(vm("Halted", status={"instancetypeRef": ref})))
    assert there(plan.wanted).status.instancetype_ref is None


@pytest.mark.parametrize(
    ("matcher", "how", "says"),
    [
        (CSMALL, {}, "There is no VirtualMachineInstancetype csmall in namespace ns"),
        ({"name": "u9"}, {}, "There is no VirtualMachineClusterInstancetype u9;"),
        (CSMALL | {"revisionName": "r"}, {"revision": "r"}, "ControllerRevision r that keeps"),
        ({"name": "a", "kind": "Pod"}, {}, "'Pod'"),
    ],
)
def test_a_missing_instance_type_keeps_a_vm_from_starting_and_is_told(
    matcher: dict[str, Any], how: dict[str, Any], says: str
) -> None:
    machine = sized(matcher=matcher)
    plan = decide(vm_seen(machine, named=named(machine, **how)))
    assert "StartVmi" not in kinds_of(plan)
    failure = there(find_condition(there(plan.wanted).status.conditions, types.VM_FAILURE))
    assert failure.reason == "FailedFindInstancetype"
    assert says in (failure.message or "")
    assert [note.reason for note in plan.events] == ["FailedFindInstancetype"]


def test_a_running_guest_can_be_stopped_without_its_instance_type() -> None:
    machine = sized("Halted")
    plan = decide(vm_seen(machine, vmi("Running"), named=named(machine)))
    assert kinds_of(plan) == ["DeleteVmi"]


@pytest.mark.parametrize(
    ("policy", "stored", "expands"),
    [
        ("reference", False, False),
        ("expand", False, True),
        ("expand", True, False),
        ("expandAll", True, True),
    ],
)
def test_the_installation_says_whether_a_vm_keeps_a_reference(
    policy: str, stored: bool, expands: bool
) -> None:
    ref = {**CSMALL, "controllerRevisionRef": {"name": REVISION}}
    machine = sized(status={"instancetypeRef": ref} if stored else {})
    how: dict[str, Any] = {"revision": REVISION, "frozen": True} if stored else {"live": live()}
    plan = decide(vm_seen(machine, named=named(machine, **how), policy=policy))
    assert ("ExpandVm" in kinds_of(plan)) is expands
    assert ("StartVmi" in kinds_of(plan)) is not expands


def test_the_policy_is_the_installations() -> None:
    spec = {"configuration": {"instancetype": {"referencePolicy": "expand"}}}
    assert reference_policy(decode({"spec": spec}, KubeVirt)) == "expand"
    assert reference_policy(decode({"spec": {}}, KubeVirt)) == reference_policy(None) == "reference"


def test_a_failure_to_apply_is_told() -> None:
    machine = sized()
    seen = vm_seen(machine, named=named(machine, live=live()))
    plan = decide_failure(seen, ExpandVm(machine), Invalid("spec.template says memory as well"))
    failure = there(find_condition(there(plan.wanted).status.conditions, types.VM_FAILURE))
    assert "says memory as well" in (failure.message or "")


def test_a_selector_that_an_instance_type_gave_is_not_taken_away() -> None:
    found = vmi("Running", spec={"nodeSelector": {"gpu": "yes"}})
    assert placement_action(vm_seen(sized(), found)) is None
    assert placement_action(vm_seen(vm("Always"), found)) is not None


def test_the_vmi_says_what_it_was_made_with() -> None:
    made = render_vmi(sized())
    assert (made.metadata.annotations or {})["kubevirt.io/instancetype-name"] == "csmall"
    assert made.spec.domain.memory == decode(SPEC["domain"]["memory"], type(there(made.spec.domain.memory)))
