"""The store: optimistic writes that return when they are durable, and reads of what is durable."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio
import orjson
import structlog

from virtdeck.basis.errors import Conflict, HostFault, Unready
from virtdeck.standalone.apiserver.storage.database import damage_told, read_fact
from virtdeck.standalone.apiserver.storage.disk import BACKUP_SECONDS, Disk
from virtdeck.standalone.apiserver.storage.entries import Entry, read_entries
from virtdeck.standalone.apiserver.storage.journal import Journal, Order
from virtdeck.standalone.apiserver.storage.rows import Key, Obj, Row, encode_row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

log = structlog.get_logger()

_MOST_PENDING = 4096  # writes waiting for the disk; beyond, callers are asked to come again
_FORGET_WITH_EACH = 8  # rows of the past deleted with each write: more than one write makes, so it catches up
_FORGET_AT_ONCE = 512  # and when nothing is written

Listener = Callable[[Shelf, Event], None]


@dataclass(frozen=True)
class Window:
    """How much of the past is kept in memory (and in the file) for watches."""

    events: int = 4096
    data_bytes: int = 8 * 1024 * 1024
    seconds: float = 600.0  # twice what etcd's compaction by kube-apiserver keeps at least


@dataclass(eq=False)
class _Write:
    shelf: Shelf
    change: Change
    row: Row
    done: anyio.Event
    fault: HostFault | None = None


@dataclass(frozen=True)
class _Remembered:
    """An event that is still in the window, and what it costs."""

    shelf: Shelf
    size: int
    since: float


class Store:
    """All objects. Used from the event loop's thread only; the file belongs to the journal's."""

    def __init__(
        self, path: str | Path, window: Window | None = None, backup_seconds: float = BACKUP_SECONDS
    ) -> None:
        disk = Disk(path, backup_seconds)
        self._window = window or Window()
        self._shelves: dict[str, Shelf] = {}
        self._past: deque[_Remembered] = deque()  # oldest first
        self._past_bytes = 0
        self._forgettable: deque[int] = deque()
        self._pending: dict[tuple[str, Key], _Write] = {}
        self._queue: deque[_Write] = deque()
        self._listeners: list[Listener] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._horizon = read_fact(disk.connection, "horizon")
        self.revision = self._horizon  # the newest committed one
        with damage_told(path):
            self._load(disk)
        self._assigned = self.revision
        self._epoch = 0
        self._disk = disk
        self._journal = Journal(disk, self._report)
        self._journal.start()

    def close(self) -> None:
        """What was accepted is on the disk and the file is closed."""
        self._journal.close()

    @property
    def is_writable(self) -> bool:
        """Whether there is room for new objects."""
        return not self._disk.exhausted

    def shelf(self, resource: str) -> Shelf:
        """The shelf of ``group/plural``, made when it is asked for first."""
        found = self._shelves.get(resource)
        if found is None:
            found = self._shelves[resource] = Shelf(resource, self._horizon)
        return found

    def shelves(self) -> list[Shelf]:
        return list(self._shelves.values())

    def listen(self, listener: Listener) -> None:
        """``listener`` hears of each committed change, in order, and must not block."""
        self._listeners.append(listener)

    def latest(self, shelf: Shelf, key: Key) -> Row | None:
        """The row that a write must build upon: newer than what readers see while a write is on its way."""
        pending = self._pending.get((shelf.resource, key))
        if pending is None:
            return shelf.rows.get(key)
        return None if pending.change is Change.DELETED else pending.row

    def on_their_way(self) -> list[tuple[Shelf, Row]]:
        """The rows that are accepted and not durable yet; deletions are left out."""
        pending = self._pending.values()
        return [(write.shelf, write.row) for write in pending if write.change is not Change.DELETED]

    async def put(self, shelf: Shelf, key: Key, obj: Obj, expected: Row | None) -> Row:
        """The object is stored for good, if ``expected`` still is the latest row (None: if there is none).

        Raises: Conflict, Unready, HostFault.
        """
        return await self._write(shelf, Change.MODIFIED, key, obj, expected)

    async def remove(self, shelf: Shelf, expected: Row, final: Obj) -> Row:
        """The object is gone for good, if ``expected`` still is the latest row; watchers see ``final``.

        Raises: Conflict, Unready, HostFault.
        """
        return await self._write(shelf, Change.DELETED, expected.key, final, expected)

    async def settled(self) -> None:
        """Every write accepted so far is durable, so that an answer may rest on what ``latest`` says.

        Raises: HostFault when the last of them is not.
        """
        if self._queue:
            await self._wait(self._queue[-1])

    async def _wait(self, write: _Write) -> None:
        await write.done.wait()
        if write.fault is not None:
            message = f"the write could not be stored: {write.fault}"
            raise HostFault(message, write.fault.reason) from write.fault

    async def _write(self, shelf: Shelf, change: Change, key: Key, obj: Obj, expected: Row | None) -> Row:
        if self.latest(shelf, key) is not expected:
            raise Conflict("the object has been modified")
        if len(self._queue) >= _MOST_PENDING:
            raise Unready("too many writes are waiting for the disk", reason="TooManyRequests")
        if expected is None and self._disk.exhausted:
            raise HostFault(
                "the disk of the store is full: what is there can be changed and deleted, nothing new stored",
                "StorageExhausted",
            )
        self._loop = self._loop or asyncio.get_running_loop()
        row = encode_row(key, self._assigned + 1, obj)
        self._assigned += 1
        write = _Write(shelf, change, row, anyio.Event())
        self._queue.append(write)
        self._pending[(shelf.resource, key)] = write
        self._journal.submit(self._order(write))
        await self._wait(write)
        return row

    def _order(self, write: _Write) -> Order:
        row = write.row
        deleted = write.change is Change.DELETED
        # The object's last line says what it was; its end must be writable when the disk is full.
        data = b"" if deleted else row.data
        entry = Entry(row.revision, write.shelf.resource, row.namespace, row.name, deleted, data)
        return self._order_of(entry, _FORGET_WITH_EACH)

    def _order_of(self, entry: Entry | None, most_forgotten: int) -> Order:
        forgotten = self._take_forgettable(most_forgotten)
        return Order(entry, forgotten, self._horizon, self._epoch)

    def _take_forgettable(self, most: int) -> list[int]:
        return [self._forgettable.popleft() for _ in range(min(most, len(self._forgettable)))]

    def compact(self) -> None:
        """What is older than the window leaves memory now, and the file soon, though nothing is written."""
        oldest = time.monotonic() - self._window.seconds
        while self._past and self._past[0].since < oldest:
            self._drop_oldest()
        if self._forgettable and not self._queue:
            self._loop = self._loop or asyncio.get_running_loop()
            self._journal.submit(self._order_of(None, _FORGET_AT_ONCE))

    @property
    def forgettable(self) -> int:
        """How many lines of the file nobody can ask for any more."""
        return len(self._forgettable)

    def _report(self, batch: list[Order], fault: HostFault | None) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._settle, batch, fault)

    def _settle(self, batch: list[Order], fault: HostFault | None) -> None:
        if fault is not None:
            self._fail(batch, fault)
            return
        for order in batch:
            if order.entry is not None:
                self._publish(self._queue.popleft())

    def _fail(self, batch: list[Order], fault: HostFault) -> None:
        """None of the batch happened, nor does anything that was ordered before its failure was known here.

        Such a write may build upon one that failed: the journal drops them all, by their epoch.
        """
        for order in batch:
            self._forgettable.extend(order.forgotten)
        if batch[0].epoch != self._epoch:
            return
        log.error("store_refused", message=fault.message, writes=len(self._queue))
        self._epoch += 1
        doomed, self._queue = self._queue, deque()
        for write in doomed:
            write.fault = fault
            self._publish(write)

    def _publish(self, write: _Write) -> None:
        pending = (write.shelf.resource, write.row.key)
        if self._pending.get(pending) is write:
            del self._pending[pending]
        if write.fault is None:
            event = write.shelf.apply(write.change, write.row)
            self.revision = write.row.revision
            self._remember(write.shelf, event)
            self._tell(write.shelf, event)
        write.done.set()

    def _tell(self, shelf: Shelf, event: Event) -> None:
        for listener in self._listeners:
            try:
                listener(shelf, event)
            except Exception:  # the write is durable: its writer must hear so, whatever others make of it
                log.exception("listener_broke", resource=shelf.resource, key=event.row.key)

    def _remember(self, shelf: Shelf, event: Event) -> None:
        size = len(event.row.data)
        self._past.append(_Remembered(shelf, size, time.monotonic()))
        self._past_bytes += size
        while len(self._past) > self._window.events or self._past_bytes > self._window.data_bytes:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        oldest = self._past.popleft()
        self._past_bytes -= oldest.size
        event = oldest.shelf.timeline.drop_oldest()
        self._horizon = event.revision
        if event.before is not None:
            self._forgettable.append(event.before.revision)
        if event.change is Change.DELETED:
            self._forgettable.append(event.revision)

    def _load(self, disk: Disk) -> None:
        for entry in read_entries(disk.connection):
            shelf = self.shelf(entry.resource)
            key = (entry.namespace, entry.name)
            before = shelf.get(key)
            if entry.deleted and before is None:  # nobody can ask for it any more, as for what it ended
                self._forgettable.append(entry.revision)
            elif entry.revision > self._horizon:
                self._remember(shelf, shelf.apply(*_read(entry, key, before)))
            else:
                shelf.put(*_read(entry, key, before))
                if before is not None:
                    self._forgettable.append(before.revision)
                if entry.deleted:
                    self._forgettable.append(entry.revision)
            self.revision = max(self.revision, entry.revision)  # newer ones may have been forgotten


def _read(entry: Entry, key: Key, before: Row | None) -> tuple[Change, Row]:
    """What a line did. An end shows the object as it was last."""
    if entry.deleted and before is not None:
        return Change.DELETED, encode_row(key, entry.revision, before.decode())
    return Change.MODIFIED, Row(key, entry.revision, entry.data, orjson.loads(entry.data))
