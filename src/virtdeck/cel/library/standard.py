"""The language's own functions: sizes, conversions, texts, times, optionals."""

import math
import re
from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Any

from virtdeck.cel.costs import Flat, Pattern, Search, Traversal
from virtdeck.cel.patterns import compiled
from virtdeck.cel.signatures import Library, Overload, function, method
from virtdeck.cel.times import (
    parse_duration,
    parse_moment,
    show_duration,
    show_moment,
    zone,
)
from virtdeck.cel.types import (
    ANY_TYPE,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    B,
    list_of,
    map_of,
    optional_of,
)
from virtdeck.cel.values import (
    INT_MAX,
    INT_MIN,
    NANOSECONDS,
    NOTHING,
    UINT_MAX,
    Duration,
    EvaluationError,
    Optional,
    Timestamp,
    TypeName,
    Uint,
    type_name,
)

_SIZED = (STRING, BYTES, list_of(A), map_of(A, B))


def _to_int(value: float | str) -> int:
    if isinstance(value, str):
        if not re.fullmatch(r"[-+]?\d+", value):
            raise EvaluationError(f'strconv.ParseInt: parsing "{value}": invalid syntax')
        found = int(value) if len(value) < 25 else INT_MAX + 1
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise EvaluationError("integer overflow")
        found = int(value)
    else:
        found = int(value)
    if not INT_MIN <= found <= INT_MAX:
        raise EvaluationError("integer overflow")
    return found


def _to_uint(value: float | str) -> Uint:
    if isinstance(value, str):
        if not re.fullmatch(r"\d+", value):
            raise EvaluationError(f'strconv.ParseUint: parsing "{value}": invalid syntax')
        found = int(value) if len(value) < 25 else UINT_MAX + 1
    elif isinstance(value, float):
        found = int(value) if math.isfinite(value) else -1
    else:
        found = int(value)
    if not 0 <= found <= UINT_MAX:
        raise EvaluationError("unsigned integer overflow")
    return Uint(found)


def _to_double(value: str) -> float:
    if not re.fullmatch(
        r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|inf|infinity|nan)", value, re.IGNORECASE
    ):
        raise EvaluationError(f'strconv.ParseFloat: parsing "{value}": invalid syntax')
    return float(value)


def _to_bool(value: str) -> bool:
    if value in ("true", "True", "TRUE", "t", "1"):
        return True
    if value in ("false", "False", "FALSE", "f", "0"):
        return False
    raise EvaluationError(f'strconv.ParseBool: parsing "{value}": invalid syntax')


def show_double(value: float) -> str:
    """A double as text: the shortest that is read as the same again."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return re.sub(r"e([-+])(\d)$", r"e\g<1>0\g<2>", repr(value))


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as fault:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from fault


def matches(text: str, pattern: str) -> bool:
    """Whether the pattern is found anywhere in the text."""
    return compiled(pattern).search(text) is not None


_TEXTS: Library = {
    "size": tuple(make(INT, one, run=len, cost=Flat()) for one in _SIZED for make in (function, method)),
    "contains": (method(BOOL, STRING, STRING, run=lambda text, part: part in text, cost=Search()),),
    "startsWith": (method(BOOL, STRING, STRING, run=str.startswith, cost=Traversal(args=(1,))),),
    "endsWith": (method(BOOL, STRING, STRING, run=str.endswith, cost=Traversal(args=(1,))),),
    "matches": (
        method(BOOL, STRING, STRING, run=matches, cost=Pattern()),
        function(BOOL, STRING, STRING, run=matches, cost=Pattern()),
    ),
}

_CONVERSIONS: Library = {
    "int": (
        *(function(INT, one, run=_to_int) for one in (INT, UINT, DOUBLE, STRING)),
        function(INT, TIMESTAMP, run=lambda moment: moment.nanoseconds // NANOSECONDS),
    ),
    "uint": tuple(function(UINT, one, run=_to_uint) for one in (UINT, INT, DOUBLE, STRING)),
    "double": (
        *(function(DOUBLE, one, run=float) for one in (DOUBLE, INT, UINT)),
        function(DOUBLE, STRING, run=_to_double),
    ),
    "string": (
        function(STRING, STRING, run=lambda text: text, cost=Flat(sized=True)),
        function(STRING, BOOL, run=lambda value: "true" if value else "false"),
        *(function(STRING, one, run=lambda value: str(int(value))) for one in (INT, UINT)),
        function(STRING, DOUBLE, run=show_double),
        function(STRING, BYTES, run=_decoded, cost=Traversal(result="same")),
        function(STRING, TIMESTAMP, run=show_moment),
        function(STRING, DURATION, run=show_duration),
    ),
    "bytes": (
        function(BYTES, BYTES, run=lambda value: value, cost=Flat(sized=True)),
        function(BYTES, STRING, run=str.encode, cost=Traversal(result="same")),
    ),
    "bool": (function(BOOL, BOOL, run=lambda value: value), function(BOOL, STRING, run=_to_bool)),
    "dyn": (function(DYN, A, run=lambda value: value, cost=Flat(sized=True)),),
    "type": (function(ANY_TYPE, A, run=lambda value: TypeName(type_name(value))),),
    "timestamp": (
        function(TIMESTAMP, TIMESTAMP, run=lambda moment: moment),
        function(TIMESTAMP, INT, run=lambda seconds: Timestamp(seconds * NANOSECONDS)),
        function(TIMESTAMP, STRING, run=parse_moment),
    ),
    "duration": (
        function(DURATION, DURATION, run=lambda duration: duration),
        function(DURATION, INT, run=Duration),
        function(DURATION, STRING, run=parse_duration),
    ),
}


def _part(read: Callable[[Any], int]) -> tuple[Overload, ...]:
    """A part of a moment, in UTC or in a time zone."""

    def run(moment: Timestamp, name: str = "") -> int:
        return read(moment.moment().astimezone(zone(name) if name else UTC))

    return method(INT, TIMESTAMP, run=run), method(INT, TIMESTAMP, STRING, run=run)


def _whole(unit: int) -> Overload:
    """A duration in whole units, towards zero."""

    def run(duration: Duration) -> int:
        units = abs(duration.nanoseconds) // unit
        return -units if duration.nanoseconds < 0 else units

    return method(INT, DURATION, run=run)


def _milliseconds(duration: Duration) -> int:
    return abs(duration.nanoseconds) % NANOSECONDS // 10**6


_TIMES: Library = {
    "getFullYear": _part(lambda moment: moment.year),
    "getMonth": _part(lambda moment: moment.month - 1),
    "getDayOfYear": _part(lambda moment: moment.timetuple().tm_yday - 1),
    "getDate": _part(lambda moment: moment.day),
    "getDayOfMonth": _part(lambda moment: moment.day - 1),
    "getDayOfWeek": _part(lambda moment: (moment + timedelta(days=1)).weekday()),
    "getHours": (*_part(lambda moment: moment.hour), _whole(3600 * NANOSECONDS)),
    "getMinutes": (*_part(lambda moment: moment.minute), _whole(60 * NANOSECONDS)),
    "getSeconds": (*_part(lambda moment: moment.second), _whole(NANOSECONDS)),
    "getMilliseconds": (
        *_part(lambda moment: moment.microsecond // 1000),
        method(INT, DURATION, run=_milliseconds),
    ),
}


def _value(optional: Optional) -> Any:
    if not optional.present:
        raise EvaluationError("optional.none() dereference")
    return optional.value


_MAYBE = optional_of(A)
_OPTIONALS: Library = {
    "optional.of": (function(_MAYBE, A, run=lambda value: Optional(True, value)),),
    "optional.none": (function(_MAYBE, run=lambda: NOTHING),),
    "optional.ofNonZeroValue": (
        function(_MAYBE, A, run=lambda value: Optional(True, value) if value else NOTHING),
    ),
    "hasValue": (method(BOOL, _MAYBE, run=lambda optional: optional.present),),
    "value": (method(A, _MAYBE, run=_value),),
    "or": (method(_MAYBE, _MAYBE, _MAYBE, run=lambda one, other: one if one.present else other),),
    "orValue": (method(A, _MAYBE, A, run=lambda one, other: one.value if one.present else other),),
}

STANDARD: Library = {**_TEXTS, **_CONVERSIONS, **_TIMES, **_OPTIONALS}
