"""What clients did and saw, as values: requests with their times, watchers' events, and the past."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

Key = tuple[str, str]  # namespace, name
Labels = Mapping[str, str]

ADDED, MODIFIED, DELETED, BOOKMARK = "ADDED", "MODIFIED", "DELETED", "BOOKMARK"


@dataclass(frozen=True)
class Change:
    """One revision. value: what its writer put there, never the same twice; a deletion shows the last one."""

    revision: int
    kind: str
    key: Key
    value: str
    labels: Labels = field(default_factory=dict)


@dataclass(frozen=True)
class Filter:
    """What a watcher asked for."""

    namespace: str | None = None
    label: tuple[str, str] | None = None

    def covers(self, change: Change) -> bool:
        """Whether the object in this change is asked for."""
        if self.namespace is not None and change.key[0] != self.namespace:
            return False
        return self.label is None or change.labels.get(self.label[0]) == self.label[1]


@dataclass(frozen=True)
class Watched:
    """All that one watcher saw of the changes after ``start``. ended: it was told of all up to here."""

    name: str
    start: int
    filter: Filter
    seen: tuple[Change, ...]
    ended: int = 0


@dataclass(frozen=True)
class Request:
    """One request. code: None when no answer came. revision: what the answer says.

    expected: of an update that is bound to a version. value: what a write put, or what a read found.
    listed: every object of a list, by key.
    """

    verb: str
    key: Key
    begin: float
    end: float
    code: int | None
    value: str = ""
    revision: int = 0
    expected: int = 0
    listed: Mapping[Key, int] | None = None


class Past:
    """The store's whole past, as a witness read it: which object was what at which revision."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self.changes = tuple(changes)
        self.by_revision = {change.revision: change for change in self.changes}
        self._of_key: dict[Key, list[Change]] = {}
        for change in self.changes:
            self._of_key.setdefault(change.key, []).append(change)

    @cached_property
    def by_value(self) -> dict[str, Change]:
        """The change that put each value."""
        return {change.value: change for change in self.changes if change.kind != DELETED}

    def of(self, key: Key) -> list[Change]:
        """The changes of one object."""
        return self._of_key.get(key, [])

    def latest(self, key: Key, revision: int) -> Change | None:
        """The last change of an object at or before a revision."""
        changes = self.of(key)
        index = bisect_right(changes, revision, key=lambda change: change.revision)
        return changes[index - 1] if index else None

    def states(self, key: Key, low: int, high: float) -> list[Change | None]:
        """All that the object was from ``low`` until ``high`` came; None where it was absent."""
        found = [self.latest(key, low), *(one for one in self.of(key) if low < one.revision < high)]
        return [None if one is None or one.kind == DELETED else one for one in found]

    def at(self, revision: int, namespace: str) -> dict[Key, int]:
        """The objects of a namespace at a revision, each with its own revision."""
        found: dict[Key, int] = {}
        for change in self.changes:
            if change.revision > revision:
                break
            if change.key[0] == namespace:
                found[change.key] = change.revision
                if change.kind == DELETED:
                    del found[change.key]
        return found
