"""Finding what matches a pattern."""

from typing import Any

from virtdeck.cel.costs import Pattern
from virtdeck.cel.patterns import compiled
from virtdeck.cel.signatures import Library, method
from virtdeck.cel.types import INT, STRING, list_of


def _find(text: str, pattern: str) -> str:
    found = compiled(pattern).search(text)
    return found.group() if found is not None else ""


def _find_all(text: str, pattern: str, most: int = -1) -> list[Any]:
    found: list[Any] = []
    for match in compiled(pattern).finditer(text):
        if len(found) == most:
            break
        found.append(match.group())
    return found


REGEXES: Library = {
    "find": (method(STRING, STRING, STRING, run=_find, cost=Pattern()),),
    "findAll": (
        method(list_of(STRING), STRING, STRING, run=_find_all, cost=Pattern(lists=True)),
        method(list_of(STRING), STRING, STRING, INT, run=_find_all, cost=Pattern(lists=True)),
    ),
}
