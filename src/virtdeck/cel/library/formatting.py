"""``'%s has %d'.format([…])``: values in a text."""

import math
import re
from collections.abc import Callable
from typing import Any

from virtdeck.cel.library.standard import show_double
from virtdeck.cel.times import show_duration, show_moment
from virtdeck.cel.values import Duration, EvaluationError, Timestamp, TypeName, Uint

_CLAUSE = re.compile(r"%(?:\.(\d+))?(.?)", re.DOTALL)
_MOST_DIGITS = 100


def formatted(template: str, values: list[Any]) -> str:
    """The template with its clauses filled in order. Raises: EvaluationError."""
    left = iter(values)

    def fill(found: re.Match[str]) -> str:
        digits, verb = found[1], found[2]
        if verb == "%":
            return "%"
        write = _VERBS.get(verb)
        if write is None:
            raise EvaluationError(
                f'could not parse formatting clause: unrecognized formatting clause "{verb}"'
            )
        try:
            value = next(left)
        except StopIteration:
            raise EvaluationError("index out of range: too few arguments for the format string") from None
        if digits and int(digits) > _MOST_DIGITS:
            raise EvaluationError(f"precision {digits} is too large")
        return write(value, int(digits or 6))

    return _CLAUSE.sub(fill, template)


def show(value: Any) -> str:  # noqa: PLR0911 - a table
    """A value as ``%s`` writes it."""
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            return show_double(value)
        case bytes():
            return value.decode(errors="replace")
        case Duration():
            return show_duration(value)
        case Timestamp():
            return show_moment(value)
        case list():
            return "[" + ", ".join(map(show, value)) + "]"
        case dict():
            entries = sorted((show(key), show(one)) for key, one in value.items())
            return "{" + ", ".join(f"{key}: {one}" for key, one in entries) + "}"
        case TypeName():
            return value.name
    raise EvaluationError("error during formatting: string clause can only be used on plain values")


def _decimal(value: Any, _digits: int) -> str:
    if type(value) in (int, Uint):
        return str(int(value))
    if type(value) is float and math.isnan(value):
        return "NaN"
    raise EvaluationError("error during formatting: decimal clause can only be used on integers")


def _fixed(value: Any, digits: int) -> str:
    if type(value) is not float and type(value) not in (int, Uint):
        raise EvaluationError("error during formatting: fixed-point clause can only be used on doubles")
    return f"{float(value):.{digits}f}"


def _scientific(value: Any, digits: int) -> str:
    if type(value) is not float and type(value) not in (int, Uint):
        raise EvaluationError("error during formatting: scientific clause can only be used on doubles")
    return f"{float(value):.{digits}e}"


def _binary(value: Any, _digits: int) -> str:
    if type(value) not in (int, Uint, bool):
        raise EvaluationError("error during formatting: binary clause can only be used on integers and bools")
    return f"{int(value):b}"


def _octal(value: Any, _digits: int) -> str:
    if type(value) not in (int, Uint):
        raise EvaluationError("error during formatting: octal clause can only be used on integers")
    return f"{int(value):o}"


def _hex(value: Any, _digits: int) -> str:
    if type(value) is str:
        return value.encode().hex()
    if type(value) is bytes:
        return value.hex()
    if type(value) in (int, Uint):
        return f"{int(value):x}"
    raise EvaluationError(
        "error during formatting: hex clause can only be used on integers, bytes and strings"
    )


_VERBS: dict[str, Callable[[Any, int], str]] = {
    "s": lambda value, _digits: show(value),
    "d": _decimal,
    "f": _fixed,
    "e": _scientific,
    "b": _binary,
    "o": _octal,
    "x": _hex,
    "X": lambda value, digits: _hex(value, digits).upper(),
}
