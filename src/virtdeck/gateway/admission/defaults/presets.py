"""Presets (deprecated) are merged into new VMIs of their namespace, as KubeVirt still does (D8)."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.plain import Plain, part
from virtdeck.crds.selectors import LabelSelector
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.kinds.selecting import selects
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at

EXCLUDED = "virtualmachineinstancepresets.admission.kubevirt.io/exclude"
_APPLIED = "virtualmachinepreset.kubevirt.io"
# The parts that a preset gives whole: one that the VMI has itself is left as it is.
_OFFSETS = (("clock", "utc"), ("clock", "timezone"))
_PARTS = (
    ("resources", "requests"),
    ("cpu",),
    ("memory",),
    ("firmware",),
    *_OFFSETS,
    ("clock", "timer"),
    ("features",),
    ("devices", "watchdog"),
    ("ioThreadsPolicy",),
)


@dataclass(frozen=True)
class PresetDraft:
    """vmi: a private copy of a new VMI. presets: those that select it, by name."""

    vmi: Plain
    presets: tuple[Plain, ...]


DEFAULTS: Defaults[PresetDraft] = Defaults("VMI")
RULES: Rules[PresetDraft] = Rules("VMI, new")


def matching(vmi: Plain, presets: Iterable[Plain]) -> tuple[Plain, ...]:
    """The presets that select a VMI, by name; none when it is excluded."""
    metadata = vmi.get("metadata") or {}
    if (metadata.get("annotations") or {}).get(EXCLUDED) == "true":
        return ()
    labels = metadata.get("labels") or {}
    return tuple(sorted((preset for preset in presets if _selects(preset, labels)), key=_name))


@DEFAULTS.fills("D8", "spec.domain, metadata.annotations", "what presets with a matching selector hold")
def merge_presets(draft: PresetDraft) -> None:
    """A preset selects the VMI, which has no such part itself; an annotation names the preset."""
    domain = part(part(draft.vmi, "spec"), "domain")
    for preset in draft.presets:
        if _merged(preset["spec"]["domain"], domain):
            annotations = part(part(draft.vmi, "metadata"), "annotations")
            annotations[f"{_APPLIED}/{_name(preset)}"] = "kubevirt.io/v1"


@RULES.rule("", "metadata.labels", INVALID, "select the presets {one} and {other}, which differ in {where}")
def presets_agree(draft: PresetDraft) -> Iterator[Place]:
    """Two presets that select the VMI have different values for one part."""
    for one, other in combinations(draft.presets, 2):
        for place in _PARTS:
            values = [_at(preset["spec"]["domain"], place) for preset in (one, other)]
            if None not in values and _differ(place, *values):
                yield at(one=_name(one), other=_name(other), where="spec.domain." + ".".join(place))


def _selects(preset: Plain, labels: dict[str, str]) -> bool:
    spec = preset.get("spec") or {}
    if not isinstance(spec.get("domain"), dict):
        return False
    try:
        return selects(decode(spec.get("selector") or {}, LabelSelector), labels)
    except Invalid:
        return False


def _merged(given: Plain, domain: Plain) -> bool:
    """The parts that the domain lacks stand in it; True when one of them is now the preset's."""
    applied = False
    for place in _PARTS:
        value = _at(given, place)
        if value is None:
            continue
        taken = _OFFSETS if place in _OFFSETS else (place,)
        if all(_at(domain, other) is None for other in taken):
            parent = part(domain, place[0]) if len(place) > 1 else domain
            parent[place[-1]] = deepcopy(value)
        applied = applied or _at(domain, place) == value
    return applied


def _differ(place: tuple[str, ...], one: Any, other: Any) -> bool:
    """Requests differ in what both ask for; everything else as a whole."""
    if place == ("resources", "requests"):
        return any(one[key] != other[key] for key in one.keys() & other.keys())
    return bool(one != other)


def _at(domain: Any, place: tuple[str, ...]) -> Any:
    value = domain
    for name in place:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _name(preset: Plain) -> str:
    return str((preset.get("metadata") or {}).get("name"))
