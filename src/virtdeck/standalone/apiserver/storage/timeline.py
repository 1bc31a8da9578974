"""The past of one resource: its latest changes in order, for watches and for lists that continue."""

from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum

from virtdeck.standalone.apiserver.storage.rows import Row


class Change(Enum):
    """What a revision did to its object."""

    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"


class Event:
    """One revision. ``lines`` keeps what watchers were sent: it is serialised once for all of them."""

    __slots__ = ("before", "change", "lines", "row")

    def __init__(self, change: Change, row: Row, before: Row | None) -> None:
        self.change = change
        self.row = row
        self.before = before
        self.lines: dict[object, bytes] = {}

    @property
    def revision(self) -> int:
        return self.row.revision


class Timeline:
    """Events by ascending revision. Positions are absolute: they stay valid when old events are dropped."""

    def __init__(self, horizon: int) -> None:
        self.horizon = horizon  # the last revision that is no longer here
        self._events: list[Event] = []
        self._dropped = 0  # how many were dropped since the start
        self._dead = 0  # dropped ones that still stand at the front of the list

    @property
    def end(self) -> int:
        """The position that the next event will have."""
        return self._dropped + len(self._events) - self._dead

    def append(self, event: Event) -> None:
        self._events.append(event)

    def drop_oldest(self) -> Event:
        """Remove the oldest event; the horizon moves to it."""
        event = self._events[self._dead]
        self.horizon = event.revision
        self._dead += 1
        self._dropped += 1
        if self._dead > 256 and self._dead * 2 > len(self._events):
            del self._events[: self._dead]
            self._dead = 0
        return event

    def position_after(self, revision: int) -> int:
        """The position of the first event newer than ``revision``."""
        index = bisect_right(self._events, revision, lo=self._dead, key=lambda event: event.revision)
        return self._dropped + index - self._dead

    def since(self, position: int, limit: int) -> list[Event] | None:
        """At most ``limit`` events from ``position`` on; None when some of them were dropped already."""
        if position < self._dropped:
            return None
        start = self._dead + position - self._dropped
        return self._events[start : start + limit]

    def newest_first(self, revision: int) -> Iterator[Event]:
        """The events newer than ``revision``, the newest first."""
        for index in range(len(self._events) - 1, self._dead - 1, -1):
            if self._events[index].revision <= revision:
                return
            yield self._events[index]
