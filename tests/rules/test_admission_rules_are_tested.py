"""Each admission rule that names its id is broken by a row of the tests with the same id."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ROOT / "src" / "virtdeck" / "gateway" / "admission"
TESTS = ROOT / "tests" / "unit" / "gateway" / "admission"
_ID = re.compile(r"\b([DV])(\d+)(?:–[DV]?(\d+))?")
# A gate that KubeVirt's releases have always on: nothing can break the rule.
ALWAYS_ON = {"V49"}


def _named(text: str) -> Iterator[str]:
    for letter, first, last in _ID.findall(text):
        yield from (f"{letter}{number}" for number in range(int(first), int(last or first) + 1))


def _in_rules() -> set[str]:
    found: set[str] = set()
    for path in RULES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.Module):
                found.update(_named(ast.get_docstring(node) or ""))
    return found


def _in_tests() -> set[str]:
    return {name for path in TESTS.glob("test_*.py") for name in _named(path.read_text())}


def test_every_rule_has_a_row_that_breaks_it() -> None:
    assert sorted(_in_rules() - _in_tests() - ALWAYS_ON) == []


def test_there_are_rules() -> None:
    assert len(_in_rules()) > 180
