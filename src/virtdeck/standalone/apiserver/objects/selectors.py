"""Label selectors (text and object) and field selectors: parsed once, then asked for each object."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.objects.selector_syntax import parse_terms
from virtdeck.standalone.apiserver.problems import bad_request

Labels = Mapping[str, str]


@dataclass(frozen=True)
class Requirement:
    """One condition on one label."""

    key: str
    operator: str  # In, NotIn, Exists, DoesNotExist, Gt, Lt
    values: frozenset[str] = frozenset()

    def matches(self, labels: Labels) -> bool:
        value = labels.get(self.key)
        match self.operator:
            case "In":
                return value is not None and value in self.values
            case "NotIn":
                return value is None or value not in self.values
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None
            case _:
                return value is not None and self._compares(value)

    def _compares(self, value: str) -> bool:
        try:
            found, bound = int(value), int(next(iter(self.values)))
        except ValueError:
            return False
        return found > bound if self.operator == "Gt" else found < bound


@dataclass(frozen=True)
class LabelSelector:
    """All requirements must hold; without any, everything matches."""

    requirements: tuple[Requirement, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.requirements)

    def matches(self, labels: Labels) -> bool:
        return all(requirement.matches(labels) for requirement in self.requirements)


def parse_label_selector(text: str) -> LabelSelector:
    """The selector of a ``labelSelector`` parameter. Raises: StatusError 400."""
    terms = parse_terms(text)
    return LabelSelector(tuple(Requirement(term.key, term.operator, term.values) for term in terms))


def selector_from_object(selector: Mapping[str, Any] | None) -> LabelSelector:
    """The selector of a metav1.LabelSelector field; an absent one matches everything."""
    selector = selector or {}
    requirements = [
        Requirement(key, "In", frozenset({value}))
        for key, value in (selector.get("matchLabels") or {}).items()
    ]
    requirements += [
        Requirement(one["key"], one["operator"], frozenset(one.get("values") or ()))
        for one in selector.get("matchExpressions") or ()
    ]
    return LabelSelector(tuple(requirements))


@dataclass(frozen=True)
class FieldTerm:
    """One condition on one field."""

    path: str
    value: str
    equal: bool


FieldReader = Callable[[Any, str], str | None]


@dataclass(frozen=True)
class FieldSelector:
    """All terms must hold."""

    terms: tuple[FieldTerm, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms)

    def matches(self, read: Callable[[str], str]) -> bool:
        return all((read(term.path) == term.value) == term.equal for term in self.terms)

    def fixed(self, path: str) -> str | None:
        """The value that ``path`` must have, if the selector says so."""
        for term in self.terms:
            if term.path == path and term.equal:
                return term.value
        return None

    def without(self, *paths: str) -> "FieldSelector":
        """The terms on other fields."""
        return FieldSelector(tuple(term for term in self.terms if term.path not in paths or not term.equal))


_TERM = re.compile(r"^([^=!]+)(==|=|!=)(.*)$")


def parse_field_selector(text: str, allowed: frozenset[str], *, plain: bool = False) -> FieldSelector:
    """The selector of a ``fieldSelector`` parameter. Raises: StatusError 400 for a field not ``allowed``.

    plain: the kind has no selectable fields of its own, and says so.
    """
    terms = []
    for part in filter(None, re.split(r"(?<!\\),", text)):
        found = _TERM.match(part)
        if not found:
            raise bad_request(f"invalid selector: '{text}'; can't understand '{part}'")
        if found[1] not in allowed:
            raise bad_request(_unknown_field(found[1], allowed, plain=plain))
        value = re.sub(r"\\([\\,=])", r"\1", found[3])
        terms.append(FieldTerm(found[1], value, found[2] != "!="))
    return FieldSelector(tuple(terms))


def _unknown_field(path: str, allowed: frozenset[str], *, plain: bool) -> str:
    if not plain:
        return f"field label not supported: {path}"
    known = ", ".join(f'"{one}"' for one in sorted(allowed))
    return f'"{path}" is not a known field selector: only {known}'


def read_field(obj: Any, path: str) -> str:
    """The value at a dotted path as field selectors compare it; ``""`` when it is not there."""
    for part in path.split("."):
        if not isinstance(obj, dict):
            return ""
        obj = obj.get(part)
    if obj is None:
        return ""
    if isinstance(obj, bool):
        return "true" if obj else "false"
    return str(obj)
