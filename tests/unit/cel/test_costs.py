"""What expressions cost: estimated before they are stored, counted and bounded while they run."""

import time
from typing import Any

import pytest

from virtdeck.cel.environment import MOST_PER_CALL, checked, compiled
from virtdeck.cel.estimate import worst_cost
from virtdeck.cel.programs import Meter
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import DYN, UNBOUNDED
from virtdeck.cel.values import CostExceeded, EvaluationError
from virtdeck.standalone.apiserver.schema.expression_types import type_of_schema

TEXT = {"type": "string", "maxLength": 10}  # up to 40 bytes
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "s": TEXT,
        "free": {"type": "string"},
        "on": {"type": "string", "enum": ["a", "abc"]},
        "l": {"type": "array", "maxItems": 10, "items": TEXT},
        "open": {"type": "array", "items": {"type": "integer"}},
        "m": {"type": "object", "maxProperties": 5, "additionalProperties": TEXT},
    },
}
SELF = type_of_schema(SCHEMA) or DYN


def estimated(text: str) -> int:
    return worst_cost(checked(text, {"self": SELF}))


def counted(text: str, value: Any) -> int:
    meter = Meter(10**9, 10**9)
    compiled(text, {"self": SELF}).evaluate({"self": value}, meter)
    return 10**9 - meter.left


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("true", 0),
        ("self.n > 3", 3),  # self, its field, the comparison
        ("has(self.n)", 1),
        ("self.n > 3 && self.n < 9", 6),
        ("self.n > 3 ? self.n > 4 : true", 6),
        ("self.s == 'abc'", 3),  # three characters are compared at most
        ("self.s == self.s", 8),  # forty bytes at most
        ("self.on == self.free", 5),
        ("self.s.startsWith('ab')", 3),
        ("self.s.contains('ab')", 6),  # 4 * 1
        ("self.s.matches('^[a-z]+$')", 12),  # 5 * 2
        ("self.l.all(x, x == 'a')", 2 + 1 + 10 * (3 + 2)),
        ("self.l.exists(x, x == 'a')", 2 + 1 + 10 * (4 + 2)),
        ("self.l.map(x, x).size() > 0", 2 + 11 + 10 * (12 + 1) + 2),
        ("[1, 2].size() == 2", 12),
        ("{'a': 1}.size() == 1", 32),
        ("'a' in self.l", 12),
        ("'a' in self.m", 3),
        ("self.m.all(k, self.m[k] != '')", 2 + 1 + 5 * (3 + 4)),
        ("quantity(self.s).isInteger()", 2 + 4 + 1),
    ],
)
def test_worst_cost_follows_from_the_schema(text: str, cost: int) -> None:
    assert estimated(text) == cost


def test_what_nothing_bounds_is_as_large_as_a_request() -> None:
    assert estimated("self.free == self.free") == 4 + 314_573
    assert estimated("self.open.all(x, x > 0)") == 3 + 1_572_863 * 5
    assert estimated("self.open.all(x, self.open.all(y, x > y))") > 10**12
    assert worst_cost(checked("x.all(y, x.all(z, x.all(w, x.all(v, true))))", {"x": DYN})) == UNBOUNDED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("self.n > 3 && self.n < 9", {"n": 5}),
        ("self.n > 3 && self.n < 9", {"n": 1}),
        ("self.l.all(x, x == 'a')", {"l": ["a"] * 10}),
        ("self.l.map(x, x + 'b').all(x, x.startsWith('a'))", {"l": ["a"] * 3}),
        ("self.m.exists(k, self.m[k] == 'x')", {"m": {"a": "y", "b": "x"}}),
        ("self.s.matches('a+')", {"s": "aaaa"}),
    ],
)
def test_what_is_counted_stays_below_what_was_estimated(text: str, value: Any) -> None:
    assert 0 < counted(text, value) <= estimated(text)


def test_branches_that_are_not_taken_cost_nothing() -> None:
    assert counted("self.n > 3 && self.l.all(x, x == 'a')", {"n": 1, "l": ["a"] * 10}) == 3
    assert counted("self.n > 3 ? 1 == 1 : self.l.all(x, x == 'a')", {"n": 5, "l": ["a"] * 10}) == 4


HOSTILE = [
    "x.all(a, x.all(b, a + b >= 0))",
    "x.map(a, x.map(b, x.map(c, x)))",
    "x.map(a, x + x)",
    "x.map(a, '%s'.format([x]))",
    "x.map(a, s + s + s + s)",
    "x.map(a, s.replace('a', s))",
    "x.map(a, x.map(b, [a, b]))",
    "x.filter(a, s.matches('(a+)+$'))",
    "x.map(a, s.findAll('a'))",
    "x.map(a, s.split(''))",
    "x.map(a, {s + s: s})",
    "x.map(a, sets.contains(x, x))",
    "x.map(a, x.sum())",
    "x.map(a, x.map(b, string(b)).join(s))",
    "x.transformMap(i, v, x + x)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_expression_ends_soon_and_holds_little(text: str) -> None:
    program = compiled(text, {"x": DYN, "s": DYN})
    start = time.monotonic()
    with pytest.raises((CostExceeded, EvaluationError)):
        program.evaluate({"x": list(range(100_000)), "s": "a" * 10_000}, Meter(MOST_PER_CALL, MOST_PER_CALL))
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100 + "1" + ")" * 100,
        "[" * 100 + "]" * 100,
        "1" + " + 1" * 1000,
        "x" + ".x" * 1000,
        "x[" * 100 + "1" + "]" * 100,
        "x" * 100_001,
        " " * 100_001,
        "true ? " * 100 + "1" + " : 2" * 100,
        "a.map(b, " * 100 + "b" + ")" * 100,
    ],
)
def test_text_that_is_too_deep_or_long_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        checked(text, {"x": DYN, "a": DYN})


@pytest.mark.parametrize("word", ["&&", "||"])
def test_long_chains_of_conditions_are_not_deep(word: str) -> None:
    text = f" {word} ".join(["x == 1"] * 2000)
    assert checked(text, {"x": DYN}).type.kind == "bool"
    assert compiled(text, {"x": DYN}).evaluate({"x": 1}, Meter(10**6, 10**6)) is True
