"""Changes on their way to one reader who may be slow."""

from collections.abc import AsyncIterator
from typing import Generic, TypeVar

import anyio

from virtdeck.kube.objects import Key
from virtdeck.kube.snapshot import Change

T = TypeVar("T")


class Changes(Generic[T]):
    """Unread changes, at most one an object: a reader that falls behind misses states, never an outcome.

    Shape: from what the reader last saw (``old``) to the newest (``new``).
    """

    def __init__(self) -> None:
        self._waiting: dict[Key, Change[T]] = {}
        self._arrived = anyio.Event()

    def push(self, change: Change[T]) -> None:
        """The change will be read, merged with an unread one of the same object."""
        before = self._waiting.pop(change.key, None)
        if before is not None:
            change = Change(change.key, before.old, change.new)
        if change.old is None and change.new is None:
            return
        self._waiting[change.key] = change
        self._arrived.set()

    def __aiter__(self) -> AsyncIterator[Change[T]]:
        return self

    async def __anext__(self) -> Change[T]:
        while not self._waiting:
            self._arrived = anyio.Event()
            await self._arrived.wait()
        return self._waiting.pop(next(iter(self._waiting)))
