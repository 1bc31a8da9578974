"""VirtualMachineClone: what can be copied, and what may be different about the copy."""

import secrets
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import orjson

from virtdeck.crds.clone.clone import VirtualMachineClone as Clone
from virtdeck.crds.clone.clone import VirtualMachineCloneTemplateFilters as Filters
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.admission.words import MAC_WORDS, is_mac
from virtdeck.gateway.auth.user import User

_VM, _SNAPSHOT = "VirtualMachine", "VirtualMachineSnapshot"
_GROUPS = {_VM: "kubevirt.io", _SNAPSHOT: "snapshot.kubevirt.io"}
_LETTERS, _SUFFIX = "bcdfghjklmnpqrstvwxz2456789", 5
_LONGEST_NAME = 63


@dataclass(frozen=True)
class CloneDraft:
    """A clone that is completed. suffix: five letters that nobody can foresee."""

    clone: Plain
    suffix: str


RULES: Rules[Write[Clone]] = Rules("Clone")
DEFAULTS: Defaults[CloneDraft] = Defaults("Clone")


@RULES.gate("V360", "spec", "Snapshot")
def cloning_needs_its_gate(clone: Write[Clone]) -> Iterator[Place]:
    """It is new."""
    if clone.old is None:
        yield at()


@RULES.rule(
    "V361",
    "spec.{annotationFilters|labelFilters|template.annotationFilters|template.labelFilters}[]",
    INVALID,
    'must be a name, with "!" at most at its beginning and "*" at most at its end',
)
def filters_are_filters(clone: Write[Clone]) -> Iterator[Place]:
    """A filter has one of the two elsewhere, or nothing else."""
    for name, filters in _filters(clone.obj):
        for index, text in enumerate(filters):
            if text in ("", "!") or "!" in text[1:] or "*" in text[:-1]:
                yield at(name, index)


@RULES.rule(
    "V363", "spec.source.apiGroup", REQUIRED, "must be the kind's: kubevirt.io or snapshot.kubevirt.io"
)
def source_has_a_group(clone: Write[Clone]) -> Iterator[Place]:
    """It is empty, or not the group of the source's kind."""
    source = clone.obj.spec.source
    group = _GROUPS.get(source.kind, source.api_group)
    if not source.api_group or source.api_group != group:
        yield at()


@RULES.rule("V364", "spec.source.kind", REQUIRED, "must be VirtualMachine or VirtualMachineSnapshot")
def source_has_a_kind(clone: Write[Clone]) -> Iterator[Place]:
    """It is empty."""
    if not clone.obj.spec.source.kind:
        yield at()


@RULES.rule("V365", "spec.source.name", REQUIRED, "must name an object of this namespace")
def source_has_a_name(clone: Write[Clone]) -> Iterator[Place]:
    """It is empty."""
    if not clone.obj.spec.source.name:
        yield at()


@RULES.choice("V366", "spec.source.kind", _VM, _SNAPSHOT)
def source_can_be_copied(clone: Write[Clone]) -> Iterator[Place]:
    """It is another kind."""
    yield at(value=clone.obj.spec.source.kind)


@RULES.choice("V367", "spec.target.kind", _VM)
def target_is_a_machine(clone: Write[Clone]) -> Iterator[Place]:
    """It is another kind."""
    if clone.obj.spec.target is not None:
        yield at(value=clone.obj.spec.target.kind)


@RULES.rule("V368", "spec.target.name", INVALID, "must be another name than the source's, {name!r}")
def copy_is_another(clone: Write[Clone]) -> Iterator[Place]:
    """A machine would be copied onto itself."""
    source, target = clone.obj.spec.source, clone.obj.spec.target
    if target and source.kind == target.kind == _VM and source.name == target.name:
        yield at(name=source.name)


@RULES.rule("V369", "spec.newMacAddresses[]", INVALID, f"must be {MAC_WORDS}")
def macs_are_macs(clone: Write[Clone]) -> Iterator[Place]:
    """It is another text; an empty one asks for a new address."""
    for interface, mac in (clone.obj.spec.new_mac_addresses or {}).items():
        if mac and not is_mac(mac):
            yield at(interface)


@RULES.rule("V370", "spec.patches[]", INVALID, "must be a JSON patch operation")
def patches_are_json(clone: Write[Clone]) -> Iterator[Place]:
    """It is no JSON."""
    for index, patch in enumerate(clone.obj.spec.patches or ()):
        if not is_json(patch):
            yield at(index)


@RULES.choice("", "spec.volumeNamePolicy", "RandomizeNames", "PrefixTargetName")
def volume_names_are_made_in_a_known_way(clone: Write[Clone]) -> Iterator[Place]:
    """It is another word."""
    yield at(value=clone.obj.spec.volume_name_policy)


@DEFAULTS.fills("D41", "spec.target", "a VirtualMachine called clone-<source>-<5 random letters>")
def fill_target(draft: CloneDraft) -> None:
    """There is none, or it has no name."""
    spec = draft.clone.get("spec")
    source = spec.get("source") if isinstance(spec, dict) else None
    if spec is None or not isinstance(source, dict) or not isinstance(source.get("name"), str):
        return
    target = spec.get("target") or {}
    if isinstance(target, dict) and not target.get("name"):
        name = f"clone-{source['name']}"[: _LONGEST_NAME - _SUFFIX - 1].rstrip("-.")
        made = {"apiGroup": _GROUPS[_VM], "kind": _VM, "name": f"{name}-{draft.suffix}"}
        spec["target"] = made | {key: value for key, value in target.items() if value}


def mutate_clone(obj: Plain, suffix: Callable[[], str] | None = None) -> Plain:
    """The clone as it is to be stored when it is new."""
    draft = CloneDraft(deepcopy(obj), (suffix or _random)())
    DEFAULTS.fill(draft)
    return draft.clone


def validate_clone(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A clone, new or changed."""
    stored = stored_only("virtualmachineclones.clone.kubevirt.io") if old is None else ""

    def verdict(now: Clone, before: Clone | None) -> Verdict:
        if before is not None and now.spec == before.spec:
            return Verdict()
        return judged(RULES, Write(now, before, user, cluster), stored=stored)

    return examined(obj, old, Clone, verdict)


def is_json(text: str) -> bool:
    """True for the text of one JSON value."""
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


def _random() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_SUFFIX))


def _filters(clone: Clone) -> Iterable[tuple[str, tuple[str, ...]]]:
    spec, template = clone.spec, clone.spec.template or Filters()
    yield "annotationFilters", spec.annotation_filters or ()
    yield "labelFilters", spec.label_filters or ()
    yield "template.annotationFilters", template.annotation_filters or ()
    yield "template.labelFilters", template.label_filters or ()
