"""The form of a rule: which field, when it is refused, what is said then, and the function that looks.

A rule's docstring is its condition, its pattern is its field and its sentence is its message, so that the
table in RULES.md is made of what runs.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.fields import Pattern
from virtdeck.gateway.admission.verdict import gate_words, one_of_words

INVALID = "FieldValueInvalid"
REQUIRED = "FieldValueRequired"
DUPLICATE = "FieldValueDuplicate"
NOT_FOUND = "FieldValueNotFound"
NOT_SUPPORTED = "FieldValueNotSupported"
FORBIDDEN = "FieldValueForbidden"
WARNING = "Warning"

_TWICE = "{value!r} is used twice; it must be unique here"
_CHOICE = "{value!r} is not supported; use {allowed}"

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class Place(NamedTuple):
    """Where a rule is broken. gaps: what fills those of the field; words: those of the sentence."""

    gaps: tuple[int | str, ...]
    words: dict[str, Any]


def at(*gaps: int | str, **words: Any) -> Place:
    """The place that ``gaps`` leads to."""
    return Place(gaps, words)


class Find(Protocol[S_contra]):
    """The function of a rule: every place of the subject where it is broken. It never raises."""

    __name__: str

    def __call__(self, subject: S_contra, /) -> Iterable[Place]: ...


class Gated(Protocol):
    """A subject that knows which feature gates are on."""

    def gate(self, name: str, /) -> bool: ...


@dataclass(frozen=True)
class Rule(Generic[S]):
    """One rule. ids: KubeVirt's, as tests and RULES.md call it; a rule of our own has its function's name."""

    ids: tuple[str, ...]
    kind: str
    field: Pattern
    reason: str
    says: str
    when: str
    find: Callable[[S], Iterable[Place]]
    speaks: bool
    """The sentence has words of the place in it."""

    def cause(self, place: Place, base: str = "") -> Cause:
        """What is said of a place. base: what stands before the pattern, as ``spec.template.``."""
        says = self.says.format(**place.words, base=base) if self.speaks else self.says
        return Cause(self.field.at(place.gaps, base), says, self.reason)


class Rules(Generic[S]):
    """The rules of one area, in the order in which their causes are told."""

    def __init__(self, kind: str, *members: "Rules[S]") -> None:
        self.kind = kind
        self._rules: list[Rule[S]] = [rule for area in members for rule in area]

    def __iter__(self) -> Iterator[Rule[S]]:
        return iter(self._rules)

    def ask(self, subject: S, base: str = "") -> list[Cause]:
        """Every cause that these rules find in the subject."""
        return [rule.cause(place, base) for rule in self._rules for place in rule.find(subject)]

    def rule(self, ids: str, field: str, reason: str, says: str = _TWICE) -> Callable[[Find[S]], Find[S]]:
        """A rule whose function yields the places where it is broken.

        says: format string over the place's words; a duplicate has its own, over ``value``.
        """

        def add(find: Find[S]) -> Find[S]:
            self._add(ids, field, reason, says, find, find)
            return find

        return add

    def choice(self, ids: str, field: str, *allowed: str) -> Callable[[Find[S]], Find[S]]:
        """A rule whose function yields each value (as the word ``value``); those not allowed are refused."""
        known, says = frozenset((*allowed, None, "")), _CHOICE.replace("{allowed}", one_of_words(allowed))

        def add(find: Find[S]) -> Find[S]:
            def broken(subject: S) -> Iterable[Place]:
                return [place for place in find(subject) if place.words["value"] not in known]

            self._add(ids, field, NOT_SUPPORTED, says, find, broken)
            return find

        return add

    def gate(self, ids: str, field: str, gate: str) -> Callable[[Find[S]], Find[S]]:
        """A rule whose function yields the places where a feature is used; refused while its gate is off.

        The subject says by ``gate(name)`` what is on.
        """

        def add(find: Find[S]) -> Find[S]:
            def broken(subject: Any) -> Iterable[Place]:
                return () if subject.gate(gate) else find(subject)

            self._add(ids, field, FORBIDDEN, gate_words(gate), find, broken)
            return find

        return add

    def _add(
        self,
        ids: str,
        field: str,
        reason: str,
        says: str,
        named: Find[S],
        find: Callable[[S], Iterable[Place]],
    ) -> None:
        names = tuple(ids.split()) or (named.__name__,)
        when = " ".join((named.__doc__ or "").split())
        self._rules.append(Rule(names, self.kind, Pattern(field), reason, says, when, find, "{" in says))
