"""The language of label selectors: ``a=b,c in (d,e),!f`` into requirements, or why it is none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from virtdeck.crds.names import faults_of_label_value, faults_of_qualified_name
from virtdeck.standalone.apiserver.problems import StatusError, bad_request

_TOKEN = re.compile(r"\s*(==|!=|[()!,=<>]|[^\s!=,()<>]+)")
_OPERATORS = {"=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt", "in": "In", "notin": "NotIn"}
_SIGNS = frozenset(("(", ")", ",", "!", "=", "==", "!=", ">", "<", ""))


@dataclass(frozen=True)
class Term:
    """One condition as it was written."""

    key: str
    operator: str
    values: frozenset[str] = frozenset()


class _Tokens:
    """What is left of the text, one token at a time; the last token is the empty one."""

    def __init__(self, text: str) -> None:
        self._tokens = [*_TOKEN.findall(text), ""]
        self._at = 0

    @property
    def next(self) -> str:
        token: str = self._tokens[self._at]
        return token

    def take(self) -> str:
        token = self.next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token


def parse_terms(text: str) -> Iterator[Term]:
    """The conditions of a selector. Raises: StatusError 400 that says what was found and what expected."""
    tokens = _Tokens(text)
    if tokens.next and tokens.next in _SIGNS - {"!"}:
        raise bad_request(f"found '{tokens.next}', expected: !, identifier, or 'end of string'")
    while tokens.next:
        yield _requirement(tokens)
        sign = tokens.take()
        if sign not in (",", ""):
            raise bad_request(f"found '{sign}', expected: ',' or 'end of string'")
        if sign == "," and tokens.next in _SIGNS - {"!"}:
            raise bad_request(f"found '{tokens.next}', expected: identifier after ','")


def _requirement(tokens: _Tokens) -> Term:
    without = tokens.next == "!"
    if without:
        tokens.take()
    key = tokens.take()
    if key in _SIGNS:
        raise _unparsable(f"found '{key}', expected: identifier")
    if faults := faults_of_qualified_name(key):
        raise _unparsable(f'invalid label key "{key}": {"; ".join(faults)}')
    if without or tokens.next in (",", ""):
        return Term(key, "DoesNotExist" if without else "Exists")
    sign = tokens.take()
    if sign not in _OPERATORS:
        raise _unparsable(f"found '{sign}', expected: '=', '!=', '==', 'in', notin'")
    values = _set(tokens) if sign in ("in", "notin") else frozenset({_value(tokens)})
    return _checked(Term(key, _OPERATORS[sign], values))


def _value(tokens: _Tokens) -> str:
    if tokens.next in (",", ""):
        return ""
    value = tokens.take()
    if value in _SIGNS:
        raise _unparsable(f"found '{value}', expected: identifier")
    return value


def _set(tokens: _Tokens) -> frozenset[str]:
    if (sign := tokens.take()) != "(":
        raise _unparsable(f"found '{sign}' expected: '('")
    values = set()
    while True:
        values.add("" if tokens.next in (",", ")") else tokens.take())
        sign = tokens.take()
        if sign == ")":
            return frozenset(values)
        if sign != ",":
            raise _unparsable(f"found '{sign}', expected: ',' or ')'")


def _checked(term: Term) -> Term:
    if term.operator in ("Gt", "Lt") and not re.fullmatch(r"[+-]?\d+", "".join(term.values)):
        raise _unparsable("for 'Gt', 'Lt' operators, the value must be an integer")
    for value in sorted(term.values):
        if faults := faults_of_label_value(value):
            raise _unparsable(f'invalid label value: "{value}": at key: "{term.key}": {"; ".join(faults)}')
    return term


def _unparsable(why: str) -> StatusError:
    return bad_request(f"unable to parse requirement: {why}")
