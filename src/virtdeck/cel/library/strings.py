"""The extended functions of texts."""

from typing import Any

from virtdeck.cel.costs import TRAVERSAL, Traversal
from virtdeck.cel.library.formatting import formatted
from virtdeck.cel.signatures import Library, function, method
from virtdeck.cel.types import DYN, INT, STRING, list_of
from virtdeck.cel.values import EvaluationError

_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
# What Unicode calls white space; Python's own strip takes a few control characters more.
_SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_QUOTED = {char: f"\\{name}" for char, name in zip('\a\b\f\n\r\t\v\\"', 'abfnrtv\\"', strict=True)}


def _checked(text: str, index: int) -> int:
    if not 0 <= index <= len(text):
        raise EvaluationError(f"index out of range: {index}")
    return index


def _char_at(text: str, index: int) -> str:
    return text[_checked(text, index) :][:1]


def _index_of(text: str, part: str, start: int = 0) -> int:
    if not part:
        return min(start, len(text))
    return text.find(part, _checked(text, start))


def _last_index_of(text: str, part: str, end: int | None = None) -> int:
    if not part:
        return len(text) if end is None else min(end, len(text))
    if end is None:
        return text.rfind(part)
    return text.rfind(part, 0, _checked(text, end) + len(part))


def _substring(text: str, start: int, end: int | None = None) -> str:
    end = len(text) if end is None else end
    if not 0 <= start <= len(text):
        raise EvaluationError(f"index out of range: {start}")
    if not 0 <= end <= len(text):
        raise EvaluationError(f"index out of range: {end}")
    if start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    return text[start:end]


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    if count == 1:
        return [text]
    if separator:
        return text.split(separator, -1 if count < 0 else count - 1)
    if count < 0 or count >= len(text):
        return list(text)
    return [*text[: count - 1], text[count - 1 :]]


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    return text.replace(old, new, -1 if count < 0 else count)


def _join(items: list[Any], separator: str = "") -> str:
    try:
        return separator.join(items)
    except TypeError as fault:
        raise EvaluationError("no such overload") from fault


def _quoted(text: str) -> str:
    return '"' + "".join(_QUOTED.get(char, char) for char in text) + '"'


_ONCE, _TWICE = Traversal(result="same"), Traversal(factor=0.2, result="most")
_MADE, _JOINED = (
    Traversal(result="same", made=TRAVERSAL),
    Traversal(factor=0.2, result="same", made=2 * TRAVERSAL),
)
_REPLACED = Traversal(args=(0, 0, 2), result="sum", made=TRAVERSAL)

STRINGS: Library = {
    "charAt": (method(STRING, STRING, INT, run=_char_at),),
    "indexOf": (
        method(INT, STRING, STRING, run=_index_of, cost=_ONCE),
        method(INT, STRING, STRING, INT, run=_index_of, cost=_ONCE),
    ),
    "lastIndexOf": (
        method(INT, STRING, STRING, run=_last_index_of, cost=_ONCE),
        method(INT, STRING, STRING, INT, run=_last_index_of, cost=_ONCE),
    ),
    "lowerAscii": (method(STRING, STRING, run=lambda text: text.translate(_LOWER), cost=_ONCE),),
    "upperAscii": (method(STRING, STRING, run=lambda text: text.translate(_UPPER), cost=_ONCE),),
    "trim": (method(STRING, STRING, run=lambda text: text.strip(_SPACES), cost=_ONCE),),
    "substring": (
        method(STRING, STRING, INT, run=_substring, cost=_ONCE),
        method(STRING, STRING, INT, INT, run=_substring, cost=_ONCE),
    ),
    "replace": (
        method(STRING, STRING, STRING, STRING, run=_replace, cost=_REPLACED),
        method(STRING, STRING, STRING, STRING, INT, run=_replace, cost=_REPLACED),
    ),
    "split": (
        method(list_of(STRING), STRING, STRING, run=_split, cost=_TWICE),
        method(list_of(STRING), STRING, STRING, INT, run=_split, cost=_TWICE),
    ),
    "join": (
        method(STRING, list_of(STRING), run=_join, cost=_JOINED),
        method(STRING, list_of(STRING), STRING, run=_join, cost=_JOINED),
    ),
    "format": (method(STRING, STRING, list_of(DYN), run=formatted, cost=_MADE),),
    "strings.quote": (function(STRING, STRING, run=_quoted, cost=_ONCE),),
}
