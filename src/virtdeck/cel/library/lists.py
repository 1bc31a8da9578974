"""Lists as wholes: order, extremes, sums, places; and lists as sets."""

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from virtdeck.cel.costs import EachItem
from virtdeck.cel.signatures import Library, Overload, function, method
from virtdeck.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    Type,
    list_of,
)
from virtdeck.cel.values import (
    INT_MAX,
    INT_MIN,
    Duration,
    EvaluationError,
    Uint,
    compare,
    contains,
    equal,
)

_ORDERED = (INT, UINT, DOUBLE, BOOL, STRING, BYTES, DURATION, TIMESTAMP)
_EACH = EachItem()


def _is_sorted(items: list[Any]) -> bool:
    return all(compare(one, other) <= 0 for one, other in pairwise(items))


def _extreme(choose: Callable[..., Any], name: str) -> Callable[[list[Any]], Any]:
    def run(items: list[Any]) -> Any:
        if not items:
            raise EvaluationError(f"{name} called on empty list")
        return choose(items, key=cmp_to_key(compare))

    return run


def _sum_of(zero: Any, limits: tuple[int, int] | None) -> Callable[[list[Any]], Any]:
    def run(items: list[Any]) -> Any:
        total = sum(items, zero)
        if limits and not limits[0] <= total <= limits[1]:
            raise EvaluationError("integer overflow")
        return type(zero)(total)

    return run


def _sum_of_durations(items: list[Duration]) -> Duration:
    return Duration(sum(one.nanoseconds for one in items))


def _index_of(items: list[Any], value: Any) -> int:
    return next((place for place, item in enumerate(items) if equal(item, value)), -1)


def _last_index_of(items: list[Any], value: Any) -> int:
    return next((place for place in reversed(range(len(items))) if equal(items[place], value)), -1)


def _for_each(
    types: tuple[Type, ...], run: Callable[[list[Any]], Any], result: Type | None = None
) -> tuple[Overload, ...]:
    return tuple(method(result or one, list_of(one), run=run, cost=_EACH) for one in types)


LISTS: Library = {
    "isSorted": _for_each(_ORDERED, _is_sorted, BOOL),
    "min": _for_each(_ORDERED, _extreme(min, "min")),
    "max": _for_each(_ORDERED, _extreme(max, "max")),
    "sum": (
        method(INT, list_of(INT), run=_sum_of(0, (INT_MIN, INT_MAX)), cost=_EACH),
        method(UINT, list_of(UINT), run=_sum_of(Uint(0), (0, 2**64 - 1)), cost=_EACH),
        method(DOUBLE, list_of(DOUBLE), run=_sum_of(0.0, None), cost=_EACH),
        method(DURATION, list_of(DURATION), run=_sum_of_durations, cost=_EACH),
    ),
    "indexOf": (method(INT, list_of(A), A, run=_index_of, cost=_EACH),),
    "lastIndexOf": (method(INT, list_of(A), A, run=_last_index_of, cost=_EACH),),
}


def _holds_all(items: list[Any], others: list[Any]) -> bool:
    return all(contains(items, other) for other in others)


def _intersects(items: list[Any], others: list[Any]) -> bool:
    return any(contains(items, other) for other in others)


def _equivalent(items: list[Any], others: list[Any]) -> bool:
    return _holds_all(items, others) and _holds_all(others, items)


_ALL_PAIRS = EachItem(0, other=1, extra=1)
_LIST = list_of(A)

SETS: Library = {
    "sets.contains": (function(BOOL, _LIST, _LIST, run=_holds_all, cost=_ALL_PAIRS),),
    "sets.intersects": (function(BOOL, _LIST, _LIST, run=_intersects, cost=_ALL_PAIRS),),
    "sets.equivalent": (function(BOOL, _LIST, _LIST, run=_equivalent, cost=_ALL_PAIRS),),
}
