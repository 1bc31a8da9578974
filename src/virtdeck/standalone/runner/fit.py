"""Whether a pod fits a node, and Kubernetes' words for why not; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal

from virtdeck.crds.core.node import Node, Taint
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.scheduling import NodeSelectorRequirement, NodeSelectorTerm, Toleration
from virtdeck.crds.quantity import parse_quantity

Resources = Mapping[str, Decimal]
_BLOCKING = frozenset({"NoSchedule", "NoExecute"})


def misfits(pod: Pod, node: Node, others: Iterable[Pod]) -> list[str]:
    """Why the pod cannot run on the node, empty when it can. others: the pods on it that have not ended."""
    spec = node.spec
    if spec is not None and spec.unschedulable:
        return ["node(s) were unschedulable"]
    reasons = [
        f"node(s) had untolerated taint {{{taint.key}: {taint.value or ''}}}"
        for taint in (spec.taints if spec is not None else None) or ()
        if taint.effect in _BLOCKING and not _tolerated(taint, pod.spec.tolerations or ())
    ]
    if not _selected(pod, node):
        reasons.append("node(s) didn't match Pod's node affinity/selector")
    return reasons or _shortages(pod, node, list(others))


def unschedulable_message(by_node: Mapping[str, list[str]]) -> str:
    """One sentence about all nodes: how many there are, and how many have each reason."""
    counts = Counter(reason for reasons in by_node.values() for reason in reasons)
    said = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
    total = len(by_node)
    return f"0/{total} nodes are available: {said}." if said else f"0/{total} nodes are available."


def requests(pod: Pod) -> dict[str, Decimal]:
    """What the pod's containers ask for, a limit counting as the request where none is given."""
    total: Counter[str] = Counter()
    for container in pod.spec.containers:
        given = container.resources
        wanted = {**((given and given.limits) or {}), **((given and given.requests) or {})}
        for name, amount in wanted.items():
            total[name] += parse_quantity(amount)  # type: ignore[assignment]
    return {name: Decimal(amount) for name, amount in total.items()}


def _shortages(pod: Pod, node: Node, others: list[Pod]) -> list[str]:
    status = node.status
    allocatable = (status.allocatable if status is not None else None) or {}
    reasons = []
    if "pods" in allocatable and len(others) + 1 > parse_quantity(allocatable["pods"]):
        reasons.append("Too many pods")
    taken = [requests(other) for other in others]
    for name, amount in requests(pod).items():
        used = sum((found.get(name, Decimal(0)) for found in taken), Decimal(0))
        if amount and used + amount > parse_quantity(allocatable.get(name, "0")):
            reasons.append(f"Insufficient {name}")
    return reasons


def _tolerated(taint: Taint, tolerations: Iterable[Toleration]) -> bool:
    for toleration in tolerations:
        if toleration.effect not in {None, "", taint.effect}:
            continue
        if toleration.operator == "Exists" and toleration.key in {None, "", taint.key}:
            return True
        if toleration.key == taint.key and (toleration.value or "") == (taint.value or ""):
            return True
    return False


def _selected(pod: Pod, node: Node) -> bool:
    labels = node.metadata.labels or {}
    if any(labels.get(key) != value for key, value in (pod.spec.node_selector or {}).items()):
        return False
    affinity = pod.spec.affinity and pod.spec.affinity.node_affinity
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    return required is None or any(_term_matches(term, node) for term in required.node_selector_terms)


def _term_matches(term: NodeSelectorTerm, node: Node) -> bool:
    labels = node.metadata.labels or {}
    fields = {"metadata.name": node.metadata.name}
    if not term.match_expressions and not term.match_fields:
        return False  # an empty term selects nothing
    return all(_meets(wanted, labels) for wanted in term.match_expressions or ()) and all(
        _meets(wanted, fields) for wanted in term.match_fields or ()
    )


def _meets(wanted: NodeSelectorRequirement, values: Mapping[str, str]) -> bool:
    value, given = values.get(wanted.key), wanted.values or ()
    match wanted.operator:
        case "In":
            return value in given
        case "NotIn":
            return value not in given
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt":
            have, bound = _number(value), _number(given[0] if given else None)
            return have > bound if wanted.operator == "Gt" else have < bound
    return False


def _number(text: str | None) -> float:
    try:
        return float(int(text or ""))
    except ValueError:
        return float("nan")  # compares as neither more nor less
