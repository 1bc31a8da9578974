"""Which parts of an object are others than before."""

from collections.abc import Iterator
from typing import Any


def changed(before: Any, after: Any) -> Iterator[str]:
    """Paths, as ``.domain.cpu`` and ``.volumes[0].name``, of the smallest parts that differ.

    A list that has grown or shrunk differs as a whole: which of its items is new is not told by their places.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield from (f".{name}{below}" for below in changed(before.get(name), after.get(name)))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (was, becomes) in enumerate(zip(before, after, strict=True)):
            yield from (f"[{index}]{below}" for below in changed(was, becomes))
    elif before != after:
        yield ""
