"""What is sound is let through, before and after defaulting; a fault put into it is named, and no other."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.gateway.admission.build import ALICE, CLUSTER, FRESH, Plain, judged, merged
from tests.unit.gateway.admission.sound import FAULTS, sound_specs

from virtdeck.gateway.admission import mutate_vm, mutate_vmi

_TRIES = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
_LABELLED = {"labels": {"a": "b"}}


def _vmi(spec: Plain) -> Plain:
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {"name": "sound"},
        "spec": spec,
    }


@_TRIES
@given(sound_specs())
def test_what_is_sound_is_sound_when_it_is_completed(spec: Plain) -> None:
    obj = _vmi(spec)
    assert not judged(obj)
    assert not judged(mutate_vmi(obj, None, ALICE, CLUSTER, FRESH))


@_TRIES
@given(sound_specs())
def test_a_vm_of_what_is_sound_makes_a_sound_instance(spec: Plain) -> None:
    template = {"metadata": _LABELLED, "spec": spec}
    vm = {"metadata": {"name": "sound"}, "spec": {"runStrategy": "Halted", "template": template}}
    made = mutate_vm(vm, None, CLUSTER, FRESH)["spec"]["template"]["spec"]
    assert not judged(mutate_vmi(_vmi(made), None, ALICE, CLUSTER, FRESH))


@_TRIES
@given(sound_specs(), st.sampled_from(FAULTS))
def test_a_fault_in_what_is_sound_is_named(spec: Plain, fault: tuple[Plain, str]) -> None:
    change, field = fault
    for obj in (
        _vmi(merged(spec, change)),
        mutate_vmi(_vmi(merged(spec, change)), None, ALICE, CLUSTER, FRESH),
    ):
        assert {cause.field for cause in judged(obj)} == {field}
