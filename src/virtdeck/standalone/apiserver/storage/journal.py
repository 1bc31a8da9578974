"""The one writer: a thread that puts what is waiting into one transaction, so that many share one fsync."""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

import apsw

from virtdeck.standalone.apiserver.storage.database import Entry, write_batch

_LARGEST_BATCH = 512


@dataclass(frozen=True)
class Order:
    """What to write: an entry, and the rows that may go with it."""

    entry: Entry
    forgotten: list[int]
    horizon: int


# Told from the writer's thread: how many orders were handled, in the order they were given, and what failed.
Report = Callable[[list[Order], Exception | None], None]


class Journal:
    """Writes orders in the order they were given and reports each group when it is on the disk."""

    def __init__(self, connection: apsw.Connection, report: Report) -> None:
        self._connection = connection
        self._report = report
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
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
        self._connection.close()

    def _run(self) -> None:
        while (first := self._orders.get()) is not None:
            batch = [first]
            ended = self._collect(batch)
            self._report(batch, self._write(batch))
            if ended:
                return

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

    def _write(self, batch: list[Order]) -> Exception | None:
        forgotten = [number for order in batch for number in order.forgotten]
        horizon = max(order.horizon for order in batch)
        try:
            write_batch(self._connection, [order.entry for order in batch], forgotten, horizon)
        except apsw.Error as fault:
            return fault
        return None
