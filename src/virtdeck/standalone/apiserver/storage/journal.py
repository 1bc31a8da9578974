"""The one writer: a thread that puts what is waiting into one transaction, so that many share one fsync."""

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.apiserver.storage.disk import Disk
from virtdeck.standalone.apiserver.storage.entries import Entry

_LARGEST_BATCH = 512
_LONGEST_WITHOUT_UPKEEP = 0.1  # seconds of writes without a pause


@dataclass(frozen=True)
class Order:
    """What to write: an entry (none: nothing new), and the rows that may go with it.

    epoch: how many failures the store had heard of when it gave the order.
    """

    entry: Entry | None
    forgotten: list[int]
    horizon: int
    epoch: int


# Told from the writer's thread: which orders were handled, in the order they were given, and what failed.
Report = Callable[[list[Order], HostFault | None], None]


class Journal:
    """Writes orders in the order they were given and reports each group when it is on the disk."""

    def __init__(self, disk: Disk, report: Report) -> None:
        self.disk = disk
        self._report = report
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._kept_up = 0.0
        self._epoch = 0  # one more with each failure
        self._fault: HostFault | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, order: Order) -> None:
        """Have the order written; never blocks. The store bounds how many wait."""
        self._orders.put(order)

    def close(self) -> None:
        """Everything submitted is written and the file is closed."""
        self._orders.put(None)
        self._thread.join()
        self.disk.close()

    def _run(self) -> None:
        while (first := self._next()) is not None:
            batch = [first]
            ended = self._collect(batch)
            self._handle(batch)
            if ended:
                return
            if time.monotonic() > self._kept_up + _LONGEST_WITHOUT_UPKEEP:
                self._upkeep()

    def _next(self) -> Order | None:
        """The next order; until one comes, what can wait is done piece by piece."""
        while True:
            try:
                return self._orders.get_nowait()
            except queue.Empty:
                wait = self._upkeep()
            try:
                return self._orders.get(timeout=wait)
            except queue.Empty:
                continue

    def _upkeep(self) -> float | None:
        self._kept_up = time.monotonic()
        return self.disk.upkeep()

    def _collect(self, batch: list[Order]) -> bool:
        while len(batch) < _LARGEST_BATCH:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return False
            if order is None:
                return True
            batch.append(order)
        return False

    def _handle(self, batch: list[Order]) -> None:
        """Orders given before the store heard of a failure may build on what failed, and fail as well."""
        stale = [order for order in batch if order.epoch != self._epoch]
        fresh = batch[len(stale) :]
        if stale and self._fault is not None:
            self._report(stale, self._fault)
        if not fresh:
            return
        fault = self._write(fresh)
        if fault is not None:
            self._fault = fault
            self._epoch += 1
        self._report(fresh, fault)

    def _write(self, batch: list[Order]) -> HostFault | None:
        forgotten = [number for order in batch for number in order.forgotten]
        horizon = max(order.horizon for order in batch)
        try:
            self.disk.write([order.entry for order in batch if order.entry is not None], forgotten, horizon)
        except HostFault as fault:
            return fault
        return None
