"""A store made whole again: from the lines of a damaged one that prove right, and from its copy."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from virtdeck.basis.errors import Absent, HostFault
from virtdeck.standalone.apiserver.storage.backup import open_copy
from virtdeck.standalone.apiserver.storage.database import check_pages, open_database, read_fact
from virtdeck.standalone.apiserver.storage.entries import Columns, Entry, parse_columns, write_batch

Place = tuple[str, str, str]  # resource, namespace, name

_SELECT = (
    "SELECT revision, resource, namespace, name, deleted, checksum, data FROM log "
    "WHERE revision > ? ORDER BY revision LIMIT ?"
)
# Revisions that were lost must never be given again; a client that holds one is told to list anew.
_REVISIONS_SKIPPED = 1_000_000
_ROWS_AT_ONCE = 500
_MOST_UNREADABLE = 50_000  # revisions tried in vain; beyond, nothing of the file can be reached


@dataclass(frozen=True)
class Repaired:
    """What became of the objects. taken: from the copy; lost: named by lines that could not be read."""

    kept: int
    taken: tuple[Place, ...]
    lost: tuple[Place, ...]
    damaged: Path  # the file as it was


@dataclass(frozen=True)
class _Found:
    newest: dict[Place, Entry]
    unreadable: frozenset[Place]
    pages_hold: bool
    revision: int


def repair(store: Path, copy: Path) -> Repaired:
    """``store`` holds every object that could be read, there or in the copy; the damaged file lies beside it.

    Nobody else may have the store open. Raises: Absent when neither file has anything; HostFault.
    """
    found, spare = _search(store), _search(copy)
    taken = {place: entry for place, entry in spare.newest.items() if _is_better(entry, found)}
    newest = found.newest | taken
    alive = [entry for entry in newest.values() if not entry.deleted]
    if not alive:
        raise Absent(f"neither {store} nor {copy} holds an object that can be read")
    damaged = _replace(store, alive, max(found.revision, spare.revision))
    lost = found.unreadable - frozenset(taken)
    restored = (place for place, entry in taken.items() if not entry.deleted)
    kept = sum(1 for place in newest if place not in taken and not newest[place].deleted)
    return Repaired(kept, tuple(sorted(restored)), tuple(sorted(lost)), damaged)


def _is_better(copied: Entry, found: _Found) -> bool:
    """Whether the copy's line of an object is to be believed before what is left in the store."""
    place = (copied.resource, copied.namespace, copied.name)
    if found.pages_hold:
        return place in found.unreadable
    here = found.newest.get(place)  # whole pages are gone: what the copy knows may have been on them
    return here is None or here.revision < copied.revision


def restore(store: Path, copy: Path) -> Path:
    """``store`` holds what the copy does; answers where the file is that was there before.

    Nobody else may have the store open. Raises: HostFault, Absent.
    """
    if not copy.exists():
        raise Absent(f"there is no copy at {copy}")
    found = _search(copy)
    if not found.pages_hold or found.unreadable:
        raise HostFault(f"the copy {copy} is damaged", "StorageDamaged")
    alive = [entry for entry in found.newest.values() if not entry.deleted]
    return _replace(store, alive, max(found.revision, _search(store).revision))


def _search(path: Path) -> _Found:
    """What can be read of a store or copy; nothing of one that is not there or not SQLite's."""
    newest: dict[Place, Entry] = {}
    unreadable: set[Place] = set()
    if not path.exists():
        return _Found(newest, frozenset(), pages_hold=False, revision=0)
    with closing(_opened(path)) as connection:
        hold = _pages_hold(connection)
        revision = _horizon(connection)
        for row in _rows(connection):
            entry = parse_columns(row)
            place = (str(row[1]), str(row[2]), str(row[3]))
            if entry is None:
                unreadable.add(place)
                continue
            revision = max(revision, entry.revision)
            newest[place] = entry
            unreadable.discard(place)  # an older line of it was unreadable, and does not matter
    return _Found(newest, frozenset(unreadable), hold, revision)


def _opened(path: Path) -> apsw.Connection:
    """A store with its log of latest writes, or a copy without."""
    if path.with_name(f"{path.name}-wal").exists():
        return apsw.Connection(str(path))
    return open_copy(path)


def _pages_hold(connection: apsw.Connection) -> bool:
    try:
        check_pages(connection)
    except (HostFault, apsw.Error):
        return False
    return True


def _horizon(connection: apsw.Connection) -> int:
    try:
        return read_fact(connection, "horizon")
    except (HostFault, apsw.Error):
        return 0


def _rows(connection: apsw.Connection) -> Iterator[Columns]:
    """Every line that SQLite can reach, by revision; those on broken pages are stepped over one by one."""
    after, failed, limit = 0, 0, _ROWS_AT_ONCE
    while failed < _MOST_UNREADABLE:
        try:
            rows: list[Any] = connection.execute(_SELECT, (after, limit)).fetchall()
        except (apsw.CorruptError, apsw.SQLError, apsw.NotADBError, apsw.IOError):
            after, failed, limit = (after + 1, failed + 1, 1) if limit == 1 else (after, failed, 1)
            continue
        if not rows:
            return
        yield from rows
        after = rows[-1][0]
        limit = 1 if failed else _ROWS_AT_ONCE


def _replace(store: Path, entries: list[Entry], revision: int) -> Path:
    """The store is a new file with these objects; answers where the old one is."""
    fresh = store.with_name(f"{store.name}.repaired")
    for suffix in ("", "-wal", "-journal"):
        fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    connection = open_database(fresh)
    write_batch(connection, sorted(entries, key=lambda entry: entry.revision), [], 0)
    with connection:
        horizon = revision + _REVISIONS_SKIPPED
        connection.execute("UPDATE facts SET value = ? WHERE name = 'horizon'", (horizon,))
    connection.close()
    aside = _free_name(store)
    for suffix in ("-wal", "-journal", ""):
        beside = store.with_name(store.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    fresh.rename(store)
    return aside


def _free_name(store: Path) -> Path:
    number = 1
    while (name := store.with_name(f"{store.name}.before-repair-{number}")).exists():
        number += 1
    return name
