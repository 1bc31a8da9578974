"""Conditions as a list with one answer a type; pure."""

from collections.abc import Iterable

import msgspec

from virtdeck.crds.meta import Condition

Conditions = tuple[Condition, ...] | None


def find_condition(conditions: Conditions, type_: str) -> Condition | None:
    """The condition of this type."""
    return next((found for found in conditions or () if found.type == type_), None)


def holds(conditions: Conditions, type_: str, status: str = "True", reason: str | None = None) -> bool:
    """True when the condition is there with this status (and reason)."""
    found = find_condition(conditions, type_)
    return found is not None and found.status == status and reason in (None, found.reason)


def set_condition(conditions: Conditions, wanted: Condition, now: str) -> tuple[Condition, ...]:
    """The list with this condition; its transition time is kept while its status is."""
    former = find_condition(conditions, wanted.type)
    kept = former.last_transition_time if former and former.status == wanted.status else None
    moment = wanted.last_transition_time or kept or now
    return put_condition(conditions, msgspec.structs.replace(wanted, last_transition_time=moment))


def put_condition(conditions: Conditions, wanted: Condition) -> tuple[Condition, ...]:
    """The list with just this condition in the place of its type."""
    if find_condition(conditions, wanted.type) is None:
        return (*(conditions or ()), wanted)
    return tuple(wanted if known.type == wanted.type else known for known in conditions or ())


def drop_conditions(conditions: Conditions, types: Iterable[str]) -> tuple[Condition, ...] | None:
    """The list without these types; None stays None."""
    gone = frozenset(types)
    return None if conditions is None else tuple(known for known in conditions if known.type not in gone)
