"""Values that JSON does not have, and what the language says of equality and order.

JSON's own values stand for themselves: int, float (double), str, bool, None, list and dict; bytes are bytes.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
UINT_MAX = 2**64 - 1
NANOSECONDS = 1_000_000_000


class EvaluationError(Exception):
    """What an expression comes to when it has no value."""


class CostExceeded(Exception):
    """The expression costs more than it may; unlike an error, nothing makes up for it."""


class Uint(int):
    """An unsigned integer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A length of time. Units: nanoseconds."""

    cel_type: ClassVar[str] = "google.protobuf.Duration"
    nanoseconds: int

    def __post_init__(self) -> None:
        if not INT_MIN <= self.nanoseconds <= INT_MAX:
            raise EvaluationError("integer overflow")


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A point in time. Units: nanoseconds since 1970 in UTC."""

    cel_type: ClassVar[str] = "google.protobuf.Timestamp"
    nanoseconds: int

    def __post_init__(self) -> None:
        if not _EARLIEST <= self.nanoseconds <= _LATEST:
            raise EvaluationError("timestamp overflow")

    def moment(self) -> datetime:
        """As a datetime, whose unit is the microsecond."""
        return _EPOCH + timedelta(microseconds=self.nanoseconds // 1000)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST = int((datetime(1, 1, 1, tzinfo=UTC) - _EPOCH).total_seconds()) * NANOSECONDS
_LATEST = int((datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - _EPOCH).total_seconds() + 1) * NANOSECONDS - 1


@dataclass(frozen=True, slots=True, eq=False)
class Optional:
    """A value that may be absent."""

    cel_type: ClassVar[str] = "optional_type"
    present: bool
    value: Any = None


NOTHING = Optional(present=False)


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as a value."""

    cel_type: ClassVar[str] = "type"
    name: str


_NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    type(None): "null_type",
    list: "list",
    dict: "map",
}
_NUMBERS = (int, Uint, float)
_KEYS = frozenset({*_NUMBERS, str, bool})


def type_name(value: Any) -> str:
    """The name of the value's type; other classes carry it as ``cel_type``."""
    found = _NAMES.get(type(value))
    return found if found is not None else str(type(value).cel_type)


def equal(left: Any, right: Any) -> bool:
    """Equality: numbers by value whatever their type, otherwise never equal across types."""
    kind, other = type(left), type(right)
    if kind is not other:
        return kind in _NUMBERS and other in _NUMBERS and left == right
    if kind is list:
        return len(left) == len(right) and all(map(equal, left, right))
    if kind is dict:
        return len(left) == len(right) and all(
            name in right and equal(value, right[name]) for name, value in left.items()
        )
    if kind is Optional:
        return left.present == right.present and (not left.present or equal(left.value, right.value))
    return bool(left == right)


def contains(items: Any, value: Any) -> bool:
    """``value in items`` of a list or of a map's keys."""
    kind = type(value)
    if type(items) is dict:
        if kind not in _KEYS:
            raise EvaluationError("no such overload")
        return value in items and (kind is not bool or any(key is value for key in items))
    if kind is str:
        return value in items
    return any(equal(value, item) for item in items)


def compare(left: Any, right: Any) -> int:
    """Below, at or above zero. Raises: EvaluationError for values that have no order."""
    kind, other = type(left), type(right)
    if kind is other or (kind in _NUMBERS and other in _NUMBERS):
        if kind in _ORDERED:
            return int(left > right) - int(left < right)
        if (by := getattr(kind, "cel_compare", None)) is not None:
            return int(by(left, right))
    raise EvaluationError("no such overload")


_ORDERED = frozenset({*_NUMBERS, bool, str, bytes, Duration, Timestamp})
