"""An expression's text as tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.values import INT_MAX, INT_MIN, UINT_MAX, Uint


@dataclass(frozen=True, slots=True)
class Token:
    """kind: ``name``, ``literal``, ``end``, or the operator itself."""

    kind: str
    value: Any
    at: int


_OPERATORS = ("&&", "||", "==", "!=", "<=", ">=", *"+-*/%!<>?:.,()[]{}")
_SPACE = re.compile(r"(?:[ \t\r\n\f]+|//[^\n]*)+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(
    r"0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?"
)
_PREFIX = re.compile(r"(?P<prefix>[rR]?[bB]?|[bB][rR])(?P<quote>'''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(?:(?P<plain>[abfnrtv\\?\"'`])|x(?P<x>[0-9a-fA-F]{2})|X(?P<X>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|U(?P<U>[0-9a-fA-F]{8})|(?P<o>[0-3][0-7]{2})|(?P<bad>.?))",
    re.DOTALL,
)
_PLAIN = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS = {"true": True, "false": False, "null": None}


def tokens_of(text: str) -> list[Token]:
    """All tokens, the last of them of kind ``end``. Raises: ExpressionError."""
    return list(_scan(text))


def _scan(text: str) -> Iterator[Token]:
    at = 0
    while True:
        if space := _SPACE.match(text, at):
            at = space.end()
        if at == len(text):
            yield Token("end", None, at)
            return
        token, at = _next(text, at)
        yield token


def _next(text: str, at: int) -> tuple[Token, int]:
    if start := _PREFIX.match(text, at):
        return _string(text, at, start)
    if name := _NAME.match(text, at):
        word = name[0]
        if word in _WORDS:
            return Token("literal", _WORDS[word], at), name.end()
        return Token("in" if word == "in" else "name", word, at), name.end()
    if number := _NUMBER.match(text, at):
        return Token("literal", _number(text, at, number[0]), at), number.end()
    for operator in _OPERATORS:
        if text.startswith(operator, at):
            return Token(operator, operator, at), at + len(operator)
    raise ExpressionError(text, [(at, f"Syntax error: token recognition error at: '{text[at]}'")])


def _number(text: str, at: int, shown: str) -> Any:
    if shown[:2] != "0x" and any(mark in shown for mark in ".eE"):
        return float(shown)
    unsigned = shown[-1] in "uU"
    value = int(shown.rstrip("uU"), 16 if shown.startswith("0x") else 10)
    if unsigned:
        if value > UINT_MAX:
            raise ExpressionError(text, [(at, "invalid uint literal")])
        return Uint(value)
    # The one value whose sign is part of it: -9223372036854775808 is a minus and this.
    if value > INT_MAX and not (value == -INT_MIN and text[:at].rstrip().endswith("-")):
        raise ExpressionError(text, [(at, "invalid int literal")])
    return value


def _string(text: str, at: int, start: re.Match[str]) -> tuple[Token, int]:
    prefix, quote = start["prefix"].lower(), start["quote"]
    raw = "r" in prefix
    place = start.end()
    while not text.startswith(quote, place):
        if place >= len(text) or (len(quote) == 1 and text[place] in "\r\n"):
            raise ExpressionError(
                text, [(at, f"Syntax error: token recognition error at: '{text[at:place]}'")]
            )
        place += 2 if text[place] == "\\" and not raw else 1
    body = text[start.end() : place]
    value: Any = body if raw else _unescape(text, start.end(), body, binary="b" in prefix)
    if "b" in prefix:
        value = value.encode() if raw else value.encode("utf-8", "surrogateescape")
    return Token("literal", value, at), place + len(quote)


def _unescape(text: str, at: int, body: str, *, binary: bool) -> str:
    def plain(found: re.Match[str]) -> str:
        if found["plain"]:
            return _PLAIN.get(found["plain"], found["plain"])
        if found["bad"] is not None:
            raise ExpressionError(text, [(at + found.start(), "Syntax error: unknown escape sequence")])
        digits = found["x"] or found["X"]
        code = int(found["o"], 8) if found["o"] else int(digits or found["u"] or found["U"], 16)
        if binary and (found["o"] or digits):
            # One byte, whatever it is: carried through text as Python carries undecodable bytes.
            return bytes([code]).decode("utf-8", "surrogateescape")
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise ExpressionError(text, [(at + found.start(), "invalid unicode code point")])
        return chr(code)

    return _ESCAPE.sub(plain, body)
