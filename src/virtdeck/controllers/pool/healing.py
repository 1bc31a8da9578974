"""Which machines will not come up by themselves and are made anew; pure."""

from dataclasses import dataclass
from datetime import datetime

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.controllers.pool.observed import DeleteVm, Machine, Seen
from virtdeck.crds import conditions as types
from virtdeck.crds.duration import parse_duration
from virtdeck.kube.conditions import find_condition

FAILED_STARTS = 3
FAILING_SECONDS = 300.0
_HOPELESS = frozenset(
    {
        "CrashLoopBackOff",
        "ErrorUnschedulable",
        "DataVolumeError",
        "ErrorPvcNotFound",
        "ErrImagePull",
        "ImagePullBackOff",
    }
)


@dataclass(frozen=True)
class Healing:
    """Machines to delete now, and the seconds until another one may be due."""

    actions: tuple[DeleteVm, ...] = ()
    again_after: float | None = None


def decide_healing(seen: Seen) -> Healing:
    """Nothing heals unless the pool says how; what was deleted is made anew by scaling."""
    strategy = seen.pool.spec.autohealing
    if strategy is None:
        return Healing()
    starts = strategy.start_up_failure_threshold or FAILED_STARTS
    text = strategy.min_failing_to_start_duration
    patience = parse_duration(text) if text else FAILING_SECONDS
    waits = {machine.name: _seconds_left(machine, starts, patience, seen.now) for machine in seen.staying}
    due = tuple(DeleteVm(machine.vm) for machine in seen.staying if waits[machine.name] == 0.0)
    return Healing(due, min((wait for wait in waits.values() if wait), default=None))


def _seconds_left(machine: Machine, starts: int, patience: float, now: datetime) -> float | None:
    """How long the machine still has; 0.0 when its time is up, None while it is well."""
    failure = machine.vm.status.start_failure
    if failure is not None and (failure.consecutive_fail_count or 0) >= starts:
        return 0.0
    if machine.vm.status.printable_status not in _HOPELESS:
        return None
    ready = find_condition(machine.vm.status.conditions, types.VM_READY)
    if ready is None or ready.status != "False" or not ready.last_transition_time:
        return None
    failing = (now - parse_rfc3339(ready.last_transition_time)).total_seconds()
    return max(patience - failing, 0.0)
