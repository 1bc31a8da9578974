"""VirtualMachineInstanceReplicaSet: what a number of VMIs can be made of."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet as ReplicaSet
from virtdeck.crds.plain import Plain
from virtdeck.crds.selectors import requirements
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.selecting import selects, why_unreadable
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.validate import validate_vm
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

RULES: Rules[Write[ReplicaSet]] = Rules("ReplicaSet")


@RULES.rule("V325", "spec.selector", INVALID, "cannot be read: {why}")
def selector_can_be_read(replicas: Write[ReplicaSet]) -> Iterator[Place]:
    """It has a key, operator or value that selectors cannot have."""
    why = why_unreadable(replicas.obj.spec.selector)
    if why:
        yield at(why=why)


@RULES.rule("V326", "spec.selector", INVALID, "must match the labels of spec.template.metadata")
def selector_selects_what_is_made(replicas: Write[ReplicaSet]) -> Iterator[Place]:
    """VMIs made of the template would not belong to the set."""
    spec = replicas.obj.spec
    if not why_unreadable(spec.selector) and not selects(spec.selector, spec.template.metadata.labels):
        yield at()


@RULES.rule(
    "", "spec.selector", REQUIRED, "must have at least one test, or every VMI would belong to the set"
)
def selector_is_not_empty(replicas: Write[ReplicaSet]) -> Iterator[Place]:
    """It selects everything."""
    if not requirements(replicas.obj.spec.selector):
        yield at()


@RULES.rule("", "spec.replicas", INVALID, "must be 0 or more")
def replicas_are_a_number(replicas: Write[ReplicaSet]) -> Iterator[Place]:
    """It is negative."""
    if (replicas.obj.spec.replicas or 0) < 0:
        yield at()


def validate_replica_set(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A replica set, new or changed: its own rules, then a VMI's on what it makes."""

    def verdict(now: ReplicaSet, before: ReplicaSet | None) -> Verdict:
        if before is not None and now.spec == before.spec:
            return Verdict()
        own = judged(RULES, Write(now, before, user, cluster))
        made = validate_vm(_as_vm(obj), _as_vm(old) if before else None, user, cluster)
        return Verdict((*own.causes, *made.causes), (*own.warnings, *made.warnings))

    return examined(obj, old, ReplicaSet, verdict)


def _as_vm(obj: Plain | None) -> Plain:
    """A machine with the set's template in the same place, so that causes name the author's own fields."""
    template = ((obj or {}).get("spec") or {}).get("template")
    return {"metadata": {"name": "any"}, "spec": {"runStrategy": "Always", "template": template}}
