"""Texts of the machine become XML, which cannot hold every character that JSON can."""

import re
from collections.abc import Iterator
from typing import Any

from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at

RULES: Rules[Any] = Rules("VMI")

# Source: XML 1.0, production 2 (Char)
_NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


@RULES.rule("", "spec.domain{…}", INVALID, "must not have control characters")
def texts_fit_into_xml(domain: Any) -> Iterator[Place]:
    """A text has a character that XML cannot hold. Asked of the domain as plain JSON."""
    if not _fits(domain):
        yield from (at(path) for path in _unfit(domain, ""))


def _fits(value: Any) -> bool:
    """True when there is nothing to be told; most objects are found so without a path being written."""
    if isinstance(value, str):
        return _NOT_IN_XML.search(value) is None
    if isinstance(value, dict):
        return all(map(_fits, value.values()))
    return not isinstance(value, list) or all(map(_fits, value))


def _unfit(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, str):
        if _NOT_IN_XML.search(value):
            yield path
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unfit(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _unfit(item, f"{path}.{name}")
