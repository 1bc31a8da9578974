"""What a cache knows: objects, how new the knowledge is, and which news outdates which; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from virtdeck.kube.index import IndexedStore, IndexFunction
from virtdeck.kube.objects import Key, identity, version_number

T = TypeVar("T")


@dataclass(frozen=True)
class Change(Generic[T]):
    """One object came (no ``old``), went (no ``new``), or is another one now."""

    key: Key
    old: T | None
    new: T | None


class Snapshot(Generic[T]):
    """The newest known state of one kind's objects.

    A component's own write is absorbed at once, so that the next decision sees it; what a watch says later
    about an older version then changes nothing. ``version`` is how far the list and the watch have come.
    """

    def __init__(self, indexes: Mapping[str, IndexFunction[T]]) -> None:
        self.store: IndexedStore[T] = IndexedStore(indexes)
        self.version = ""
        self._newest = 0

    def bookmark(self, version: str) -> None:
        """The watch has come this far without a change."""
        self._reach(version)

    def forget_version(self) -> None:
        """The version cannot be resumed from: the next knowledge is a list."""
        self.version = ""

    def relist(self, objects: Iterable[T], version: str) -> list[Change[T]]:
        """The list replaces what was known, save own writes newer than it; answers the differences."""
        listed = {identity(obj).key: obj for obj in objects}
        limit = version_number(version)
        if limit < self._newest:
            return self._replace(listed, version)
        changes = [change for obj in listed.values() if (change := self._show(obj))]
        gone = (key for key in self.store.known() if key not in listed)
        for key in gone:
            known = self.store.get(key)
            if known is not None and identity(known).version <= limit:
                changes.append(Change(key, self.store.drop(key), None))
        self._reach(version)
        return changes

    def _replace(self, listed: dict[Key, T], version: str) -> list[Change[T]]:
        """The store went back in time (restored from a backup): nothing known before counts."""
        gone = [key for key in self.store.known() if key not in listed]
        changes = [Change(key, self.store.drop(key), None) for key in gone]
        changes += [Change(key, self.store.put(obj), obj) for key, obj in listed.items()]
        self.version, self._newest = version, version_number(version)
        return changes

    def show(self, obj: T, version: str) -> Change[T] | None:
        """A watch says that the object is so now."""
        self._reach(version)
        return self._show(obj)

    def remove(self, obj: T, version: str) -> Change[T] | None:
        """A watch says that the object is gone."""
        self._reach(version)
        who = identity(obj)
        known = self.store.get(who.key)
        if known is None or identity(known).version > max(who.version, version_number(version)):
            return None
        return Change(who.key, self.store.drop(who.key), None)

    def absorb(self, obj: T) -> Change[T] | None:
        """A write of our own was answered with this object; nothing happens when the watch was faster."""
        if identity(obj).version <= self._newest:
            return None
        return self._show(obj)

    def _reach(self, version: str) -> None:
        if version:
            self.version = version
            self._newest = max(self._newest, version_number(version))

    def _show(self, obj: T) -> Change[T] | None:
        who = identity(obj)
        known = self.store.get(who.key)
        if known is not None and identity(known).version >= who.version > 0:
            return None
        return Change(who.key, self.store.put(obj), obj)
