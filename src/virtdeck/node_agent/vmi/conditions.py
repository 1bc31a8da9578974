"""A VMI's conditions as a tuple that one writer changes without touching another's."""

from datetime import datetime

from virtdeck.basis.clock import rfc3339
from virtdeck.crds.meta import Condition

Conditions = tuple[Condition, ...]


def set_condition(conditions: Conditions, wanted: Condition, now: datetime) -> Conditions:
    """The conditions with ``wanted`` among them; its time of change is kept while the answer stays."""
    known = find_condition(conditions, wanted.type)
    changed = rfc3339(now)
    if known is not None and known.status == wanted.status:
        changed = known.last_transition_time or changed
    fresh = Condition(
        type=wanted.type,
        status=wanted.status,
        reason=wanted.reason,
        message=wanted.message,
        last_transition_time=changed,
        last_probe_time=known.last_probe_time if known else None,
    )
    if known is None:
        return (*conditions, fresh)
    return tuple(fresh if condition.type == wanted.type else condition for condition in conditions)


def drop_condition(conditions: Conditions, kind: str) -> Conditions:
    """The conditions without this one."""
    return tuple(condition for condition in conditions if condition.type != kind)


def find_condition(conditions: Conditions, kind: str) -> Condition | None:
    """The condition of this type."""
    return next((condition for condition in conditions if condition.type == kind), None)
