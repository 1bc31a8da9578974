"""Dotted paths into plain JSON."""

from typing import Any

from virtdeck.crds.plain import Plain, part


def reach(value: Any, path: str) -> Any:
    """What stands at the path, None when anything on the way is missing."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def put(value: Plain, path: str, what: Any) -> None:
    """``what`` stands at the path; objects on the way are made."""
    *above, name = path.split(".")
    for step in above:
        value = part(value, step)
    value[name] = what


def fill(value: Plain, path: str, what: Any) -> None:
    """``what`` stands at the path if nothing did; an empty text counts as nothing, as in Go."""
    if reach(value, path) in (None, ""):
        put(value, path, what)
