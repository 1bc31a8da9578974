"""What calls cost: counted for given values, and estimated for sizes that are known in bounds only.

The numbers are those of the reference implementation, since they decide which rules a CRD may have.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple, Protocol

from virtdeck.cel.types import UNBOUNDED

TRAVERSAL = 0.1  # per character of a string
REGEX = 0.25  # per character of a pattern
LIST, MAP = 10, 30  # a literal


class Range(NamedTuple):
    """A cost or a size: at least, at most."""

    least: int
    most: int

    def plus(self, other: "Range") -> "Range":
        return Range(_capped(self.least + other.least), _capped(self.most + other.most))

    def times(self, other: "Range") -> "Range":
        return Range(_capped(self.least * other.least), _capped(self.most * other.most))

    def by(self, factor: float) -> "Range":
        return Range(_scaled(self.least, factor), _scaled(self.most, factor))


def _capped(value: int) -> int:
    return min(value, UNBOUNDED)


def _scaled(value: int, factor: float) -> int:
    return UNBOUNDED if value == UNBOUNDED and factor >= TRAVERSAL else _capped(ceil(value * factor))


def one(value: int) -> Range:
    return Range(value, value)


NOTHING, ONE = one(0), one(1)


class Cost(Protocol):
    """The cost of one function."""

    @property
    def flat(self) -> int | None:
        """The cost when it is the same for all values."""

    @property
    def made(self) -> float:
        """What each character or item of the result costs; it is counted when the result is there."""

    def counted(self, args: tuple[Any, ...]) -> int:
        """For these values; counted before the function is called, since it bounds what that takes."""

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        """For arguments of these sizes; and the result's size where it is known."""


def size_of(value: Any) -> int:
    """The size that traversals count."""
    return len(value) if type(value) in (str, bytes, list, dict) else 1


@dataclass(frozen=True)
class Flat:
    """The same for all values. sized: the result is as long as the first argument."""

    flat: int | None = 1
    sized: bool = False
    made: float = 0

    def counted(self, args: tuple[Any, ...]) -> int:
        return self.flat or 0

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        return one(self.flat or 0), sizes[0] if self.sized else None


@dataclass(frozen=True)
class Traversal:
    """Every character of some arguments is looked at.

    result: its size: that of the ``same`` (first) argument, their ``sum``, or up to the first (``most``).
    """

    factor: float = TRAVERSAL
    args: tuple[int, ...] = (0,)
    result: str = ""
    flat: int | None = None
    extra: int = 0
    made: float = 0

    def counted(self, args: tuple[Any, ...]) -> int:
        return self.extra + ceil(sum(size_of(args[index]) for index in self.args) * self.factor)

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        total = NOTHING
        for index in self.args:
            total = total.plus(sizes[index])
        results = {"same": sizes[0], "sum": total, "most": Range(0, sizes[0].most)}
        return total.by(self.factor).plus(one(self.extra)), results.get(self.result)


@dataclass(frozen=True)
class Comparison:
    """Two values side by side, to the end of the shorter."""

    flat: int | None = None
    made: float = 0

    def counted(self, args: tuple[Any, ...]) -> int:
        return ceil(min(size_of(args[0]), size_of(args[1])) * TRAVERSAL)

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        left, right = sizes
        return Range(min(left.least, right.least), min(left.most, right.most)).by(TRAVERSAL), None


@dataclass(frozen=True)
class Search:
    """A text in a text: each place may be the beginning."""

    flat: int | None = None
    made: float = 0

    def counted(self, args: tuple[Any, ...]) -> int:
        return ceil(size_of(args[0]) * TRAVERSAL) * ceil(size_of(args[1]) * TRAVERSAL)

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        return sizes[0].by(TRAVERSAL).times(sizes[1].by(TRAVERSAL)), None


@dataclass(frozen=True)
class Pattern:
    """A regular expression in a text."""

    flat: int | None = None
    lists: bool = False

    @property
    def made(self) -> float:
        """Finding one more takes as long as a few steps of an expression."""
        return 4 if self.lists else 0

    def counted(self, args: tuple[Any, ...]) -> int:
        return ceil((1 + size_of(args[0])) * TRAVERSAL) * ceil(size_of(args[1]) * REGEX)

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        found = Range(0, sizes[0].most) if self.lists else None
        return sizes[0].plus(ONE).by(TRAVERSAL).times(sizes[1].by(REGEX)), found


@dataclass(frozen=True)
class EachItem:
    """Every item of a list (argument ``index``) is looked at once, ``again`` times the other list's."""

    index: int = 0
    other: int | None = None
    flat: int | None = None
    extra: int = 0
    made: float = 0

    def counted(self, args: tuple[Any, ...]) -> int:
        other = size_of(args[self.other]) if self.other is not None else 1
        return self.extra + size_of(args[self.index]) * other

    def estimated(self, sizes: list[Range]) -> tuple[Range, Range | None]:
        other = sizes[self.other] if self.other is not None else ONE
        found = sizes[self.index].times(other)
        return Range(min(1, found.most), found.most).plus(one(self.extra)), None


FLAT = Flat()
