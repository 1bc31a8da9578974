"""The instance type and the preference that a virtual machine names (D1–D3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE
from virtdeck.crds.plain import Plain, each, part, unset
from virtdeck.gateway.admission.choice import Inferred, Which
from virtdeck.gateway.admission.default import Defaults
from virtdeck.instancetype.matchers import IGNORE

_MATCHER = "spec.{instancetype|preference}"
_USUAL_KINDS: dict[Which, str] = {
    "instancetype": CLUSTER_INSTANCETYPE.singular,
    "preference": CLUSTER_PREFERENCE.singular,
}


@dataclass(frozen=True)
class NamingDraft:
    """A VirtualMachine. inferred: what takes the place of matchers that infer. preference: what it names."""

    vm: Plain
    inferred: Mapping[Which, Inferred] = field(default_factory=dict)
    preference: VirtualMachinePreferenceSpec | None = None

    @property
    def spec(self) -> Plain:
        return part(self.vm, "spec")

    @property
    def template(self) -> Plain:
        """The template's spec."""
        return part(part(self.spec, "template"), "spec")


INFERRED: Defaults[NamingDraft] = Defaults("VM")
DEFAULTS: Defaults[NamingDraft] = Defaults("VM")


@INFERRED.fills("D1", _MATCHER, "what the labels instancetype.kubevirt.io/default-* of its volume name")
def matcher_is_inferred(draft: NamingDraft) -> None:
    """inferFromVolume is set; the matcher goes when nothing is found and the failure policy is Ignore.

    Who lets the inference of an instance type fail wrote memory for that case: it goes when nothing fails.
    """
    for which, found in draft.inferred.items():
        ignores = (draft.spec.get(which) or {}).get("inferFromVolumeFailurePolicy") == IGNORE
        if found.matcher is None:
            draft.spec.pop(which, None)
            continue
        draft.spec[which] = dict(found.matcher)
        if which == "instancetype" and ignores:
            part(draft.template, "domain").pop("memory", None)


@DEFAULTS.fills("D2", f"{_MATCHER}.kind", " or ".join(_USUAL_KINDS.values()))
def name_is_of_the_cluster(draft: NamingDraft) -> None:
    """It is absent and there is a name."""
    for which, kind in _USUAL_KINDS.items():
        matcher = draft.spec.get(which)
        if matcher and matcher.get("name"):
            unset(matcher, "kind", kind)


@DEFAULTS.fills(
    "D3",
    "spec.template.spec.{architecture|domain.machine.type}, spec.dataVolumeTemplates[].spec.{pvc|storage}"
    ".storageClassName",
    "what the preference prefers",
)
def preferred_is_stored(draft: NamingDraft) -> None:
    """It is absent, and the preference is there: these are not asked for again at the start."""
    preference = draft.preference
    if preference is None:
        return
    if preference.preferred_architecture:
        unset(draft.template, "architecture", preference.preferred_architecture)
    if preference.machine and preference.machine.preferred_machine_type:
        machine = part(part(draft.template, "domain"), "machine")
        unset(machine, "type", preference.machine.preferred_machine_type)
    storage_class = preference.volumes.preferred_storage_class_name if preference.volumes else None
    for template in each(draft.spec, "dataVolumeTemplates"):
        for form in ("pvc", "storage"):
            if storage_class and template["spec"].get(form) is not None:
                unset(template["spec"][form], "storageClassName", storage_class)
