"""What a pool tells of its machines; pure."""

from datetime import datetime

from msgspec.structs import replace

from virtdeck.basis.clock import rfc3339
from virtdeck.controllers.pool.observed import Seen
from virtdeck.crds.meta import Condition
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.crds.selectors import format_selector, requirements
from virtdeck.kube.conditions import drop_conditions, find_condition, set_condition

PAUSED = "ReplicaPaused"
FAILURE = "ReplicaFailure"


def show(seen: Seen) -> VirtualMachinePool:
    """The pool with its whole status, nothing having failed."""
    conditions = drop_conditions(seen.pool.status.conditions, (FAILURE, PAUSED))
    if seen.pool.spec.paused:
        known = find_condition(seen.pool.status.conditions, PAUSED)
        text = "The pool neither scales nor updates while spec.paused is true"
        since = known.last_transition_time if known else None
        pause = Condition(
            type=PAUSED, status="True", reason="Paused", message=text, last_transition_time=since
        )
        conditions = set_condition(conditions, pause, rfc3339(seen.now))
    status = replace(
        seen.pool.status,
        replicas=len(seen.staying),
        ready_replicas=sum(machine.is_ready for machine in seen.staying),
        label_selector=format_selector(requirements(seen.pool.spec.selector)),
        conditions=conditions or None,
    )
    return replace(seen.pool, status=status)


def with_failure(pool: VirtualMachinePool, reason: str, message: str, now: datetime) -> VirtualMachinePool:
    """The pool, saying that and why it could not do what it should."""
    failure = Condition(type=FAILURE, status="True", reason=reason, message=message)
    conditions = set_condition(pool.status.conditions, failure, rfc3339(now))
    return replace(pool, status=replace(pool.status, conditions=conditions))


def says_paused(pool: VirtualMachinePool) -> bool:
    """True when the status shows the pause already."""
    return find_condition(pool.status.conditions, PAUSED) is not None
