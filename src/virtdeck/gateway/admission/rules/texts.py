"""Texts of the machine become XML, which cannot hold every character that JSON can."""

import re
from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.verdict import invalid

# Source: XML 1.0, production 2 (Char)
_NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def texts_fit_into_xml(value: Any, path: str) -> Iterator[Cause]:
    """One cause for each text below ``path`` with a control character in it."""
    if isinstance(value, str):
        if _NOT_IN_XML.search(value):
            yield invalid(path, "must not have control characters")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from texts_fit_into_xml(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from texts_fit_into_xml(item, f"{path}.{name}")
