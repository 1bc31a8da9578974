"""Linearizable writes: one order of all requests explains every answer, and the revisions are that order.

A revision is given once, to one change, so the order needs no search: each answer is held against the past at
the revisions that it may have seen, from what was known before it was asked to what began after its answer.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from tests.contract.apiserver.truth.history import DELETED, Change, Past, Request

WRITES = ("create", "update", "patch", "delete")


def faults_of(requests: Iterable[Request], past: Past) -> list[str]:
    """Every answer that no order explains."""
    known = sorted(requests, key=lambda one: one.begin)
    bounds = _Bounds(known, past)
    faults = [*_ascending(past), *_invented(known, past)]
    for request in known:
        if request.code is None or request.code >= 500 or request.code == 429:
            continue
        low, high = bounds.of(request)
        faults += [
            f"{request.verb} {request.key} ({request.code}, {request.revision or request.value}): {fault}"
            for fault in _CHECKS[request.verb](request, past, low, high)
        ]
    return faults


class _Bounds:
    """Which revisions a request may have seen or made, by the clock of those who asked.

    The answer to a deletion names no revision: the first and last deletions that fit are its bounds.
    """

    def __init__(self, requests: list[Request], past: Past) -> None:
        told = [one for one in requests if one.revision and one.code is not None]
        ends = [(one.end, one.revision) for one in told]
        begins = [(one.begin, one.revision) for one in told if one.verb in WRITES]
        self._set(ends, begins)
        for request in requests:
            if request.verb == "delete" and request.code == 200:
                low, high = self.of(request)
                fitting = [one.revision for one in past.of(request.key) if one.kind == DELETED]
                fitting = [revision for revision in fitting if low < revision < high]
                if fitting:
                    ends.append((request.end, fitting[0]))
                    begins.append((request.begin, fitting[-1]))
        self._set(ends, begins)

    def _set(self, ends: list[tuple[float, int]], begins: list[tuple[float, int]]) -> None:
        ends, begins = sorted(ends), sorted(begins)
        self._ends = [end for end, _ in ends]
        self._newest = list(accumulate((revision for _, revision in ends), max))
        self._begins = [begin for begin, _ in begins]
        self._oldest = list(accumulate((revision for _, revision in reversed(begins)), min))[::-1]

    def of(self, request: Request) -> tuple[int, float]:
        """The newest revision known before the request began; the oldest made by one that began after it."""
        known = bisect_left(self._ends, request.begin)
        later = bisect_right(self._begins, request.end)
        low = self._newest[known - 1] if known else 0
        return low, self._oldest[later] if later < len(self._oldest) else float("inf")


def _ascending(past: Past) -> Iterator[str]:
    last = 0
    for change in past.changes:
        if change.revision <= last:
            yield f"revision {change.revision} follows {last}"
        last = change.revision


def _invented(requests: list[Request], past: Past) -> Iterator[str]:
    """Nothing is there that nobody wrote, nothing refused is there, and nothing happened twice."""
    written = {one.value: one for one in requests if one.verb in ("create", "update", "patch")}
    seen: set[str] = set()
    for change in past.changes:
        if change.kind == DELETED:
            continue
        writer = written.get(change.value)
        if writer is None or writer.key != change.key:
            yield f"{change.key} at {change.revision} is {change.value!r}, which nobody wrote"
        elif writer.code is not None and (400 <= writer.code < 500 or writer.code == 507):
            yield f"{change.key} at {change.revision}: {change.value!r} was refused with {writer.code}"
        if change.value in seen:
            yield f"{change.key} at {change.revision}: {change.value!r} was written twice"
        seen.add(change.value)


def _wrote(request: Request, past: Past, low: int, high: float) -> Iterator[str]:
    change = past.by_revision.get(request.revision)
    if change is None or change.value != request.value or change.key != request.key:
        yield f"acknowledged and lost: the past has {change}"
    elif not low < change.revision < high:
        yield f"made out of its time, between {low} and {high}"


def _create(request: Request, past: Past, low: int, high: float) -> Iterator[str]:
    if request.code == 409:
        if not any(past.states(request.key, low, high)):
            yield "refused although nothing was there"
        return
    yield from _wrote(request, past, low, high)
    before = past.latest(request.key, request.revision - 1)
    if before is not None and before.kind != DELETED:
        yield f"replaced {before}"


def _update(request: Request, past: Past, low: int, high: float) -> Iterator[str]:
    states = past.states(request.key, low, high)
    if request.code == 404:
        yield from [] if None in states else ["not found although it was there"]
    elif request.code == 409:
        if request.expected and all(one and one.revision == request.expected for one in states):
            yield f"refused although {request.expected} was the newest"
    else:
        yield from _wrote(request, past, low, high)
        before = past.latest(request.key, request.revision - 1)
        if before is None or before.kind == DELETED:
            yield "changed what was not there"
        elif request.expected and before.revision != request.expected:
            yield f"bound to {request.expected}, changed {before.revision}"


def _delete(request: Request, past: Past, low: int, high: float) -> Iterator[str]:
    if request.code == 404:
        if None not in past.states(request.key, low, high):
            yield "not found although it was there"
    elif not any(one.kind == DELETED and low < one.revision < high for one in past.of(request.key)):
        yield f"acknowledged and never happened, between {low} and {high}"


def _get(request: Request, past: Past, low: int, high: float) -> Iterator[str]:
    states = past.states(request.key, low, high)
    if request.code == 404:
        yield from [] if None in states else [f"not found although it was there since {low}"]
    elif not any(_same(one, request) for one in states):
        yield f"a stale or invented answer: since {low} it was {[one and one.revision for one in states]}"


def _same(change: Change | None, request: Request) -> bool:
    return change is not None and (change.revision, change.value) == (request.revision, request.value)


def _list(request: Request, past: Past, low: int, high: float) -> Iterator[str]:
    if not low <= request.revision < high:
        yield f"a list of {request.revision}, known were {low} to {high}"
    real = past.at(request.revision, request.key[0])
    if request.listed != real:
        yield f"shows {request.listed} where there was {real}"


_CHECKS: dict[str, Callable[[Request, Past, int, float], Iterator[str]]] = {
    "create": _create,
    "update": _update,
    "patch": _update,
    "delete": _delete,
    "get": _get,
    "list": _list,
}
