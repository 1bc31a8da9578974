"""Examples for instance types and preferences: what machines name of them, and the kinds themselves."""

from typing import Any

from tests.unit.gateway.admission.build import Plain, vm
from tests.unit.gateway.admission.examples.defaults import Filled
from tests.unit.gateway.admission.examples.example import Example
from tests.unit.gateway.admission.examples.writes import made, write

from virtdeck.crds.codec import decode
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetype, VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreference, VirtualMachinePreferenceSpec
from virtdeck.crds.kubevirt.vm import VirtualMachineSpec
from virtdeck.gateway.admission.choice import Choice, Inferred
from virtdeck.gateway.admission.defaults.matchers import NamingDraft
from virtdeck.gateway.admission.rules.matchers import Matched
from virtdeck.instancetype.expansion import Chosen

_NAMED: Plain = {"instancetype": {"name": "csmall"}}
_SIZE = decode({"cpu": {"guest": 2}, "memory": {"guest": "1Gi"}}, VirtualMachineInstancetypeSpec)


def _spec(**said: Any) -> VirtualMachineSpec:
    return decode({"template": {"spec": {"domain": {"devices": {}}}}, **said}, VirtualMachineSpec)


def _vm(said: Plain, old: Plain | None = None, *, domain: Plain | None = None, **choice: Any) -> Matched:
    """A machine that says this of its size, and ``domain`` beside it."""
    template: Plain = {"spec": {"domain": {"devices": {}} | (domain or {}), "architecture": "amd64"}}
    before = None if old is None else _spec(**old)
    return Matched(_spec(**said), before, Choice(**choice), template, template)


def _needs(**requirements: Any) -> Matched:
    preference = decode({"requirements": requirements}, VirtualMachinePreferenceSpec)
    return _vm(_NAMED, chosen=Chosen(_SIZE, preference, "csmall"))


def _instancetype(spec: Plain) -> Any:
    base: Plain = {"metadata": {"name": "a"}, "spec": {"cpu": {"guest": 1}, "memory": {"guest": "1Gi"}}}
    return write(made(base, VirtualMachineInstancetype, {"spec": spec}))


def _preference(spec: Plain) -> Any:
    return write(made({"metadata": {"name": "a"}, "spec": {}}, VirtualMachinePreference, {"spec": spec}))


def _topology(topology: str, **options: Any) -> Any:
    return _preference({"cpu": {"preferredCPUTopology": topology, "spreadOptions": options}})


EXAMPLES: dict[str, Example] = {
    "V285": Example(_vm({"instancetype": {}}), _vm(_NAMED), "spec.instancetype"),
    "V289": Example(_vm({"preference": {}}), _vm({"preference": {"name": "a"}}), "spec.preference"),
    "V286": Example(
        _vm({"instancetype": {"name": "a", "inferFromVolume": "v"}}),
        _vm({"instancetype": {"inferFromVolume": "v"}}),
        "spec.instancetype.name",
    ),
    "V290": Example(
        _vm({"preference": {"name": "a", "inferFromVolume": "v"}}),
        _vm({"preference": {"inferFromVolume": "v"}}),
        "spec.preference.name",
    ),
    "V287": Example(
        _vm({"instancetype": {"kind": "VirtualMachineInstancetype", "inferFromVolume": "v"}}),
        _vm({"instancetype": {"kind": "VirtualMachineInstancetype", "name": "a"}}),
        "spec.instancetype.kind",
    ),
    "V291": Example(
        _vm({"preference": {"kind": "VirtualMachinePreference", "inferFromVolume": "v"}}),
        _vm({"preference": {"kind": "VirtualMachinePreference", "name": "a"}}),
        "spec.preference.kind",
    ),
    "kind_is_one_of_two": Example(
        _vm({"instancetype": {"kind": "VirtualMachinePreference", "name": "a"}}),
        _vm({"instancetype": {"kind": "virtualmachineclusterinstancetype", "name": "a"}}),
        "spec.instancetype.kind",
    ),
    "V288": Example(
        _vm({"instancetype": {"inferFromVolume": "v", "inferFromVolumeFailurePolicy": "Guess"}}),
        _vm({"instancetype": {"inferFromVolume": "v", "inferFromVolumeFailurePolicy": "Ignore"}}),
        "spec.instancetype.inferFromVolumeFailurePolicy",
    ),
    "V292": Example(
        _vm({"preference": {"inferFromVolume": "v", "inferFromVolumeFailurePolicy": "Guess"}}),
        _vm({"preference": {"inferFromVolume": "v", "inferFromVolumeFailurePolicy": "Reject"}}),
        "spec.preference.inferFromVolumeFailurePolicy",
    ),
    "V293": Example(
        _vm({"instancetype": {"name": "a", "revisionName": "r"}}, kept={"instancetype": "b"}),
        _vm({"instancetype": {"name": "a", "revisionName": "r"}}),
        "spec.instancetype.revisionName",
    ),
    "V294": Example(
        _vm(
            {"instancetype": {"name": "b", "revisionName": "r"}},
            {"instancetype": {"name": "a", "revisionName": "r"}},
        ),
        _vm({"instancetype": {"name": "b"}}, {"instancetype": {"name": "a", "revisionName": "r"}}),
        "spec.instancetype.revisionName",
    ),
    "V295": Example(
        _vm(_NAMED, missing={"instancetype": "there is none"}), _vm(_NAMED), "spec.instancetype.name"
    ),
    "what_is_named_will_be_missed": Example(
        _vm(_NAMED, _NAMED, missing={"instancetype": "there is none"}),
        _vm(_NAMED, _NAMED),
        "spec.instancetype.name",
    ),
    "V296": Example(
        _vm(_NAMED, domain={"memory": {"guest": "1Gi"}}, chosen=Chosen(_SIZE, None, "csmall")),
        _vm(_NAMED, domain={"memory": {"hugepages": {}}}, chosen=Chosen(_SIZE, None, "csmall")),
        "spec.template.spec.domain.memory.guest",
    ),
    "V297": Example(_needs(cpu={"guest": 3}), _needs(cpu={"guest": 2}), "spec.instancetype"),
    "V298": Example(_needs(memory={"guest": "2Gi"}), _needs(memory={"guest": "1Gi"}), "spec.instancetype"),
    "V299": Example(
        _needs(architecture="arm64"), _needs(architecture="amd64"), "spec.template.spec.architecture"
    ),
    "V406": Example(
        _instancetype({"memory": {"overcommitPercent": 101}}),
        _instancetype({"memory": {"overcommitPercent": 100}}),
    ),
    "V407": Example(
        _instancetype({"memory": {"overcommitPercent": 1, "hugepages": {"pageSize": "2Mi"}}}),
        _instancetype({"memory": {"hugepages": {"pageSize": "2Mi"}}}),
    ),
    "size_is_an_amount": Example(
        _instancetype({"memory": {"guest": "plenty"}}), _instancetype({"memory": {"maxGuest": "2Gi"}})
    ),
    "launch_security_is_a_preference": Example(
        _instancetype({"launchSecurity": {"sev": {}}}), _instancetype({"launchSecurity": None})
    ),
    "V408": Example(_topology("pyramid"), _topology("any")),
    "topology_has_its_new_name": Example(_topology("preferCores"), _topology("cores")),
    "V409": Example(_topology("spread", across="Everything"), _topology("cores", across="Everything")),
    "V410": Example(_topology("spread", across="CoresThreads", ratio=4), _topology("spread", ratio=4)),
    "ratio_divides": Example(_topology("spread", ratio=0), _topology("spread", ratio=1)),
    "required_memory_is_an_amount": Example(
        _preference({"requirements": {"memory": {"guest": "plenty"}}}),
        _preference({"requirements": {"memory": {"guest": "1Gi"}}}),
    ),
}


_INFERS: Plain = {"inferFromVolume": "root"}
_LIKES = decode({"machine": {"preferredMachineType": "pc-q35-9.0"}}, VirtualMachinePreferenceSpec)

DEFAULT_EXAMPLES: dict[str, Filled] = {
    "D1": Filled(
        NamingDraft(vm({"instancetype": _INFERS}), {"instancetype": Inferred({"name": "csmall"})}),
        "vm/spec/instancetype",
        {"name": "csmall"},
        (NamingDraft(vm({"instancetype": {"name": "csmall"}})), NamingDraft(vm({"instancetype": _INFERS}))),
    ),
    "D2": Filled(
        NamingDraft(vm({"preference": {"name": "a"}})),
        "vm/spec/preference/kind",
        "virtualmachineclusterpreference",
        (
            NamingDraft(vm({"preference": {"name": "a", "kind": "b"}})),
            NamingDraft(vm({"preference": _INFERS})),
        ),
    ),
    "D3": Filled(
        NamingDraft(vm(), {}, _LIKES),
        "template/domain/machine/type",
        "pc-q35-9.0",
        (NamingDraft(vm(template={"domain": {"machine": {"type": "q35"}}}), {}, _LIKES), NamingDraft(vm())),
    ),
}
