"""Whether an object is as an installation wants it; pure."""

from typing import Any


def contains(found: Any, wanted: Any) -> bool:
    """Everything wanted stands in what was found; the server's own additions do not matter."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            key in found and contains(found[key], value) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(contains(one, other) for one, other in zip(found, wanted, strict=True))
        )
    return bool(found == wanted)
