"""The nine properties of watches, each a pure check of what one watcher saw against the past.

They are those that etcd's own robustness suite names: ordered, unique, atomic, reliable, resumable,
bookmarkable, right previous value, right create flag, filter respected.
"""

from collections.abc import Iterator
from itertools import pairwise

from tests.contract.apiserver.truth.history import (
    ADDED,
    BOOKMARK,
    DELETED,
    MODIFIED,
    Change,
    Filter,
    Key,
    Past,
    Watched,
)


def faults_of(watched: Watched, past: Past) -> list[str]:
    """Every property that this watcher saw broken, as "property: what happened"."""
    checks = (
        _ordered,
        _unique,
        _atomic,
        _reliable,
        _resumable,
        _bookmarkable,
        _previous,
        _created,
        _filtered,
    )
    return [f"{watched.name} {fault}" for check in checks for fault in check(watched, past)]


def expected(past: Past, filter: Filter, start: int, end: float) -> list[Change]:
    """What a watcher must be told of the revisions after ``start`` up to ``end``."""
    told = []
    inside: set[Key] = set()
    for change in past.changes:
        if change.revision > end:
            break
        now = change.kind != DELETED and filter.covers(change)
        before = change.key in inside
        (inside.add if now else inside.discard)(change.key)
        if change.revision <= start or not (now or before):
            continue
        kind = DELETED if not now else MODIFIED if before else ADDED
        shown = change if now else past.latest(change.key, change.revision - 1) or change
        told.append(Change(change.revision, kind, change.key, shown.value, shown.labels))
    return told


def _events(watched: Watched) -> list[Change]:
    return [one for one in watched.seen if one.kind != BOOKMARK]


def _ordered(watched: Watched, _past: Past) -> Iterator[str]:
    for before, after in pairwise(_events(watched)):
        if after.revision < before.revision:
            yield f"ordered: {after.revision} came after {before.revision}"


def _unique(watched: Watched, _past: Past) -> Iterator[str]:
    told: set[tuple[Key, int]] = set()
    for one in _events(watched):
        if (one.key, one.revision) in told:
            yield f"unique: {one.key} at {one.revision} was told twice"
        told.add((one.key, one.revision))


def _atomic(watched: Watched, past: Past) -> Iterator[str]:
    """A revision changes one object here, so whatever else is told of it is half of something."""
    for one in _events(watched):
        real = past.by_revision.get(one.revision)
        if real is None or real.key != one.key:
            yield f"atomic: {one.revision} did not change {one.key}"
        elif real.value != one.value and one.kind != DELETED:
            yield f"atomic: {one.key} at {one.revision} was {real.value!r}, told was {one.value!r}"


def _reliable(watched: Watched, past: Past) -> Iterator[str]:
    """No gap: between the first and the last event told nothing is missing."""
    told = {one.revision for one in _events(watched)}
    last = max(told, default=watched.start)
    missing = [
        one
        for one in expected(past, watched.filter, watched.start, last)
        if one.revision not in told and one.revision > min(told, default=0)
    ]
    yield from (f"reliable: {one.kind} {one.key} at {one.revision} was never told" for one in missing)


def _resumable(watched: Watched, past: Past) -> Iterator[str]:
    """Everything from the revision that was asked for on, up to the end it was promised."""
    told = [one.revision for one in _events(watched)]
    first, last = min(told, default=watched.ended + 1), max(told, default=watched.start)
    for one in expected(past, watched.filter, watched.start, watched.ended):
        if one.revision < first or one.revision > last:
            yield f"resumable: {one.kind} {one.key} at {one.revision} was never told, from {watched.start} on"
    yield from (f"resumable: {one} is not after {watched.start}" for one in told if one <= watched.start)


def _bookmarkable(watched: Watched, past: Past) -> Iterator[str]:
    """A bookmark never outruns the events: all up to it were told, and none comes after it."""
    told: set[int] = set()
    mark = 0
    for one in watched.seen:
        if one.kind != BOOKMARK:
            told.add(one.revision)
            if one.revision <= mark:
                yield f"bookmarkable: {one.revision} came after the bookmark {mark}"
            continue
        mark = max(mark, one.revision)
        for due in expected(past, watched.filter, watched.start, one.revision):
            if due.revision not in told:
                yield f"bookmarkable: the bookmark {one.revision} outran {due.revision}"


def _previous(watched: Watched, past: Past) -> Iterator[str]:
    """An object that is gone, or selected no longer, is shown as it was last."""
    for one in _events(watched):
        if one.kind != DELETED:
            continue
        known = past.latest(one.key, one.revision - 1)
        if known is None or known.value != one.value:
            was = known and known.value
            yield f"previous: {one.key} at {one.revision} ended as {one.value!r}, not {was!r}"


def _created(watched: Watched, past: Past) -> Iterator[str]:
    kinds = {
        one.revision: one.kind
        for one in expected(past, watched.filter, watched.start, _last(watched))
        if one.kind != DELETED
    }
    for one in _events(watched):
        if one.kind != DELETED and kinds.get(one.revision, one.kind) != one.kind:
            yield f"created: {one.key} at {one.revision} was told as {one.kind}"


def _filtered(watched: Watched, past: Past) -> Iterator[str]:
    due = {one.revision: one.kind for one in expected(past, watched.filter, watched.start, _last(watched))}
    for one in _events(watched):
        if one.revision not in due or (due[one.revision] == DELETED) != (one.kind == DELETED):
            yield f"filtered: {one.kind} {one.key} at {one.revision} does not belong there"


def _last(watched: Watched) -> int:
    return max((one.revision for one in watched.seen), default=watched.start)
