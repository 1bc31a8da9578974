"""What a replica set tells of its VMIs; pure."""

from datetime import datetime

from msgspec.structs import replace

from virtdeck.controllers.replica_conditions import show_failure, show_pause
from virtdeck.controllers.replica_set.observed import Seen, is_ready
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.selectors import format_selector, requirements

_PAUSE = "VMIs are neither made nor deleted while spec.paused is true"


def show(seen: Seen) -> VirtualMachineInstanceReplicaSet:
    """The set with its whole status, nothing having failed."""
    of, pause = seen.replica_set, _PAUSE if seen.replica_set.spec.paused else ""
    status = replace(
        of.status,
        replicas=len(seen.living),
        ready_replicas=sum(map(is_ready, seen.living)),
        label_selector=format_selector(requirements(of.spec.selector)),
        conditions=show_pause(of.status.conditions, pause, seen.now),
    )
    return replace(of, status=status)


def with_failure(
    of: VirtualMachineInstanceReplicaSet, reason: str, message: str, now: datetime
) -> VirtualMachineInstanceReplicaSet:
    """The set, saying that and why it could not do what it should."""
    conditions = show_failure(of.status.conditions, reason, message, now)
    return replace(of, status=replace(of.status, conditions=conditions))
