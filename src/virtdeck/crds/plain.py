"""Reaching into plain JSON that may lack, or null, every optional part."""

from collections.abc import Iterator
from typing import Any, TypeVar, cast

Plain = dict[str, Any]
T = TypeVar("T")


def copied(value: T) -> T:
    """The value with objects and lists of its own, in a fraction of ``deepcopy``: JSON has no cycles."""
    made: Any = value
    if isinstance(value, dict):
        made = {key: copied(item) if isinstance(item, dict | list) else item for key, item in value.items()}
    elif isinstance(value, list):
        made = [copied(item) if isinstance(item, dict | list) else item for item in value]
    return cast(T, made)


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
