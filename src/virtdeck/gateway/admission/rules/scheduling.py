"""Affinity and spreading, checked as Kubernetes would check the launcher pod (V12, V13)."""

from collections.abc import Iterable, Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.core.scheduling import (
    NodeAffinity,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
)
from virtdeck.crds.selectors import LabelSelector
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid, required, unsupported
from virtdeck.gateway.admission.words import is_label_value, is_qualified_name

_KEY_WORDS = "must be a label key, as kubernetes.io/hostname"
_NODE_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
_LABEL_OPERATORS = _NODE_OPERATORS[:4]
_SPREAD = ("DoNotSchedule", "ScheduleAnyway")


def node_selector_is_labels(subject: Subject) -> Iterator[Cause]:
    """Ours: the pod would be refused later, where nobody looks."""
    for key, value in (subject.spec.node_selector or {}).items():
        if not is_qualified_name(key):
            yield invalid(subject.at("nodeSelector"), f"{key!r} {_KEY_WORDS}")
        elif not is_label_value(value):
            yield invalid(subject.at(f"nodeSelector[{key}]"), f"{value!r} must be a label's value")


def affinity_is_sound(subject: Subject) -> Iterator[Cause]:
    """V12"""
    affinity = subject.spec.affinity
    if affinity is None:
        return
    if affinity.node_affinity:
        yield from _node_affinity(subject.at("affinity.nodeAffinity"), affinity.node_affinity)
    if affinity.pod_affinity:
        yield from _pod_affinity(subject.at("affinity.podAffinity"), affinity.pod_affinity)
    if affinity.pod_anti_affinity:
        yield from _pod_affinity(subject.at("affinity.podAntiAffinity"), affinity.pod_anti_affinity)


def spreading_is_sound(subject: Subject) -> Iterator[Cause]:
    """V13"""
    for index, spread in enumerate(subject.spec.topology_spread_constraints or ()):
        path = subject.at(f"topologySpreadConstraints[{index}]")
        if spread.max_skew < 1:
            yield invalid(f"{path}.maxSkew", "must be 1 or more")
        if not is_qualified_name(spread.topology_key):
            yield invalid(f"{path}.topologyKey", _KEY_WORDS)
        if spread.when_unsatisfiable not in _SPREAD:
            yield unsupported(f"{path}.whenUnsatisfiable", spread.when_unsatisfiable, _SPREAD)
        yield from _label_selector(f"{path}.labelSelector", spread.label_selector)


def _node_affinity(path: str, affinity: NodeAffinity) -> Iterator[Cause]:
    needed = affinity.required_during_scheduling_ignored_during_execution
    where = f"{path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
    if needed and not needed.node_selector_terms:
        yield required(where, "must have at least one term")
    for index, term in enumerate(needed.node_selector_terms if needed else ()):
        yield from _term(f"{where}[{index}]", term)
    for index, wish in enumerate(affinity.preferred_during_scheduling_ignored_during_execution or ()):
        where = f"{path}.preferredDuringSchedulingIgnoredDuringExecution[{index}]"
        yield from _weight(where, wish.weight)
        yield from _term(f"{where}.preference", wish.preference)


def _pod_affinity(path: str, affinity: PodAffinity | PodAntiAffinity) -> Iterator[Cause]:
    for index, term in enumerate(affinity.required_during_scheduling_ignored_during_execution or ()):
        yield from _pod_term(f"{path}.requiredDuringSchedulingIgnoredDuringExecution[{index}]", term)
    for index, wish in enumerate(affinity.preferred_during_scheduling_ignored_during_execution or ()):
        where = f"{path}.preferredDuringSchedulingIgnoredDuringExecution[{index}]"
        yield from _weight(where, wish.weight)
        yield from _pod_term(f"{where}.podAffinityTerm", wish.pod_affinity_term)


def _weight(path: str, weight: int) -> Iterator[Cause]:
    if not 1 <= weight <= 100:
        yield invalid(f"{path}.weight", "must be 1 to 100")


def _term(path: str, term: NodeSelectorTerm) -> Iterator[Cause]:
    for index, test in enumerate(term.match_expressions or ()):
        yield from _test(f"{path}.matchExpressions[{index}]", test)
    for index, test in enumerate(term.match_fields or ()):
        if test.key != "metadata.name":
            yield invalid(f"{path}.matchFields[{index}].key", "must be metadata.name")


def _test(path: str, test: NodeSelectorRequirement) -> Iterator[Cause]:
    yield from _key_and_values(path, test.key, test.operator, test.values or (), _NODE_OPERATORS)
    if test.operator in ("Gt", "Lt") and not (
        len(test.values or ()) == 1 and (test.values or ("",))[0].isdecimal()
    ):
        yield invalid(f"{path}.values", f"must be one whole number for {test.operator}")


def _pod_term(path: str, term: PodAffinityTerm) -> Iterator[Cause]:
    if not is_qualified_name(term.topology_key):
        yield invalid(f"{path}.topologyKey", _KEY_WORDS)
    yield from _label_selector(f"{path}.labelSelector", term.label_selector)
    yield from _label_selector(f"{path}.namespaceSelector", term.namespace_selector)


def _label_selector(path: str, selector: LabelSelector | None) -> Iterator[Cause]:
    for key, value in ((selector and selector.match_labels) or {}).items():
        if not is_qualified_name(key):
            yield invalid(f"{path}.matchLabels", f"{key!r} {_KEY_WORDS}")
        elif not is_label_value(value):
            yield invalid(f"{path}.matchLabels[{key}]", f"{value!r} must be a label's value")
    for index, test in enumerate((selector and selector.match_expressions) or ()):
        where = f"{path}.matchExpressions[{index}]"
        yield from _key_and_values(where, test.key, test.operator, test.values or (), _LABEL_OPERATORS)


def _key_and_values(
    path: str, key: str, operator: str, values: Iterable[str], operators: tuple[str, ...]
) -> Iterator[Cause]:
    if not is_qualified_name(key):
        yield invalid(f"{path}.key", _KEY_WORDS)
    if operator not in operators:
        yield unsupported(f"{path}.operator", operator, operators)
    if operator in ("In", "NotIn") and not values:
        yield required(f"{path}.values", f"must have at least one value for {operator}")
    if operator in ("Exists", "DoesNotExist") and values:
        yield invalid(f"{path}.values", f"must be empty for {operator}")


RULES: tuple[Rule, ...] = (node_selector_is_labels, affinity_is_sound, spreading_is_sound)
