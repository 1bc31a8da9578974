"""A copy of the store beside it, made in pieces between writes, and kept only when it proves whole."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import apsw

from virtdeck.standalone.apiserver.storage.database import check_pages
from virtdeck.standalone.apiserver.storage.entries import read_entries

_PAGES_AT_ONCE = 256  # 1 MiB: a write that comes meanwhile waits some milliseconds
_ROWS_AT_ONCE = 500


def backup_path(store: Path) -> Path:
    """Where the newest verified copy is."""
    return store.with_name(f"{store.name}.backup")


def back_up(source: apsw.Connection, target: Path) -> Iterator[None]:
    """After the last piece ``target`` is a verified copy of the store as it is then; each step is one piece.

    Raises: apsw.Error, HostFault, OSError; ``target`` is then as it was before.
    """
    fresh = target.with_name(f"{target.name}.new")
    _remove(fresh)
    try:
        yield from _copy(source, fresh)
        yield from verify(fresh)
        _sync(fresh)
        fresh.replace(target)
        _sync(target.parent)
    finally:
        _remove(fresh)


def _copy(source: apsw.Connection, fresh: Path) -> Iterator[None]:
    connection = apsw.Connection(str(fresh))
    try:
        connection.pragma("synchronous", "off")  # the file is synced as a whole before it counts
        with connection.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(_PAGES_AT_ONCE)
                yield
    finally:
        connection.close()


def verify(path: Path) -> Iterator[None]:
    """The copy's pages and rows are as they were written. Raises: HostFault, apsw.Error."""
    connection = open_copy(path)
    try:
        check_pages(connection)
        yield
        entries = read_entries(connection)
        while sum(1 for _ in islice(entries, _ROWS_AT_ONCE)):
            yield
    finally:
        connection.close()


def open_copy(path: Path) -> apsw.Connection:
    """A copy that nobody writes to, opened for reading."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(fresh: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
