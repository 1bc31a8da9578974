"""The log's lines: written in whole batches, each with a checksum over all of it, and read back verified."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from virtdeck.basis.errors import HostFault

Columns = tuple[int, str, str, str, int, int, bytes]


@dataclass(frozen=True)
class Entry:
    """One line of the log: an object at a revision, or its end."""

    revision: int
    resource: str
    namespace: str
    name: str
    deleted: bool
    data: bytes

    def columns(self) -> Columns:
        place = (self.revision, self.resource, self.namespace, self.name, int(self.deleted))
        return (*place, checksum(*place, self.data), self.data)


def checksum(revision: int, resource: str, namespace: str, name: str, deleted: int, data: bytes) -> int:
    """Over everything that a line says: a changed name is as wrong as a changed object."""
    head = f"{revision}\0{resource}\0{namespace}\0{name}\0{deleted}".encode()
    return zlib.crc32(data, zlib.crc32(head))


def read_entries(connection: apsw.Connection) -> Iterator[Entry]:
    """Every line of the log by revision. Raises: HostFault when one is not what was written."""
    for columns in connection.execute(
        "SELECT revision, resource, namespace, name, deleted, checksum, data FROM log ORDER BY revision"
    ):
        entry = parse_columns(columns)
        if entry is None:
            revision, resource, namespace, name = columns[:4]
            raise HostFault(f"{resource} {namespace}/{name} at revision {revision}", "StoreDamaged")
        yield entry


def parse_columns(columns: Columns) -> Entry | None:
    """The line if it is as it was written, else None."""
    revision, resource, namespace, name, deleted, found, data = columns
    try:
        whole = checksum(revision, resource, namespace, name, deleted, data) == found
    except (TypeError, ValueError, AttributeError):  # a damaged record may hold any type at all
        return None
    return Entry(revision, resource, namespace, name, bool(deleted), data) if whole else None


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
    except BaseException:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise
