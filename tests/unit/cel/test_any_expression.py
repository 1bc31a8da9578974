"""Whatever is written and whatever it is about: a value, or an error of the language; nothing else comes out.

CEL_FUZZ_EXPRESSIONS tries more than the usual number.
"""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from virtdeck.cel.environment import compiled, library
from virtdeck.cel.programs import Meter, Program
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import DYN
from virtdeck.cel.values import CostExceeded, EvaluationError

COUNT = int(os.environ.get("CEL_FUZZ_EXPRESSIONS", "4000"))
VALUES = {
    "i": 7, "d": 2.5, "s": "héllo", "b": True, "n": None, "l": [3, 1, 2], "w": ["x", "yy", "x"], "e": [],
    "m": {"a": 1, "b": {"c": [1, {"d": "e"}]}}, "o": {"k": "v"}, "x": [{"a": 1}, "y", None, 1.5], "y": "",
}  # fmt: skip
ATOMS = [
    *VALUES, "1", "-3", "0.0", "1e3", "3u", "'a'", "''", "true", "null", "b'x'", "[1, 2]", "[]", "{}",
    "{'a': 1}", "duration('1h')", "timestamp('2024-01-01T00:00:00Z')", "optional.of(1)", "optional.none()",
    "int", "string", "quantity('1Gi')", "ip('::1')", "cidr('10.0.0.0/8')", "url('https://a/b')",
    "format.uuid()", "type(1)",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in"]
MACROS = ["all", "exists", "exists_one", "map", "filter", "optMap"]
NAMES = sorted(name for name in library() if name[0].isalpha())


def made(chance: random.Random, depth: int) -> str:  # noqa: PLR0911 - one for each form
    """An expression that is well-formed; its types may fit or not."""

    def below() -> str:
        return made(chance, depth - 1)

    if depth <= 0 or chance.random() < 0.2:
        return chance.choice(ATOMS)
    match chance.randrange(10):
        case 0 | 1 | 2:
            return f"({below()} {chance.choice(OPERATORS)} {below()})"
        case 3:
            return f"({below()} ? {below()} : {below()})"
        case 4:
            return f"{below()}.{chance.choice('abckx')}"
        case 5:
            return f"{below()}[{chance.choice(['', '?'])}{below()}]"
        case 6:
            return f"{below()}.{chance.choice(MACROS)}({chance.choice('xy')}, {below()})"
        case 7:
            args = ", ".join(below() for _ in range(chance.randrange(3)))
            return f"{chance.choice(NAMES)}({args})"
        case 8:
            args = ", ".join(below() for _ in range(chance.randrange(3)))
            return f"{below()}.{chance.choice(NAMES)}({args})"
    return f"{chance.choice('!-')}({below()})"


def _program(text: str) -> Program | None:
    try:
        return compiled(text, dict.fromkeys(VALUES, DYN))
    except ExpressionError:
        return None


@pytest.mark.parametrize("seed", range(4))
def test_any_expression_comes_to_a_value_or_an_error_of_the_language(seed: int) -> None:
    chance = random.Random(seed)
    ran = 0
    for _ in range(COUNT // 4):
        program = _program(made(chance, chance.randint(1, 4)))
        if program is None:
            continue
        ran += 1
        try:
            program.evaluate(VALUES, Meter(100_000, 100_000))
        except (EvaluationError, CostExceeded):
            continue
    assert ran > COUNT // 40


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    _program(text)


@given(
    st.lists(st.sampled_from([*ATOMS, *OPERATORS, *"()[]{}.,?:!-", "has", "\n", "'", '"', "\\"]), max_size=25)
)
@settings(max_examples=200, deadline=None)
def test_any_row_of_words_is_an_expression_or_refused(words: list[str]) -> None:
    _program(" ".join(words))
