"""Google's C++ core of the language judges ours: the same expressions, the same types, values and errors."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.cel.expressions import value_of

from virtdeck.cel.environment import checked
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import DYN
from virtdeck.cel.values import Duration, EvaluationError, Optional, Timestamp, TypeName

cel = pytest.importorskip("cel_expr_python.cel")
from cel_expr_python.ext import ext_optional, ext_strings  # noqa: E402

VALUES: dict[str, Any] = {
    "i": 7, "d": 2.5, "s": "héllo", "b": True, "n": None, "l": [3, 1, 2], "w": ["x", "yy", "x"],
    "m": {"a": 1, "b": {"c": [1, {"d": "e"}]}}, "e": [], "o": {"k": "v"},
}  # fmt: skip

# One in each line; those below a line with a # are of a kind.
_LINES = (Path(__file__).parent / "expressions.txt").read_text().splitlines()
EXPRESSIONS = [*(line for line in _LINES if line[0] != "#"), "'''multi\nline'''", ""]

# Where Kubernetes differs from the language, or its Go implementation from that in C++, and what it does.
DIFFERENCES: dict[str, tuple[str, Any]] = {
    "1 < 2u": ("value", True),  # numbers of different types may be compared
    "1.0 <= 1": ("value", True),
    "2u > 1.5": ("value", True),
    "[1, 'a']": ("refused", None),  # the items of a literal are of one type
    "dyn([1, 'a']) == [1, 'a']": ("refused", None),
    "s.matches('[a-')": ("refused", None),  # constants are checked with the expression
    "duration('x')": ("refused", None),
    "timestamp('2023-02-29T00:00:00Z')": ("refused", None),
    "string(duration('1h1.5s'))": ("value", "3601.5s"),
}


@pytest.fixture(scope="module")
def reference() -> Any:
    extensions = [ext_optional.ExtOptional(), ext_strings.ExtStrings()]
    return cel.NewEnv(variables=dict.fromkeys(VALUES, cel.Type.DYN), extensions=extensions)


def _plain(value: Any) -> Any:
    """Our value as the reference's Python side would show it."""
    match value:
        case Duration() | Timestamp() | Optional() | TypeName():
            return "not plain"
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {key: _plain(item) for key, item in value.items()}
    return value


def _theirs(reference: Any, text: str) -> tuple[str, Any]:
    try:
        program = reference.compile(text)
    except RuntimeError:
        return "refused", None
    try:
        result = program.eval(data=VALUES)
    except RuntimeError:
        return "failed", None
    if str(result.type()) == "ERROR":
        return "failed", None
    value = result.plain_value()
    return "value", bytes(value) if isinstance(value, bytearray) else value


def _ours(text: str) -> tuple[str, Any]:
    try:
        checked(text, dict.fromkeys(VALUES, DYN))
    except ExpressionError:
        return "refused", None
    try:
        return "value", _plain(value_of(text, VALUES))
    except EvaluationError:
        return "failed", None


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression_comes_to_what_the_reference_says(reference: Any, text: str) -> None:
    theirs, ours = _theirs(reference, text), _ours(text)
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[1] != "not plain":
        assert ours[1] == theirs[1]
        assert type(ours[1]) is type(theirs[1]) or isinstance(ours[1], int)


@pytest.mark.parametrize("text", DIFFERENCES)
def test_expression_differs_from_the_reference_where_kubernetes_does(reference: Any, text: str) -> None:
    assert _ours(text) == DIFFERENCES[text]
    assert _theirs(reference, text) != DIFFERENCES[text]
