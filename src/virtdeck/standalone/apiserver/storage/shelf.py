"""The current objects of one resource, and its past."""

from collections.abc import Iterable, Iterator

import anyio

from virtdeck.standalone.apiserver.storage.rows import Key, Row
from virtdeck.standalone.apiserver.storage.timeline import Change, Event, Timeline


class Shelf:
    """All committed rows of a resource by key. Only the store changes it."""

    def __init__(self, resource: str, horizon: int) -> None:
        self.resource = resource
        self.timeline = Timeline(horizon)
        self.rows: dict[Key, Row] = {}
        self._sorted: list[Key] | None = []
        self._changed = anyio.Event()

    def get(self, key: Key) -> Row | None:
        return self.rows.get(key)

    def apply(self, change: Change, row: Row) -> Event:
        """The row takes its place; watchers wake up."""
        before = self.put(change, row)
        if change is not Change.DELETED:  # a write before this one may have failed: what is there decides
            change = Change.ADDED if before is None else Change.MODIFIED
        event = Event(change, row, before)
        self.timeline.append(event)
        if self._changed.statistics().tasks_waiting:
            self._changed.set()
            self._changed = anyio.Event()
        return event

    def put(self, change: Change, row: Row) -> Row | None:
        """The row takes its place, without a trace in the past. Answers the row before."""
        before = self.rows.get(row.key)
        if change is Change.DELETED:
            self.rows.pop(row.key, None)
            self._sorted = None
        else:
            self.rows[row.key] = row
            if before is None:
                self._sorted = None
        return before

    async def wait_change(self) -> None:
        """Returns after the next change."""
        await self._changed.wait()

    def keys(self) -> list[Key]:
        """All keys in order; shared, not to be changed."""
        if self._sorted is None:
            self._sorted = sorted(self.rows)
        return self._sorted

    def in_order(self, namespace: str | None) -> Iterator[Row]:
        """The rows by key, of one namespace or of all."""
        for key in self.keys():
            if namespace is None or key[0] == namespace:
                yield self.rows[key]

    def at(self, revision: int) -> dict[Key, Row] | None:
        """The rows as they were at ``revision``; None when that is no longer known."""
        if revision < self.timeline.horizon:
            return None
        state = dict(self.rows)
        for event in self.timeline.newest_first(revision):
            if event.before is None:
                state.pop(event.row.key, None)
            else:
                state[event.row.key] = event.before
        return state


def index_by_owner(shelves: Iterable[Shelf]) -> dict[str, list[tuple[Shelf, Row]]]:
    """Every row that has owners, by each owner's uid."""
    found: dict[str, list[tuple[Shelf, Row]]] = {}
    for shelf in shelves:
        for row in shelf.rows.values():
            for uid in row.owners:
                found.setdefault(uid, []).append((shelf, row))
    return found
