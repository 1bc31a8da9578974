"""Where a pod may run: affinity, tolerations, spreading."""

from typing import Annotated

from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Int32
from virtdeck.crds.selectors import LabelSelector


class NodeSelectorRequirement(Model, frozen=True, kw_only=True):
    """One test of a node's label or field."""

    key: Annotated[str, doc("Label or field to look at.")]
    operator: Annotated[
        str,
        one_of("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"),
        doc("How the label is compared with the values."),
    ]
    values: Annotated[tuple[str, ...] | None, doc("Values for In and NotIn; one number for Gt and Lt.")] = (
        None
    )


class NodeSelectorTerm(Model, frozen=True, kw_only=True):
    """Tests that a node must all pass."""

    match_expressions: Annotated[tuple[NodeSelectorRequirement, ...] | None, doc("Tests of labels.")] = None
    match_fields: Annotated[
        tuple[NodeSelectorRequirement, ...] | None, doc("Tests of fields; only metadata.name.")
    ] = None


class NodeSelector(Model, frozen=True, kw_only=True):
    """Terms of which a node must pass one."""

    node_selector_terms: Annotated[tuple[NodeSelectorTerm, ...], doc("The terms.")]


class PreferredSchedulingTerm(Model, frozen=True, kw_only=True):
    """A wish for a node."""

    preference: Annotated[NodeSelectorTerm, doc("Which nodes are wished for.")]
    weight: Annotated[Int32, doc("How much the wish counts, 1 to 100.")]


class NodeAffinity(Model, frozen=True, kw_only=True):
    """Which nodes suit."""

    preferred_during_scheduling_ignored_during_execution: Annotated[
        tuple[PreferredSchedulingTerm, ...] | None, doc("Wishes; the node that fulfils most is taken.")
    ] = None
    required_during_scheduling_ignored_during_execution: Annotated[
        NodeSelector | None, doc("What a node must have.")
    ] = None


class PodAffinityTerm(Model, frozen=True, kw_only=True):
    """Pods that count as neighbours, and what near means."""

    label_selector: Annotated[LabelSelector | None, doc("Which pods.")] = None
    match_label_keys: Annotated[
        tuple[str, ...] | None, doc("Labels that the neighbours must have with the same value as this pod.")
    ] = None
    mismatch_label_keys: Annotated[
        tuple[str, ...] | None, doc("Labels that the neighbours must have with another value than this pod.")
    ] = None
    namespace_selector: Annotated[LabelSelector | None, doc("In which namespaces, by label.")] = None
    namespaces: Annotated[tuple[str, ...] | None, doc("In which namespaces, by name.")] = None
    topology_key: Annotated[str, doc("Nodes with the same value of this label are near each other.")]


class WeightedPodAffinityTerm(Model, frozen=True, kw_only=True):
    """A wish for neighbours."""

    pod_affinity_term: Annotated[PodAffinityTerm, doc("Which neighbours.")]
    weight: Annotated[Int32, doc("How much the wish counts, 1 to 100.")]


class PodAffinity(Model, frozen=True, kw_only=True):
    """Near which pods."""

    preferred_during_scheduling_ignored_during_execution: Annotated[
        tuple[WeightedPodAffinityTerm, ...] | None, doc("Wishes.")
    ] = None
    required_during_scheduling_ignored_during_execution: Annotated[
        tuple[PodAffinityTerm, ...] | None, doc("What must be near.")
    ] = None


class PodAntiAffinity(Model, frozen=True, kw_only=True):
    """Away from which pods."""

    preferred_during_scheduling_ignored_during_execution: Annotated[
        tuple[WeightedPodAffinityTerm, ...] | None, doc("Wishes.")
    ] = None
    required_during_scheduling_ignored_during_execution: Annotated[
        tuple[PodAffinityTerm, ...] | None, doc("What must not be near.")
    ] = None


class Affinity(Model, frozen=True, kw_only=True):
    """On which nodes, near or away from which pods."""

    node_affinity: Annotated[NodeAffinity | None, doc("Which nodes suit.")] = None
    pod_affinity: Annotated[PodAffinity | None, doc("Near which pods.")] = None
    pod_anti_affinity: Annotated[PodAntiAffinity | None, doc("Away from which pods.")] = None


class Toleration(Model, frozen=True, kw_only=True):
    """A taint of nodes that does not keep this away."""

    effect: Annotated[
        str | None,
        one_of("NoExecute", "NoSchedule", "PreferNoSchedule"),
        doc("Effect of the taint; empty means every effect."),
    ] = None
    key: Annotated[str | None, doc("Key of the taint; empty with operator Exists means every key.")] = None
    operator: Annotated[str | None, one_of("Equal", "Exists"), doc("Exists ignores the value.")] = None
    toleration_seconds: Annotated[int | None, doc("How long a NoExecute taint is endured.")] = None
    value: Annotated[str | None, doc("Value of the taint.")] = None


class TopologySpreadConstraint(Model, frozen=True, kw_only=True):
    """How evenly pods are spread over zones or nodes."""

    label_selector: Annotated[LabelSelector | None, doc("Which pods are counted.")] = None
    match_label_keys: Annotated[
        tuple[str, ...] | None, doc("Labels whose value must be the same for a pod to be counted.")
    ] = None
    max_skew: Annotated[Int32, doc("How many more pods one place may have than another.")]
    min_domains: Annotated[Int32 | None, doc("How many places there must be.")] = None
    node_affinity_policy: Annotated[
        str | None, one_of("Honor", "Ignore"), doc("Whether only nodes that suit are counted.")
    ] = None
    node_taints_policy: Annotated[
        str | None, one_of("Honor", "Ignore"), doc("Whether nodes with taints are counted.")
    ] = None
    topology_key: Annotated[str, doc("Nodes with the same value of this label are one place.")]
    when_unsatisfiable: Annotated[
        str, one_of("DoNotSchedule", "ScheduleAnyway"), doc("What happens when it cannot be kept.")
    ]
