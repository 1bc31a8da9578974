"""Label selectors, as objects and as query strings: parse, match, print."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from virtdeck.basis.errors import Invalid
from virtdeck.crds.model import Model, doc

Operator = Literal["In", "NotIn", "Exists", "DoesNotExist"]

_PART = re.compile(
    r"(?P<not>!)?\s*(?P<key>[A-Za-z0-9./_-]+)\s*(?:(?P<op>==|=|!=|\bin\b|\bnotin\b)(?P<rest>.*))?$"
)
_VALUE = re.compile(r"[A-Za-z0-9._-]*", re.ASCII)


class LabelSelectorRequirement(Model, frozen=True, kw_only=True):
    """One test of a label."""

    key: Annotated[str, doc("Label to look at.")]
    operator: Annotated[str, doc("In, NotIn, Exists or DoesNotExist.")]
    values: Annotated[tuple[str, ...] | None, doc("Values for In and NotIn.")] = None


class LabelSelector(Model, frozen=True, kw_only=True):
    """Objects whose labels pass every test; without tests, all objects."""

    match_labels: Annotated[dict[str, str] | None, doc("Labels that must be just so.")] = None
    match_expressions: Annotated[tuple[LabelSelectorRequirement, ...] | None, doc("Further tests.")] = None


Selector = Sequence[LabelSelectorRequirement]


def requirements(selector: LabelSelector | None) -> tuple[LabelSelectorRequirement, ...]:
    """The selector as a list of tests. An absent selector has none and matches everything."""
    if selector is None:
        return ()
    labels = (selector.match_labels or {}).items()
    exact = tuple(LabelSelectorRequirement(key=k, operator="In", values=(v,)) for k, v in labels)
    return exact + (selector.match_expressions or ())


def parse_selector(text: str) -> tuple[LabelSelectorRequirement, ...]:
    """``a=b,c!=d,e in (f,g),!h`` as tests. Raises: Invalid."""
    return tuple(_parse_part(part) for part in _split(text) if part.strip())


def matches(selector: Selector, labels: Mapping[str, str] | None) -> bool:
    """True when the labels pass every test."""
    return all(_passes(test, labels or {}) for test in selector)


def format_selector(selector: Selector) -> str:
    """The tests as a query string, by key, as Kubernetes writes it. Shape: ``a=b,!c,d in (e,f)``."""
    return ",".join(_format(test) for test in sorted(selector, key=lambda test: test.key))


def _passes(test: LabelSelectorRequirement, labels: Mapping[str, str]) -> bool:
    present, value, values = test.key in labels, labels.get(test.key), test.values or ()
    match test.operator:
        case "In":
            return present and value in values
        case "NotIn":
            return not present or value not in values
        case "Exists":
            return present
        case "DoesNotExist":
            return not present
        case _:
            raise Invalid(f"a label selector cannot use the operator {test.operator!r}")


def _split(text: str) -> list[str]:
    """Split at commas that are not inside parentheses, in one pass: texts come from anybody."""
    parts, start, inside = [], 0, False
    for place, sign in enumerate(text):
        if sign == "," and not inside:
            parts.append(text[start:place])
            start = place + 1
        inside = sign == "(" or (inside and sign != ")")
    return [*parts, text[start:]]


def _parse_part(part: str) -> LabelSelectorRequirement:
    found = _PART.match(part.strip())
    if not found or (found["not"] and found["op"]):
        raise Invalid(f"cannot read the label selector {part.strip()!r}")
    key, rest = found["key"], (found["rest"] or "").strip()
    match found["op"]:
        case None:
            return LabelSelectorRequirement(key=key, operator="DoesNotExist" if found["not"] else "Exists")
        case "in" | "notin" as word:
            operator = "In" if word == "in" else "NotIn"
            return LabelSelectorRequirement(key=key, operator=operator, values=_parse_values(part, rest))
        case sign if _VALUE.fullmatch(rest):
            operator = "NotIn" if sign == "!=" else "In"
            return LabelSelectorRequirement(key=key, operator=operator, values=(rest,))
        case _:
            raise Invalid(f"{rest!r} is not a label's value: {part.strip()!r}")


def _parse_values(part: str, rest: str) -> tuple[str, ...]:
    if not (rest.startswith("(") and rest.endswith(")")):
        raise Invalid(f"values of a label selector stand in parentheses: {part.strip()!r}")
    return tuple(sorted(value.strip() for value in rest[1:-1].split(",")))


def _format(test: LabelSelectorRequirement) -> str:
    values = ",".join(sorted(test.values or ()))
    match test.operator:
        case "Exists":
            return test.key
        case "DoesNotExist":
            return f"!{test.key}"
        case "NotIn":
            return f"{test.key} notin ({values})"
        case _ if len(test.values or ()) == 1:
            return f"{test.key}={values}"
        case _:
            return f"{test.key} in ({values})"
