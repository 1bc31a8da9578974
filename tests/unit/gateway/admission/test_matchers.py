"""What a machine that names an instance type or a preference gets, and what is said of it."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import ALICE, CLUSTER, FRESH, Plain, vm

from virtdeck.crds.codec import decode
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.gateway.admission import mutate_vm, validate_vm
from virtdeck.gateway.admission.choice import Choice, Inferred
from virtdeck.gateway.admission.defaults.vm import name_what_is_inferred
from virtdeck.instancetype.expansion import Chosen

SIZE = decode({"cpu": {"guest": 2}, "memory": {"guest": "1Gi"}}, VirtualMachineInstancetypeSpec)
SILENT: Plain = {"domain": {"memory": None}}
CSMALL: Plain = {"instancetype": {"name": "csmall"}}


def preference(**spec: Any) -> VirtualMachinePreferenceSpec:
    return decode(spec, VirtualMachinePreferenceSpec)


def choice(size: VirtualMachineInstancetypeSpec | None = None, **rest: Any) -> Choice:
    return Choice(Chosen(size, None, "csmall"), **rest)


def judged(obj: Plain, old: Plain | None = None, found: Choice = choice(SIZE)) -> Any:  # noqa: B008 (frozen)
    return validate_vm(obj, old, ALICE, CLUSTER, found)


def stored(obj: Plain, found: VirtualMachinePreferenceSpec | None = None) -> Plain:
    spec: Plain = mutate_vm(obj, None, CLUSTER, FRESH, found)["spec"]
    return spec


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"name": "a"}, {"name": "a", "kind": "virtualmachineclusterinstancetype"}),
        (
            {"name": "a", "kind": "VirtualMachineInstancetype"},
            {"name": "a", "kind": "VirtualMachineInstancetype"},
        ),
        ({"inferFromVolume": "root"}, {"inferFromVolume": "root"}),
    ],
)
def test_a_name_without_a_kind_is_of_the_cluster(said: Plain, kept: Plain) -> None:
    """D2"""
    assert stored(vm({"instancetype": said}))["instancetype"] == kept


def test_what_the_preference_likes_is_stored_before_the_clusters_own() -> None:
    """D3"""
    wish = preference(
        preferredArchitecture="arm64",
        machine={"preferredMachineType": "virt-9.0"},
        volumes={"preferredStorageClassName": "fast"},
    )
    templates = [
        {"metadata": {"name": "a"}, "spec": {"storage": {}, "source": {"blank": {}}}},
        {"metadata": {"name": "b"}, "spec": {"pvc": {"storageClassName": "slow"}, "source": {"blank": {}}}},
    ]
    spec = stored(vm({"dataVolumeTemplates": templates}), wish)
    guest = spec["template"]["spec"]
    assert (guest["architecture"], guest["domain"]["machine"]) == ("arm64", {"type": "virt-9.0"})
    first, second = (template["spec"] for template in spec["dataVolumeTemplates"])
    assert (first["storage"], second["pvc"]) == ({"storageClassName": "fast"}, {"storageClassName": "slow"})


def test_nothing_of_the_instance_type_is_stored() -> None:
    guest = stored(vm(CSMALL, SILENT))["template"]["spec"]
    assert "cpu" not in guest["domain"]
    assert "memory" not in guest["domain"]


@pytest.mark.parametrize(
    ("policy", "found", "matcher", "memory"),
    [
        (None, {"name": "a"}, {"name": "a"}, {"guest": "128Mi"}),
        ("Ignore", {"name": "a"}, {"name": "a"}, None),
        ("Ignore", None, None, {"guest": "128Mi"}),
    ],
)
def test_what_was_inferred_takes_the_matchers_place(
    policy: str | None, found: Plain | None, matcher: Plain | None, memory: Plain | None
) -> None:
    """D1"""
    infers: Plain = {"inferFromVolume": "root"} | ({"inferFromVolumeFailurePolicy": policy} if policy else {})
    before = vm({"instancetype": infers})
    spec = name_what_is_inferred(before, {"instancetype": Inferred(found)})["spec"]
    assert spec.get("instancetype") == matcher
    assert spec["template"]["spec"]["domain"].get("memory") == memory
    assert before["spec"]["instancetype"] == infers, "what was sent stays as it was"


def test_a_template_that_leaves_its_size_to_the_instance_type_is_let_through() -> None:
    assert judged(vm(CSMALL, SILENT)).causes == ()


def test_the_template_is_judged_as_it_would_start() -> None:
    huge = decode({"cpu": {"guest": 600}, "memory": {"guest": "1Gi"}}, VirtualMachineInstancetypeSpec)
    fields = {cause.field for cause in judged(vm(CSMALL, SILENT), found=choice(huge)).causes}
    assert "spec.template.spec.domain.cpu" in fields


def test_what_is_in_conflict_is_told_without_faults_that_follow_from_it() -> None:
    """V296"""
    fields = [cause.field for cause in judged(vm(CSMALL)).causes]
    assert fields == ["spec.template.spec.domain.memory.guest"]


def test_a_machine_whose_instance_type_went_can_be_changed_with_a_warning() -> None:
    """V295"""
    lost = choice(missing={"instancetype": "there is no csmall"})
    assert not judged(vm(CSMALL, SILENT), None, lost).allowed
    changed = judged(vm(CSMALL, SILENT | {"hostname": "other"}), vm(CSMALL, SILENT), lost)
    assert changed.allowed
    assert any("csmall" in warning for warning in changed.warnings)


def test_what_an_update_leaves_alone_is_not_judged_again() -> None:
    lost = choice(missing={"instancetype": "there is no csmall"})
    verdict = judged(vm(CSMALL | {"runStrategy": "Halted"}, SILENT), vm(CSMALL, SILENT), lost)
    assert (verdict.causes, verdict.warnings) == ((), ())
