"""Dotted paths into JSON values, with ``*`` for every item (pure)."""

from typing import Any


def find(value: Any, path: str) -> list[Any]:
    """Every value at the path; none when nothing is there. A dot in a key is written ``\\.``."""
    found = [value]
    for part in _parts(path):
        found = [inner for outer in found for inner in _inside(outer, part)]
    return found


def first(value: Any, path: str) -> Any:
    """The first value at the path, None when nothing is there."""
    return next(iter(find(value, path)), None)


def _parts(path: str) -> list[str]:
    return [part.replace("\0", ".") for part in path.replace("\\.", "\0").split(".") if part]


def _inside(value: Any, part: str) -> list[Any]:
    if isinstance(value, dict):
        if part == "*":
            return list(value.values())
        return [value[part]] if part in value else []
    if isinstance(value, list):
        if part == "*":
            return value
        if part.lstrip("-").isdigit() and -len(value) <= int(part) < len(value):
            return [value[int(part)]]
    return []
