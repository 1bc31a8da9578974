"""Operators: arithmetic that does not overflow, order, equality, membership, indexes."""

import math
import operator
from collections.abc import Callable
from typing import Any

from virtdeck.cel.costs import FLAT, Comparison, EachItem, Flat, Traversal
from virtdeck.cel.signatures import Library, Overload, function
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
    B,
    Type,
    list_of,
    map_of,
    optional_of,
)
from virtdeck.cel.values import (
    INT_MAX,
    INT_MIN,
    NOTHING,
    UINT_MAX,
    Duration,
    EvaluationError,
    Optional,
    Timestamp,
    Uint,
    compare,
    contains,
    equal,
)


def _int(value: int, kind: str = "integer") -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise EvaluationError(f"{kind} overflow")
    return value


def _uint(value: int) -> Uint:
    if not 0 <= value <= UINT_MAX:
        raise EvaluationError("unsigned integer overflow")
    return Uint(value)


def _divide_int(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("division by zero")
    return _int(abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1))


def _modulo_int(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("modulus by zero")
    return abs(left) % abs(right) * (-1 if left < 0 else 1)


def _divide_uint(left: int, right: int) -> Uint:
    if right == 0:
        raise EvaluationError("division by zero")
    return Uint(left // right)


def _modulo_uint(left: int, right: int) -> Uint:
    if right == 0:
        raise EvaluationError("modulus by zero")
    return Uint(left % right)


def _divide_double(left: float, right: float) -> float:
    if right:
        return left / right
    if not left or math.isnan(left):
        return float("nan")
    return float("inf") if (left > 0) == (str(float(right))[0] != "-") else float("-inf")


def _same(of: Type, run: Callable[..., Any], cost: Any = FLAT) -> Overload:
    return function(of, of, of, run=run, cost=cost)


_CONCATENATION = Traversal(args=(0, 1), result="sum")
# The reference chains lists without copying; here they are copied, and that is what must be bounded.
_LISTS = Traversal(args=(0, 1), result="sum", extra=1)

_ARITHMETIC: Library = {
    "_+_": (
        _same(INT, lambda a, b: _int(a + b)),
        _same(UINT, lambda a, b: _uint(int(a) + int(b))),
        _same(DOUBLE, operator.add),
        _same(STRING, operator.add, _CONCATENATION),
        _same(BYTES, operator.add, _CONCATENATION),
        _same(list_of(A), operator.add, _LISTS),
        _same(DURATION, lambda a, b: Duration(a.nanoseconds + b.nanoseconds)),
        function(TIMESTAMP, TIMESTAMP, DURATION, run=lambda a, b: Timestamp(a.nanoseconds + b.nanoseconds)),
        function(TIMESTAMP, DURATION, TIMESTAMP, run=lambda a, b: Timestamp(a.nanoseconds + b.nanoseconds)),
    ),
    "_-_": (
        _same(INT, lambda a, b: _int(a - b)),
        _same(UINT, lambda a, b: _uint(int(a) - int(b))),
        _same(DOUBLE, operator.sub),
        _same(DURATION, lambda a, b: Duration(a.nanoseconds - b.nanoseconds)),
        function(TIMESTAMP, TIMESTAMP, DURATION, run=lambda a, b: Timestamp(a.nanoseconds - b.nanoseconds)),
        function(DURATION, TIMESTAMP, TIMESTAMP, run=lambda a, b: Duration(a.nanoseconds - b.nanoseconds)),
    ),
    "_*_": (
        _same(INT, lambda a, b: _int(a * b)),
        _same(UINT, lambda a, b: _uint(int(a) * int(b))),
        _same(DOUBLE, operator.mul),
    ),
    "_/_": (_same(INT, _divide_int), _same(UINT, _divide_uint), _same(DOUBLE, _divide_double)),
    "_%_": (_same(INT, _modulo_int), _same(UINT, _modulo_uint)),
    "-_": (
        function(INT, INT, run=lambda a: _int(-a)),
        function(DOUBLE, DOUBLE, run=operator.neg),
        function(DURATION, DURATION, run=lambda a: Duration(-a.nanoseconds)),
    ),
    "!_": (function(BOOL, BOOL, run=operator.not_),),
    "_&&_": (function(BOOL, BOOL, BOOL, run=operator.and_),),
    "_||_": (function(BOOL, BOOL, BOOL, run=operator.or_),),
    "_?_:_": (function(A, BOOL, A, A, run=lambda condition, then, other: then if condition else other),),
}

_NUMBERS = (INT, UINT, DOUBLE)
_PLAIN = (BOOL, INT, UINT, DOUBLE, TIMESTAMP, DURATION)
_TEXTS = (STRING, BYTES)


def _ordered(run: Callable[[Any, Any], bool]) -> tuple[Overload, ...]:
    mixed = [(one, other) for one in _NUMBERS for other in _NUMBERS if one != other]
    return (
        *(function(BOOL, one, one, run=run) for one in _PLAIN),
        *(function(BOOL, one, one, run=run, cost=Comparison()) for one in _TEXTS),
        *(function(BOOL, one, other, run=run) for one, other in mixed),
    )


def _equality(same: Callable[[Any, Any], bool], any_kind: Callable[[Any, Any], bool]) -> tuple[Overload, ...]:
    # Of two numbers, booleans or texts, what Python says of them is what the language says.
    return (
        *(function(BOOL, one, one, run=same) for one in _PLAIN),
        *(function(BOOL, one, one, run=same, cost=Comparison()) for one in _TEXTS),
        function(BOOL, A, A, run=any_kind, cost=Comparison()),
    )


def _index_list(items: list[Any], index: int) -> Any:
    if type(items) is not list or type(index) not in (int, Uint):
        raise EvaluationError("no such overload")
    if not 0 <= index < len(items):
        raise EvaluationError(f"index out of bounds: {index}")
    return items[index]


def _index_map(entries: dict[Any, Any], key: Any) -> Any:
    if type(entries) is not dict:
        raise EvaluationError("no such overload")
    if not contains(entries, key):
        raise EvaluationError(f"no such key: {key}")
    return entries[key]


def _maybe(find: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Optional]:
    def run(holder: Any, key: Any) -> Optional:
        if type(holder) is Optional:
            if not holder.present:
                return NOTHING
            holder = holder.value
        try:
            return Optional(True, find(holder, key))
        except EvaluationError:
            return NOTHING

    return run


_LIST, _MAP = list_of(A), map_of(A, B)

OPERATORS: Library = {
    **_ARITHMETIC,
    "_<_": _ordered(lambda a, b: compare(a, b) < 0),
    "_<=_": _ordered(lambda a, b: compare(a, b) <= 0),
    "_>_": _ordered(lambda a, b: compare(a, b) > 0),
    "_>=_": _ordered(lambda a, b: compare(a, b) >= 0),
    "_==_": _equality(operator.eq, equal),
    "_!=_": _equality(operator.ne, lambda a, b: not equal(a, b)),
    "@in": (
        function(BOOL, A, _LIST, run=lambda item, items: contains(items, item), cost=EachItem(1)),
        function(BOOL, A, _MAP, run=lambda key, entries: contains(entries, key)),
    ),
    "_[_]": (
        function(A, _LIST, INT, run=_index_list, cost=Flat()),
        function(B, _MAP, A, run=_index_map),
        function(optional_of(A), optional_of(_LIST), INT, run=_maybe(_index_list)),
        function(optional_of(B), optional_of(_MAP), A, run=_maybe(_index_map)),
    ),
    "_[?_]": (
        function(optional_of(A), _LIST, INT, run=_maybe(_index_list)),
        function(optional_of(B), _MAP, A, run=_maybe(_index_map)),
        function(optional_of(A), optional_of(_LIST), INT, run=_maybe(_index_list)),
        function(optional_of(B), optional_of(_MAP), A, run=_maybe(_index_map)),
    ),
}
