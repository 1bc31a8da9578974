"""The current objects of one resource, and its past."""

import asyncio
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from heapq import merge

import anyio

from virtdeck.standalone.apiserver.storage.label_index import LabelIndex
from virtdeck.standalone.apiserver.storage.rows import Key, Row
from virtdeck.standalone.apiserver.storage.timeline import Change, Event, Timeline

Push = Callable[[], bool]

_AFTER_ANY_NAME = "\U0010ffff"


class Shelf:
    """All committed rows of a resource by key. Only the store changes it."""

    def __init__(self, resource: str, horizon: int) -> None:
        self.resource = resource
        self.timeline = Timeline(horizon)
        self.rows: dict[Key, Row] = {}
        self.looked_at = 0  # how many rows all lists together had to look at
        self._keys: list[Key] = []
        self._labels = LabelIndex()
        self._idle: dict[anyio.Event, Push] = {}  # watchers that have been told everything
        self._waking = False

    def get(self, key: Key) -> Row | None:
        return self.rows.get(key)

    def apply(self, change: Change, row: Row) -> Event:
        """The row takes its place; watchers wake up."""
        before = self.put(change, row)
        if change is not Change.DELETED:  # a write before this one may have failed: what is there decides
            change = Change.ADDED if before is None else Change.MODIFIED
        event = Event(change, row, before)
        self.timeline.append(event)
        if self._idle and not self._waking:
            self._waking = True
            asyncio.get_running_loop().call_soon(self._wake)
        return event

    def _wake(self) -> None:
        """Watchers push what is new, all that was committed together at once; who cannot is woken."""
        self._waking = False
        for changed, push in list(self._idle.items()):
            if not push():
                changed.set()

    def put(self, change: Change, row: Row) -> Row | None:
        """The row takes its place, without a trace in the past. Answers the row before."""
        before = self.rows.get(row.key)
        if change is Change.DELETED:
            if before is not None:
                del self.rows[row.key]
                del self._keys[bisect_left(self._keys, row.key)]
        else:
            self.rows[row.key] = row
            if before is None:
                insort(self._keys, row.key)
        self._labels.replace(before, None if change is Change.DELETED else row)
        return before

    async def wait_change(self, push: Push) -> None:
        """Returns after a change that ``push``, called after each, did not deal with."""
        changed = anyio.Event()
        self._idle[changed] = push
        try:
            await changed.wait()
        finally:
            del self._idle[changed]

    def in_order(self, namespace: str | None, after: Key | None = None) -> Iterator[Row]:
        """The rows by key, of one namespace or of all, those after a key only."""
        first, end = self._range(namespace, after)
        for key in self._keys[first:end]:  # a copy: the caller may write meanwhile
            self.looked_at += 1
            if (row := self.rows.get(key)) is not None:
                yield row

    def labelled(self, label: str, values: Iterable[str], namespace: str | None) -> Iterator[Row]:
        """The rows by key whose label has one of these values."""
        for key in sorted(self._labels.find(label, values, self.rows.values())):
            if namespace is None or key[0] == namespace:
                self.looked_at += 1
                yield self.rows[key]

    def count(self, namespace: str | None, after: Key | None, revision: int) -> int:
        """How many rows ``at`` has, of a revision that is still known."""
        first, end = self._range(namespace, after)
        changed = self.changed_since(revision) or {}
        belonging = [(key, row) for key, row in changed.items() if _belongs(key, namespace, after)]
        then = sum(1 for _, row in belonging if row is not None)
        now = sum(1 for key, _ in belonging if key in self.rows)
        return max(0, end - first) + then - now

    def _range(self, namespace: str | None, after: Key | None) -> tuple[int, int]:
        first, end = 0, len(self._keys)
        if namespace is not None:
            first = bisect_left(self._keys, (namespace, ""))
            end = bisect_left(self._keys, (namespace, _AFTER_ANY_NAME))
        if after is not None:
            first = max(first, bisect_right(self._keys, after))
        return first, end

    def changed_since(self, revision: int) -> dict[Key, Row | None] | None:
        """What the objects that changed since were at ``revision``; None when that is no longer known."""
        if revision < self.timeline.horizon:
            return None
        return {event.row.key: event.before for event in self.timeline.newest_first(revision)}

    def at(
        self, revision: int, namespace: str | None = None, after: Key | None = None
    ) -> Iterator[Row] | None:
        """The rows by key as they were at ``revision``; None when that is no longer known."""
        changed = self.changed_since(revision)
        if changed is None:
            return None
        if not changed:
            return self.in_order(namespace, after)
        return self._merged(changed, namespace, after)

    def _merged(
        self, changed: dict[Key, Row | None], namespace: str | None, after: Key | None
    ) -> Iterator[Row]:
        """The rows of now, those of then in place of what changed since."""
        past = [row for row in changed.values() if row is not None and _belongs(row.key, namespace, after)]
        present = (row for row in self.in_order(namespace, after) if row.key not in changed)
        return merge(present, sorted(past, key=_key_of), key=_key_of)


def _belongs(key: Key, namespace: str | None, after: Key | None) -> bool:
    return (namespace is None or key[0] == namespace) and (after is None or key > after)


def _key_of(row: Row) -> Key:
    return row.key


def index_by_owner(shelves: Iterable[Shelf]) -> dict[str, list[tuple[Shelf, Row]]]:
    """Every row that has owners, by each owner's uid."""
    found: dict[str, list[tuple[Shelf, Row]]] = {}
    for shelf in shelves:
        for row in shelf.rows.values():
            for uid in row.owners:
                found.setdefault(uid, []).append((shelf, row))
    return found
