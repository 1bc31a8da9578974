"""What everything that keeps a number of machines says of itself: paused, or unable to; pure."""

from datetime import datetime

from virtdeck.basis.clock import rfc3339
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import Conditions, drop_conditions, find_condition, set_condition

PAUSED = "ReplicaPaused"
FAILURE = "ReplicaFailure"


def show_pause(conditions: Conditions, pause: str, now: datetime) -> Conditions:
    """The conditions, nothing having failed. pause: what rests meanwhile; empty when nothing is paused."""
    kept = drop_conditions(conditions, (FAILURE, PAUSED))
    if not pause:
        return kept or None
    known = find_condition(conditions, PAUSED)
    since = known.last_transition_time if known else None
    said = Condition(type=PAUSED, status="True", reason="Paused", message=pause, last_transition_time=since)
    return set_condition(kept, said, rfc3339(now))


def show_failure(conditions: Conditions, reason: str, message: str, now: datetime) -> tuple[Condition, ...]:
    """The conditions, saying that and why something could not be done."""
    failure = Condition(type=FAILURE, status="True", reason=reason, message=message)
    return set_condition(conditions, failure, rfc3339(now))


def says_paused(conditions: Conditions) -> bool:
    """True when the pause is shown already."""
    return find_condition(conditions, PAUSED) is not None


def failure_is_news(conditions: Conditions, message: str) -> bool:
    """True unless this very failure is shown already."""
    known = find_condition(conditions, FAILURE)
    return known is None or known.message != message
