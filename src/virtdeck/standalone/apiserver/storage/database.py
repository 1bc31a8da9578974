"""The SQLite file: opened safely, its schema and version checked, its rows verified."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from virtdeck.basis.errors import HostFault

FORMAT = 1  # of the schema below; a file with a higher one is from the future and is refused
# Earlier versions can lose committed writes in WAL mode when a checkpoint races with a writer.
OLDEST_SQLITE = (3, 51, 3)

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE log (
  revision INTEGER PRIMARY KEY,
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  data BLOB NOT NULL
);
INSERT INTO facts VALUES ('format', 1), ('horizon', 0);
"""


@dataclass(frozen=True)
class Entry:
    """One line of the log: an object at a revision, or its end."""

    revision: int
    resource: str
    namespace: str
    name: str
    deleted: bool
    data: bytes

    def columns(self) -> tuple[Any, ...]:
        return (
            self.revision,
            self.resource,
            self.namespace,
            self.name,
            int(self.deleted),
            zlib.crc32(self.data),
            self.data,
        )


def open_database(path: str | Path) -> apsw.Connection:
    """The store, created when missing: WAL, each commit synced to the disk, only we have it open.

    Raises: HostFault when SQLite is too old, the file is damaged, or it was written by a newer virtdeck.
    """
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SQLITE:
        raise HostFault(f"SQLite {apsw.sqlite_lib_version()} may lose writes; 3.51.3 or newer is needed")
    try:
        connection = apsw.Connection(str(path))
        connection.set_busy_timeout(5000)
        connection.pragma(
            "locking_mode", "exclusive"
        )  # two servers on one file would lose each other's writes
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.pragma("journal_size_limit", 16 * 1024 * 1024)
        connection.pragma("cache_size", -2048)  # everything is in memory already
        _migrate(connection)
    except apsw.Error as fault:
        raise HostFault(f"the store {path} cannot be opened: {fault}") from fault
    return connection


def _migrate(connection: apsw.Connection) -> None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if "facts" not in tables:
        with connection:
            connection.execute(_SCHEMA)
        return
    found = read_fact(connection, "format")
    if found > FORMAT:
        raise HostFault(f"the store has format {found}, this virtdeck knows up to {FORMAT}: it is newer")


def read_fact(connection: apsw.Connection, name: str) -> int:
    """A number kept beside the log; 0 when there is none."""
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).get
    return int(found) if found is not None else 0


def read_log(connection: apsw.Connection) -> Iterator[Entry]:
    """Every line of the log by revision. Raises: HostFault when a row is not what was written."""
    rows = connection.execute(
        "SELECT revision, resource, namespace, name, deleted, checksum, data FROM log ORDER BY revision"
    )
    for revision, resource, namespace, name, deleted, checksum, data in rows:
        if zlib.crc32(data) != checksum:
            raise HostFault(f"the store is damaged: {resource} {namespace}/{name} at revision {revision}")
        yield Entry(revision, resource, namespace, name, bool(deleted), data)


def write_batch(
    connection: apsw.Connection, entries: list[Entry], forgotten: list[int], horizon: int
) -> None:
    """All entries in one durable transaction; rows that nobody can ask for any more go with it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(
            "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", [entry.columns() for entry in entries]
        )
        if forgotten:
            connection.executemany("DELETE FROM log WHERE revision = ?", [(number,) for number in forgotten])
            connection.execute("UPDATE facts SET value = ? WHERE name = 'horizon'", (horizon,))
        connection.execute("COMMIT")
    except apsw.Error:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise
