"""Where the launcher pod may run, checked as Kubernetes would check the pod (V12, V13)."""

from collections.abc import Iterable, Iterator

from virtdeck.crds.core.scheduling import (
    NodeAffinity,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    TopologySpreadConstraint,
)
from virtdeck.crds.selectors import LabelSelector
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import one_of_words
from virtdeck.gateway.admission.words import is_label_value, is_qualified_name

RULES: Rules[Subject] = Rules("VMI")

# field below the one that is examined, and what is wrong with it
Faults = Iterator[tuple[str, str]]

_KEY_WORDS = "must be a label key, as kubernetes.io/hostname"
_NODE_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
_LABEL_OPERATORS = _NODE_OPERATORS[:4]
_SPREAD = ("DoNotSchedule", "ScheduleAnyway")
_REQUIRED, _PREFERRED = (
    f"{kind}DuringSchedulingIgnoredDuringExecution" for kind in ("required", "preferred")
)


@RULES.rule("", "spec.nodeSelector[]", INVALID, _KEY_WORDS)
def node_selector_keys_are_keys(vmi: Subject) -> Iterator[Place]:
    """It could be no node's label; the pod would be refused where nobody looks."""
    for key in vmi.spec.node_selector or {}:
        if not is_qualified_name(key):
            yield at(key)


@RULES.rule("", "spec.nodeSelector[]", INVALID, "{value!r} must be a label's value")
def node_selector_values_are_values(vmi: Subject) -> Iterator[Place]:
    """It could be the value of no node's label."""
    for key, value in (vmi.spec.node_selector or {}).items():
        if not is_label_value(value):
            yield at(key, value=value)


@RULES.choice("", "spec.tolerations[].operator", "Exists", "Equal")
def toleration_operator_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, toleration in enumerate(vmi.spec.tolerations or ()):
        yield at(index, value=toleration.operator)


@RULES.choice("", "spec.tolerations[].effect", "NoSchedule", "PreferNoSchedule", "NoExecute")
def toleration_effect_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, toleration in enumerate(vmi.spec.tolerations or ()):
        yield at(index, value=toleration.effect)


@RULES.rule("V12", "spec.affinity.{nodeAffinity|podAffinity|podAntiAffinity}{…}", INVALID, "{why}")
def affinity_is_sound(vmi: Subject) -> Iterator[Place]:
    """Kubernetes would refuse it in a pod: keys, operators, values, weights, topology keys."""
    affinity = vmi.spec.affinity
    if affinity is None:
        return
    if affinity.node_affinity is not None:
        for path, why in _node_affinity(affinity.node_affinity):
            yield at("nodeAffinity", path, why=why)
    for name, found in (
        ("podAffinity", affinity.pod_affinity),
        ("podAntiAffinity", affinity.pod_anti_affinity),
    ):
        for path, why in _pod_affinity(found) if found is not None else ():
            yield at(name, path, why=why)


@RULES.rule("V13", "spec.topologySpreadConstraints[]{…}", INVALID, "{why}")
def spreading_is_sound(vmi: Subject) -> Iterator[Place]:
    """Kubernetes would refuse it in a pod: skew, topology key, policy, selector."""
    for index, spread in enumerate(vmi.spec.topology_spread_constraints or ()):
        yield from (at(index, path, why=why) for path, why in _spread(spread))


def _spread(spread: TopologySpreadConstraint) -> Faults:
    if spread.max_skew < 1:
        yield ".maxSkew", "must be 1 or more"
    if not is_qualified_name(spread.topology_key):
        yield ".topologyKey", _KEY_WORDS
    if spread.when_unsatisfiable not in _SPREAD:
        found = spread.when_unsatisfiable
        yield ".whenUnsatisfiable", f"{found!r} is not supported; use {one_of_words(_SPREAD)}"
    yield from _label_selector(".labelSelector", spread.label_selector)


def _node_affinity(affinity: NodeAffinity) -> Faults:
    needed = affinity.required_during_scheduling_ignored_during_execution
    where = f".{_REQUIRED}.nodeSelectorTerms"
    if needed and not needed.node_selector_terms:
        yield where, "must have at least one term"
    for index, term in enumerate(needed.node_selector_terms if needed else ()):
        yield from _term(f"{where}[{index}]", term)
    for index, wish in enumerate(affinity.preferred_during_scheduling_ignored_during_execution or ()):
        yield from _weight(f".{_PREFERRED}[{index}]", wish.weight)
        yield from _term(f".{_PREFERRED}[{index}].preference", wish.preference)


def _pod_affinity(affinity: PodAffinity | PodAntiAffinity) -> Faults:
    for index, term in enumerate(affinity.required_during_scheduling_ignored_during_execution or ()):
        yield from _pod_term(f".{_REQUIRED}[{index}]", term)
    for index, wish in enumerate(affinity.preferred_during_scheduling_ignored_during_execution or ()):
        yield from _weight(f".{_PREFERRED}[{index}]", wish.weight)
        yield from _pod_term(f".{_PREFERRED}[{index}].podAffinityTerm", wish.pod_affinity_term)


def _weight(path: str, weight: int) -> Faults:
    if not 1 <= weight <= 100:
        yield f"{path}.weight", "must be 1 to 100"


def _term(path: str, term: NodeSelectorTerm) -> Faults:
    for index, test in enumerate(term.match_expressions or ()):
        yield from _test(f"{path}.matchExpressions[{index}]", test)
    for index, test in enumerate(term.match_fields or ()):
        if test.key != "metadata.name":
            yield f"{path}.matchFields[{index}].key", "must be metadata.name"


def _test(path: str, test: NodeSelectorRequirement) -> Faults:
    yield from _key_and_values(path, test.key, test.operator, test.values or (), _NODE_OPERATORS)
    if test.operator in ("Gt", "Lt") and not (
        len(test.values or ()) == 1 and (test.values or ("",))[0].isdecimal()
    ):
        yield f"{path}.values", f"must be one whole number for {test.operator}"


def _pod_term(path: str, term: PodAffinityTerm) -> Faults:
    if not is_qualified_name(term.topology_key):
        yield f"{path}.topologyKey", _KEY_WORDS
    yield from _label_selector(f"{path}.labelSelector", term.label_selector)
    yield from _label_selector(f"{path}.namespaceSelector", term.namespace_selector)


def _label_selector(path: str, selector: LabelSelector | None) -> Faults:
    for key, value in ((selector and selector.match_labels) or {}).items():
        if not is_qualified_name(key):
            yield f"{path}.matchLabels", f"{key!r} {_KEY_WORDS}"
        elif not is_label_value(value):
            yield f"{path}.matchLabels[{key}]", f"{value!r} must be a label's value"
    for index, test in enumerate((selector and selector.match_expressions) or ()):
        where = f"{path}.matchExpressions[{index}]"
        yield from _key_and_values(where, test.key, test.operator, test.values or (), _LABEL_OPERATORS)


def _key_and_values(
    path: str, key: str, operator: str, values: Iterable[str], operators: tuple[str, ...]
) -> Faults:
    if not is_qualified_name(key):
        yield f"{path}.key", _KEY_WORDS
    if operator not in operators:
        yield f"{path}.operator", f"{operator!r} is not supported; use {one_of_words(operators)}"
    if operator in ("In", "NotIn") and not values:
        yield f"{path}.values", f"must have at least one value for {operator}"
    if operator in ("Exists", "DoesNotExist") and values:
        yield f"{path}.values", f"must be empty for {operator}"
