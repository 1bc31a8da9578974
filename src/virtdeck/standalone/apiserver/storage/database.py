"""The SQLite file: opened safely, its schema and version checked, its pages and rows verified."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.apiserver.storage.entries import checksum

FORMAT = 2  # of the schema below; a file with a higher one is from the future and is refused
# Earlier versions can lose committed writes in WAL mode when a checkpoint races with a writer.
OLDEST_SQLITE = (3, 51, 3)
_BUSY_MILLISECONDS = 5000  # somebody who copies the file gets this long to let go of it
_WAL_KEPT_BYTES = 16 * 1024 * 1024

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
INSERT INTO facts VALUES ('format', 2), ('horizon', 0);
"""


def open_database(path: str | Path) -> apsw.Connection:
    """The store, created when missing: WAL, each commit synced to the disk, only we have it open.

    Raises: HostFault when SQLite is too old, the file is damaged or gone, or a newer virtdeck wrote it.
    """
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SQLITE:
        raise HostFault(f"SQLite {apsw.sqlite_lib_version()} may lose writes; 3.51.3 or newer is needed")
    with damage_told(path):
        connection = _connect(path)
        check_pages(connection)
        _migrate(connection, path)
    return connection


def _connect(path: str | Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    # Two servers on one file would lose each other's writes; a foreign reader would keep the WAL growing.
    connection.pragma("locking_mode", "exclusive")
    connection.pragma("auto_vacuum", "incremental")
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.pragma("journal_size_limit", _WAL_KEPT_BYTES)
    connection.pragma("cache_size", -2048)  # everything is in memory already
    return connection


@contextmanager
def damage_told(path: str | Path, doing: str = "opened") -> Iterator[None]:
    """Whatever SQLite and the checksums find wrong becomes one sentence that says what to do."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as fault:
        raise damaged(path, str(fault)) from fault
    except apsw.Error as fault:
        raise HostFault(f"the store {path} cannot be {doing}: {fault}", "StorageFault") from fault
    except HostFault as fault:
        if fault.reason != "StoreDamaged":
            raise
        raise damaged(path, fault.message) from fault


def damaged(path: str | Path, what: str) -> HostFault:
    """The refusal of a damaged store."""
    return HostFault(
        f"the store is damaged: {what}. {path} was left as it is, and running machines run on; "
        "'virtdeck store repair' keeps every object that can be read and says what was lost",
        "StorageDamaged",
    )


def check_pages(connection: apsw.Connection) -> None:
    """Raises: HostFault when the file's pages do not hold together."""
    found = connection.execute("PRAGMA quick_check(1)").get
    if found != "ok":
        raise HostFault(str(found).replace("\n", " "), "StoreDamaged")


def read_fact(connection: apsw.Connection, name: str) -> int:
    """A number kept beside the log; 0 when there is none."""
    try:
        found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).get
        return int(found) if found is not None else 0
    except (apsw.SQLError, ValueError) as fault:
        raise HostFault(f"its facts cannot be read ({fault})", "StoreDamaged") from fault


def _migrate(connection: apsw.Connection, path: str | Path) -> None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not tables:
        with connection:
            connection.execute(_SCHEMA)
        return
    found = read_fact(connection, "format")
    if found > FORMAT:
        raise HostFault(
            f"the store {path} has format {found}, this virtdeck knows up to {FORMAT}: it is newer. "
            "Start the virtdeck that wrote it, or another state folder",
            "StorageNewer",
        )
    if found < 1 or not {"facts", "log"} <= tables:
        raise HostFault("its tables are not those of a store", "StoreDamaged")
    for older in range(found, FORMAT):
        _STEPS[older](connection)


def _cover_all_columns(connection: apsw.Connection) -> None:
    """Format 1's checksums were of the object alone, and its file never shrank."""
    connection.create_scalar_function("whole", _whole, 6, deterministic=True)
    with connection:
        connection.execute(
            "UPDATE log SET checksum = whole(revision, resource, namespace, name, deleted, data)"
        )
        connection.execute("UPDATE facts SET value = 2 WHERE name = 'format'")
    connection.pragma("auto_vacuum", "incremental")
    connection.execute("VACUUM")


def _whole(*columns: Any) -> int:
    return checksum(*columns)


_STEPS: dict[int, Callable[[apsw.Connection], None]] = {1: _cover_all_columns}
