"""The instance type and the preference that a virtual machine names (D1–D3)."""

from collections.abc import Mapping

from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE
from virtdeck.crds.plain import Plain, each, part, unset
from virtdeck.gateway.admission.choice import Inferred, Which
from virtdeck.instancetype.matchers import IGNORE

_USUAL_KINDS = {"instancetype": CLUSTER_INSTANCETYPE.singular, "preference": CLUSTER_PREFERENCE.singular}


def take_inferred(vm: Plain, inferred: Mapping[Which, Inferred]) -> None:
    """D1: what was inferred takes the place of the matchers that infer.

    Who lets the inference of an instance type fail wrote memory for that case: it goes when nothing fails.
    """
    spec = vm["spec"]
    for which, found in inferred.items():
        ignores = spec[which].get("inferFromVolumeFailurePolicy") == IGNORE
        if found.matcher is None:
            del spec[which]
        else:
            spec[which] = dict(found.matcher)
            if which == "instancetype" and ignores:
                part(part(spec["template"], "spec"), "domain").pop("memory", None)


def fill_kinds(vm: Plain) -> None:
    """D2: a name without a kind is one of the cluster's; what infers has no kind before it has a name."""
    for which, kind in _USUAL_KINDS.items():
        matcher = vm["spec"].get(which)
        if matcher and matcher.get("name"):
            unset(matcher, "kind", kind)


def fill_preferred(vm: Plain, preference: VirtualMachinePreferenceSpec) -> None:
    """D3: what is stored once is what the preference likes: architecture, machine, class of storage."""
    spec = vm["spec"]["template"]["spec"]
    if preference.preferred_architecture:
        unset(spec, "architecture", preference.preferred_architecture)
    machine = preference.machine.preferred_machine_type if preference.machine else None
    if machine:
        unset(part(spec["domain"], "machine"), "type", machine)
    storage_class = preference.volumes.preferred_storage_class_name if preference.volumes else None
    for template in each(vm["spec"], "dataVolumeTemplates"):
        for form in ("pvc", "storage"):
            if storage_class and template["spec"].get(form) is not None:
                unset(template["spec"][form], "storageClassName", storage_class)
