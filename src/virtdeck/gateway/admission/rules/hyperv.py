"""Enlightenments of Hyper-V, and what each builds on (V79–V82)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.features import FeatureHyperv
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

# upper enlightenment → what it builds on
_BUILDS_ON = (
    ("synic", "vpindex"),
    ("synictimer", "synic"),
    ("synictimer", "vpindex"),
    ("tlbflush", "vpindex"),
    ("ipi", "vpindex"),
    ("evmcs", "vapic"),
)


@RULES.rule("V79", "spec.domain.features.hypervPassthrough", INVALID, "cannot be used together with hyperv")
def hyperv_is_listed_or_passed_through(vmi: Subject) -> Iterator[Place]:
    """Both are given."""
    features = vmi.domain.features
    through = features.hyperv_passthrough if features else None
    if features and features.hyperv is not None and through and through.enabled is not False:
        yield at()


@RULES.rule(
    "V80",
    "spec.domain.features.hyperv.{vpindex|synic|vapic}",
    INVALID,
    "must be enabled, for {upper} builds on it",
)
def hyperv_foundations_are_on(vmi: Subject) -> Iterator[Place]:
    """It is off while synic, synictimer, tlbflush, ipi or evmcs builds on it."""
    hyperv = _hyperv(vmi)
    said = set()
    for upper, lower in _BUILDS_ON if hyperv else ():
        if lower not in said and is_on(hyperv, upper) and not is_on(hyperv, lower):
            said.add(lower)
            yield at(lower, upper=upper)


@RULES.rule(
    "V81",
    "spec.domain.cpu.features",
    REQUIRED,
    "must have vmx with policy require, for {base}spec.domain.features.hyperv.evmcs builds on it",
)
def evmcs_needs_vmx(vmi: Subject) -> Iterator[Place]:
    """evmcs is on and vmx is not among them."""
    if is_on(_hyperv(vmi), "evmcs") and all(feature.name != "vmx" for feature in vmi.cpu.features or ()):
        yield at()


@RULES.rule(
    "V82", "spec.domain.cpu.features[].policy", INVALID, "must be require, for hyperv.evmcs builds on vmx"
)
def evmcs_requires_vmx(vmi: Subject) -> Iterator[Place]:
    """evmcs is on and vmx has another policy."""
    for index, feature in enumerate((vmi.cpu.features or ()) if is_on(_hyperv(vmi), "evmcs") else ()):
        if feature.name == "vmx" and feature.policy != "require":
            yield at(index)


def is_on(hyperv: FeatureHyperv | None, name: str) -> bool:
    """Whether an enlightenment is meant to be on: it is when it is named and not switched off."""
    state = getattr(hyperv, name, None)
    return state is not None and state.enabled is not False


def _hyperv(vmi: Subject) -> FeatureHyperv | None:
    return vmi.domain.features.hyperv if vmi.domain.features else None
