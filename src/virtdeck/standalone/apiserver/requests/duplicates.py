"""Keys that a JSON body gives twice: a parser keeps the last, so they are looked for apart."""

import json
import re
from typing import Any

import orjson

# The end of a text before a colon is a key, or stands inside of a text: written again, there are as many.
_KEY = re.compile(rb'(?<!\\)"\s*:')


def duplicate_fields(body: bytes, value: Any) -> list[str]:
    """The paths of fields that were given more than once. value: the parsed body."""
    if len(_KEY.findall(body)) <= len(_KEY.findall(orjson.dumps(value))):
        return []
    found: list[str] = []
    _walk(json.loads(body, object_pairs_hook=_Pairs), "", found)
    return found


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written."""


def _walk(value: Any, path: str, found: list[str]) -> None:
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for name, item in value:
            below = f"{path}.{name}" if path else name
            if name in seen and below not in found:
                found.append(below)
            seen.add(name)
            _walk(item, below, found)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _walk(item, f"{path}[{index}]", found)
