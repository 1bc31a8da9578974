"""What a pool tells of its machines; pure."""

from datetime import datetime

from msgspec.structs import replace

from virtdeck.controllers.pool.observed import Seen
from virtdeck.controllers.replica_conditions import show_failure, show_pause
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.crds.selectors import format_selector, requirements

_PAUSE = "The pool neither scales nor updates while spec.paused is true"


def show(seen: Seen) -> VirtualMachinePool:
    """The pool with its whole status, nothing having failed."""
    known, pause = seen.pool.status, _PAUSE if seen.pool.spec.paused else ""
    status = replace(
        known,
        replicas=len(seen.staying),
        ready_replicas=sum(machine.is_ready for machine in seen.staying),
        label_selector=format_selector(requirements(seen.pool.spec.selector)),
        conditions=show_pause(known.conditions, pause, seen.now),
    )
    return replace(seen.pool, status=status)


def with_failure(pool: VirtualMachinePool, reason: str, message: str, now: datetime) -> VirtualMachinePool:
    """The pool, saying that and why it could not do what it should."""
    conditions = show_failure(pool.status.conditions, reason, message, now)
    return replace(pool, status=replace(pool.status, conditions=conditions))
