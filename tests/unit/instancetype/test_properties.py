"""Whatever the API server lets through expands to what can be read, or is refused with its fields."""

from copy import deepcopy

from hypothesis import HealthCheck, given, settings
from tests.unit.crds.from_schema import from_schema
from tests.unit.instancetype.machines import Plain

from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.kinds import INSTANCETYPE, PREFERENCE, VM, VMI
from virtdeck.crds.kubevirt.vm import VirtualMachineInstanceTemplateSpec
from virtdeck.crds.manifests import openapi_schema
from virtdeck.gateway.admission import ClusterConfig, validate_vm
from virtdeck.gateway.admission.choice import Choice
from virtdeck.gateway.admission.kinds.instancetype import validate_instancetype
from virtdeck.gateway.admission.kinds.preference import validate_preference
from virtdeck.gateway.auth.user import User
from virtdeck.instancetype.expansion import Chosen, conflicts_with, expand
from virtdeck.instancetype.requirements import unmet_architecture, unmet_memory, unmet_processors

_SIZES = from_schema(openapi_schema(INSTANCETYPE)["properties"]["spec"])
_TASTES = from_schema(openapi_schema(PREFERENCE)["properties"]["spec"])
_SPECS = from_schema(openapi_schema(VMI)["properties"]["spec"])
_VM_SPECS = from_schema(openapi_schema(VM)["properties"]["spec"])
_TRIES = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
ALICE, CLUSTER = User("alice"), ClusterConfig()


def chosen(size: Plain, taste: Plain) -> Chosen:
    return Chosen(
        decode(size, VirtualMachineInstancetypeSpec), decode(taste, VirtualMachinePreferenceSpec), "a"
    )


@_TRIES
@given(_SIZES, _TASTES, _SPECS)
def test_a_template_expands_to_one_that_can_be_read_or_is_refused(
    size: Plain, taste: Plain, spec: Plain
) -> None:
    before = {"spec": deepcopy(spec)}
    both = chosen(size, taste)
    for one in (both, Chosen(preference=both.preference)):
        causes = conflicts_with(before, one)
        assert all(cause.field and cause.message for cause in causes)
        if causes:
            continue
        expanded = expand(before, one, "masquerade")
        decode(expanded, VirtualMachineInstanceTemplateSpec)
        again = expand(expanded, Chosen(preference=both.preference), "masquerade")
        assert again == expanded, "a preference fills nothing twice"
        for unmet in (unmet_processors, unmet_memory, unmet_architecture):
            list(unmet(expanded, one))
    assert before == {"spec": spec}


@_TRIES
@given(_SIZES, _TASTES, _VM_SPECS)
def test_a_machine_with_any_size_is_answered(size: Plain, taste: Plain, spec: Plain) -> None:
    obj = {"metadata": {"name": "a"}, "spec": spec | {"instancetype": {"name": "a"}}}
    for cause in validate_vm(obj, None, ALICE, CLUSTER, Choice(chosen(size, taste))).causes:
        assert cause.message


@_TRIES
@given(_SIZES, _TASTES)
def test_the_kinds_themselves_are_answered(size: Plain, taste: Plain) -> None:
    for validate, spec in ((validate_instancetype, size), (validate_preference, taste)):
        verdict = validate({"metadata": {"name": "a"}, "spec": spec}, None, ALICE, CLUSTER)
        assert all(cause.field and cause.message for cause in verdict.causes)


@_TRIES
@given(_SIZES, _TASTES)
def test_what_is_frozen_comes_back_whole(size: Plain, taste: Plain) -> None:
    assert to_dict(decode(size, VirtualMachineInstancetypeSpec)) == size
    assert to_dict(decode(taste, VirtualMachinePreferenceSpec)) == taste
