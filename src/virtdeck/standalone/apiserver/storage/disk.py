"""Everything that happens to the store's file after it was opened: batches, room, shrinking, copies."""

import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import structlog

from virtdeck.basis.errors import HostFault, VirtdeckError
from virtdeck.standalone.apiserver.storage.backup import back_up, backup_path
from virtdeck.standalone.apiserver.storage.database import damage_told, open_database
from virtdeck.standalone.apiserver.storage.entries import Entry, write_batch
from virtdeck.standalone.apiserver.storage.reserve import Reserve

log = structlog.get_logger()

BACKUP_SECONDS = 300.0  # a copy is at most this old while things change
_FIRST_BACKUP_SECONDS = 15.0  # after opening: an installation has been written by then
_REFILL_SECONDS = 2.0
_LEAST_FREE_PAGES = 1024  # 4 MiB; the file shrinks when more than that, and more than a third of it, is free
_PAGES_GIVEN_BACK = 256


class Disk:
    """The open file. Used by one thread at a time."""

    def __init__(self, path: str | Path, backup_seconds: float = BACKUP_SECONDS) -> None:
        self._path = Path(path)
        self._require_presence()
        self.connection = open_database(path)
        self._inode = self._path.stat().st_ino
        self._reserve = Reserve(self._path)
        self._backup_seconds = backup_seconds
        self._copying: Iterator[None] | None = None
        # None: nothing changed since the last.
        self._backup_due: float | None = time.monotonic() + _FIRST_BACKUP_SECONDS
        self._refill_due = 0.0
        self._loose = True  # rows went, and how many free pages they left was not looked at

    def _require_presence(self) -> None:
        """Raises: HostFault when a store was here and is gone: an empty one would forget every machine."""
        traces = (self._path.with_name(f"{self._path.name}.reserve"), backup_path(self._path))
        there = self._path.exists() and self._path.stat().st_size
        left = [trace for trace in traces if trace.exists() and trace.stat().st_size]
        if left and not there:
            raise HostFault(
                f"the store {self._path} is gone, but {left[0]} says that there was one. "
                "'virtdeck store repair' brings the newest copy back; to begin anew, remove that file too",
                "StorageDamaged",
            )

    @property
    def exhausted(self) -> bool:
        """The disk was full, and has not got its reserve back since."""
        return self._reserve.released

    def write(self, entries: list[Entry], forgotten: list[int], horizon: int) -> None:
        """The batch is durable. Raises: HostFault, and then none of it is."""
        self._require_same_file()
        try:
            self._write(entries, forgotten, horizon)
        except apsw.FullError as fault:
            raise HostFault(f"the disk of the store is full: {fault}", "StorageExhausted") from fault
        except apsw.Error as fault:
            with damage_told(self._path, "written"):
                raise fault
        self._loose = self._loose or bool(forgotten)
        if self._backup_due is None:
            self._backup_due = time.monotonic() + self._backup_seconds

    def _write(self, entries: list[Entry], forgotten: list[int], horizon: int) -> None:
        try:
            write_batch(self.connection, entries, forgotten, horizon)
        except apsw.FullError:
            if self._reserve.release():
                log.error("store_disk_full", path=str(self._path))
            # The log of latest writes moves into the file, and gives its own room back.
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            write_batch(self.connection, entries, forgotten, horizon)

    def _require_same_file(self) -> None:
        """Raises: HostFault when the file was moved away: what is written there now would be lost."""
        try:
            same = self._path.stat().st_ino == self._inode
        except OSError:
            same = False
        if not same:
            raise HostFault(
                f"the store {self._path} was removed or replaced while it was open. Nothing more is written; "
                "put it back, or stop virtdeck and run 'virtdeck store repair'",
                "StorageFault",
            )

    def upkeep(self) -> float | None:
        """One piece of what can wait is done. Answers when there is more, in seconds; None: after a write."""
        now = time.monotonic()
        waits = [self._refill(now), self._shrink(), self._back_up(now)]
        return min((wait for wait in waits if wait is not None), default=None)

    def _refill(self, now: float) -> float | None:
        if not self._reserve.released:
            return None
        if now >= self._refill_due:
            self._refill_due = now + _REFILL_SECONDS
            if self._reserve.refill():
                log.info("store_disk_has_room", path=str(self._path))
                return None
        return self._refill_due - now

    def _shrink(self) -> float | None:
        """Free pages at the file's end go back to the disk, some at a time."""
        if not self._loose:
            return None
        free, pages = self.connection.pragma("freelist_count"), self.connection.pragma("page_count")
        self._loose = free >= _LEAST_FREE_PAGES and free * 3 >= pages
        if not self._loose:
            return None
        try:
            self.connection.execute(f"PRAGMA incremental_vacuum({_PAGES_GIVEN_BACK})").fetchall()
        except apsw.Error as fault:
            log.warning("store_not_shrunk", message=str(fault))
            self._loose = False
            return None
        return 0.0

    def _back_up(self, now: float) -> float | None:
        if self._backup_due is None or not self._backup_seconds:
            return None
        if self._copying is None and now < self._backup_due:
            return self._backup_due - now
        self._copying = self._copying or back_up(self.connection, backup_path(self._path))
        try:
            next(self._copying)
        except StopIteration:
            self._copying, self._backup_due = None, None
            return None
        except (apsw.Error, VirtdeckError, OSError) as fault:
            log.error("store_not_backed_up", message=str(fault))
            self._copying, self._backup_due = None, now + self._backup_seconds
            return self._backup_seconds
        return 0.0

    def close(self) -> None:
        """The file is closed; a copy that was under way is given up."""
        if self._copying is not None:
            self._copying.close()  # type: ignore[attr-defined] # it is a generator
        try:
            self.connection.close()
        except apsw.Error as fault:  # what is committed is in the log of latest writes, for the next opening
            log.warning("store_not_closed", message=str(fault))
