"""Where a pod may run: affinity, tolerations, spreading."""

from typing import Annotated

from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Int32
from virtdeck.crds.selectors import LabelSelector


class NodeSelectorRequirement(Model, frozen=True, kw_only=True):
    """TBD"""

    key: str
    operator: Annotated[str, one_of("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn")]
    values: tuple[str, ...] | None = None


class NodeSelectorTerm(Model, frozen=True, kw_only=True):
    """TBD"""

    match_expressions: tuple[NodeSelectorRequirement, ...] | None = None
    match_fields: tuple[NodeSelectorRequirement, ...] | None = None


class NodeSelector(Model, frozen=True, kw_only=True):
    """TBD"""

    node_selector_terms: tuple[NodeSelectorTerm, ...]


class PreferredSchedulingTerm(Model, frozen=True, kw_only=True):
    """TBD"""

    preference: NodeSelectorTerm
    weight: Int32


class NodeAffinity(Model, frozen=True, kw_only=True):
    """TBD"""

    preferred_during_scheduling_ignored_during_execution: tuple[PreferredSchedulingTerm, ...] | None = None
    required_during_scheduling_ignored_during_execution: NodeSelector | None = None


class PodAffinityTerm(Model, frozen=True, kw_only=True):
    """TBD"""

    label_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] | None = None
    mismatch_label_keys: tuple[str, ...] | None = None
    namespace_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] | None = None
    topology_key: str


class WeightedPodAffinityTerm(Model, frozen=True, kw_only=True):
    """TBD"""

    pod_affinity_term: PodAffinityTerm
    weight: Int32


class PodAffinity(Model, frozen=True, kw_only=True):
    """TBD"""

    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] | None = None
    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] | None = None


class PodAntiAffinity(Model, frozen=True, kw_only=True):
    """TBD"""

    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] | None = None
    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] | None = None


class Affinity(Model, frozen=True, kw_only=True):
    """TBD"""

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAntiAffinity | None = None


class Toleration(Model, frozen=True, kw_only=True):
    """TBD"""

    effect: Annotated[str | None, one_of("NoExecute", "NoSchedule", "PreferNoSchedule")] = None
    key: str | None = None
    operator: Annotated[str | None, one_of("Equal", "Exists")] = None
    toleration_seconds: int | None = None
    value: str | None = None


class TopologySpreadConstraint(Model, frozen=True, kw_only=True):
    """TBD"""

    label_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] | None = None
    max_skew: Int32
    min_domains: Int32 | None = None
    node_affinity_policy: Annotated[str | None, one_of("Honor", "Ignore")] = None
    node_taints_policy: Annotated[str | None, one_of("Honor", "Ignore")] = None
    topology_key: str
    when_unsatisfiable: Annotated[str, one_of("DoNotSchedule", "ScheduleAnyway")]
