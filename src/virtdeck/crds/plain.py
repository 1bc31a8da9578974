"""Reaching into plain JSON that may lack, or null, every optional part."""

from collections.abc import Iterator
from typing import Any

Plain = dict[str, Any]


def part(parent: Plain, key: str) -> Plain:
    """The object below ``key``, made when it is not there."""
    if parent.get(key) is None:
        parent[key] = {}
    found: Plain = parent[key]
    return found


def listed(parent: Plain, key: str) -> list[Plain]:
    """The list below ``key``, made when it is not there."""
    if parent.get(key) is None:
        parent[key] = []
    found: list[Plain] = parent[key]
    return found


def each(parent: Plain | None, key: str) -> Iterator[Plain]:
    """The items of the list below ``key``, none when it is not there."""
    yield from (parent or {}).get(key) or ()


def unset(parent: Plain, key: str, value: Any) -> None:
    """``key`` has a value: its own, or this one. An empty text counts as none, as in Go."""
    if parent.get(key) in (None, ""):
        parent[key] = value
