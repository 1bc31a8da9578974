"""What a virtual machine names: its instance type and its preference.

Source: VirtualMachine ``spec.instancetype`` and ``spec.preference``.
"""

from typing import Any

from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE, INSTANCETYPE, PREFERENCE, Kind
from virtdeck.crds.kubevirt.vm import InstancetypeMatcher, PreferenceMatcher, VirtualMachineSpec

Matcher = InstancetypeMatcher | PreferenceMatcher

IGNORE = "Ignore"
FAILURE_POLICIES = ("Reject", IGNORE)

# Annotations of the VMI: where a name without a namespace was found is told by the key.
_ANNOTATIONS = {
    INSTANCETYPE: "kubevirt.io/instancetype-name",
    CLUSTER_INSTANCETYPE: "kubevirt.io/cluster-instancetype-name",
    PREFERENCE: "kubevirt.io/preference-name",
    CLUSTER_PREFERENCE: "kubevirt.io/cluster-preference-name",
}


def choices(matcher: Matcher) -> tuple[Kind[Any], Kind[Any]]:
    """The kinds that a matcher may name: of its namespace, and of the cluster."""
    if isinstance(matcher, InstancetypeMatcher):
        return INSTANCETYPE, CLUSTER_INSTANCETYPE
    return PREFERENCE, CLUSTER_PREFERENCE


def named_kind(matcher: Matcher) -> Kind[Any] | None:
    """The kind that is named, singular or plural in any case; the cluster's when none is. None: another."""
    own, cluster = choices(matcher)
    said = (matcher.kind or "").lower()
    if said in ("", cluster.singular, cluster.plural):
        return cluster
    return own if said in (own.singular, own.plural) else None


def name_annotations(spec: VirtualMachineSpec) -> dict[str, str]:
    """What the VMI's annotations say of the instance type and preference that it was made with."""
    found: dict[str, str] = {}
    for matcher in (spec.instancetype, spec.preference):
        kind = named_kind(matcher) if matcher else None
        if matcher and kind and matcher.name:
            found[_ANNOTATIONS[kind]] = matcher.name
    return found
