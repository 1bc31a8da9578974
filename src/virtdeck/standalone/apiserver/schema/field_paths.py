"""Paths to fields as CRDs write them (``.a['b.c']``) and as messages show them (``a[b.c]``)."""

import re
from typing import Any

_PART = re.compile(r"\.(?P<name>[^.\['\]]+)|\['(?P<key>(?:[^'\\]|\\.)*)'\]")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "'": "'", "\\": "\\"}


class BadPath(Exception):
    """A path that cannot be read, or leads nowhere."""


def parse_path(text: str) -> list[str]:
    """The names on the way. Raises: BadPath."""
    names, place = [], 0
    while place < len(text):
        found = _PART.match(text, place)
        if found is None:
            raise BadPath(f"expected a field at {text[place:]!r}")
        names.append(found["name"] if found["name"] is not None else _unescaped(found["key"]))
        place = found.end()
    return names


def _unescaped(key: str) -> str:
    def plain(found: re.Match[str]) -> str:
        if found[1] not in _ESCAPES:
            raise BadPath(f"invalid escape {found[0]}")
        return _ESCAPES[found[1]]

    return re.sub(r"\\(.)", plain, key)


def shown_path(text: str) -> str:
    """A field's path as it follows another one in messages."""
    shown = ""
    for name in parse_path(text) if text else ():
        shown += f"[{name}]" if re.search(r"[.\[\]']", name) else f".{name}"
    return shown


def schema_at(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema that a path leads to. Raises: BadPath."""
    for name in parse_path(text):
        below = (schema.get("properties") or {}).get(name)
        if below is None and not schema.get("properties"):
            below = schema.get("additionalProperties")
        if not isinstance(below, dict):
            raise BadPath(f"{name!r} does not refer to a valid field")
        schema = below
    return schema
