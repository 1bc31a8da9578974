"""The API server's own process with one thing switched: it dies at a named point, or a guard is off.

``python switched.py SWITCH --config F``; SWITCH is ``die:POINT:HIT`` or ``off:GUARD``, several joined by ",".
A point counts from SIGUSR1 on, one of the start from the start.
The product knows nothing of this: its functions are replaced here, before its ``main`` runs.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from virtdeck.serving import limits
from virtdeck.standalone.apiserver import app
from virtdeck.standalone.apiserver import main as server
from virtdeck.standalone.apiserver.background import compaction
from virtdeck.standalone.apiserver.requests import answers
from virtdeck.standalone.apiserver.storage import (
    backup,
    disk,
    entries,
    journal,
    reserve,
    shelf,
    store,
)
from virtdeck.standalone.apiserver.verbs import watching

# Where the process may die: the function's owner and name, and whether before or after it ran.
POINTS: dict[str, tuple[Any, str, str]] = {
    "ordered": (journal.Journal, "submit", "after"),
    "before-batch": (disk.Disk, "write", "before"),
    "in-batch": (entries.Entry, "columns", "before"),
    "after-commit": (disk, "write_batch", "after"),
    "after-batch": (disk.Disk, "write", "after"),
    "before-report": (store.Store, "_report", "before"),
    "after-report": (store.Store, "_report", "after"),
    "before-settling": (store.Store, "_settle", "before"),
    "after-settling": (store.Store, "_settle", "after"),
    "before-publishing": (store.Store, "_publish", "before"),
    "after-publishing": (store.Store, "_publish", "after"),
    "on-the-shelf": (shelf.Shelf, "apply", "after"),
    "before-forgetting": (store.Store, "_drop_oldest", "before"),
    "after-forgetting": (store.Store, "_drop_oldest", "after"),
    "compacting": (store.Store, "compact", "after"),
    "before-fan-out": (watching.Watch, "_push", "before"),
    "after-fan-out": (watching.Watch, "_push", "after"),
    "before-reply": (answers, "_plain_headers", "before"),
    "after-reply": (app, "send_reply", "after"),
    "copying": (backup, "_copy", "before"),
    "verifying-copy": (backup, "verify", "before"),
    "copy-not-named": (backup, "_sync", "before"),
    "copy-named": (backup, "_sync", "after"),
    "opening": (disk.Disk, "__init__", "after"),
    "reserving": (reserve.Reserve, "refill", "before"),
    "loading": (store, "read_entries", "before"),
    "loaded": (store.Store, "_load", "after"),
    "bootstrapping": (server, "ensure_defaults", "before"),
}
STARTING = ("opening", "reserving", "loading", "loaded", "bootstrapping")
COPYING = ("copying", "verifying-copy", "copy-not-named", "copy-named")


_armed = threading.Event()


def _put(owner: Any, name: str, other: Any) -> None:
    """One function of the product is another. Raises: AttributeError when there is none of that name."""
    getattr(owner, name)
    setattr(owner, name, other)


def die_at(point: str, hit: int) -> None:
    """The process ends by SIGKILL, its own, at the point's n-th pass."""
    owner, name, when = POINTS[point]
    inner = getattr(owner, name)
    passes = 0
    armed = point in STARTING + COPYING

    def count() -> None:
        nonlocal passes
        passes += armed or _armed.is_set()
        if passes >= hit:
            os.kill(os.getpid(), signal.SIGKILL)

    def dying(*given: Any, **named: Any) -> Any:
        if when == "before":
            count()
        result = inner(*given, **named)
        if when == "after":
            count()
        return result

    async def dying_later(*given: Any, **named: Any) -> Any:
        if when == "before":
            count()
        result = await inner(*given, **named)
        if when == "after":
            count()
        return result

    asynchronous = bool(inner.__code__.co_flags & 0x80)  # CO_COROUTINE
    _put(owner, name, dying_later if asynchronous else dying)


def answer_before_durable() -> None:
    """Writes are published and answered before the disk has them."""

    class Hasty(store.Store):
        def _order(self, write: Any) -> Any:
            order = super()._order(write)
            self._queue.remove(write)
            self._publish(write)
            return order

        def _settle(self, batch: Any, fault: Any) -> None:
            """Everything was settled at once."""

    inner = disk.Disk.write

    def write_late(*given: Any) -> None:
        time.sleep(0.02)  # as a slow disk: what was answered meanwhile is not there yet
        inner(*given)

    _put(disk.Disk, "write", write_late)
    _put(server, "Store", Hasty)


def forget_conflicts() -> None:
    """A write never conflicts: the last one wins."""
    inner = store.Store._write

    async def write(self: Any, one: Any, change: Any, key: Any, obj: Any, _expected: Any) -> Any:
        return await inner(self, one, change, key, obj, self.latest(one, key))

    _put(store.Store, "_write", write)


def skip_versions() -> None:
    """An update bound to a version that is not the newest is taken all the same."""
    from virtdeck.standalone.apiserver.verbs.pipeline import Pipeline

    _put(Pipeline, "_check_version", lambda *_: False)
    forget_conflicts()


def lose_events() -> None:
    """Every tenth event is not sent to who is listening."""
    inner = watching._Feed.framed
    _put(watching._Feed, "framed", lambda self, event: inner(self, event) if event.revision % 10 else b"")


def answer_before_readable() -> None:
    """A writer hears of its write before readers can see it."""
    inner = store.Store._publish

    def publish(self: Any, write: Any) -> None:
        if _armed.is_set():
            write.done.set()
            self._loop.call_later(0.05, inner, self, write)
        else:
            inner(self, write)

    _put(store.Store, "_publish", publish)


def resume_anywhere() -> None:
    """A watch from a forgotten revision begins with what is left instead of being told 410."""
    inner = watching.Watch._start

    def start(self: Any) -> None:
        kept, self._shelf.timeline.horizon = self._shelf.timeline.horizon, 0
        try:
            inner(self)
        finally:
            self._shelf.timeline.horizon = kept

    _put(watching.Watch, "_start", start)


def show_everything() -> None:
    """Watches do not look at selectors."""
    _put(watching._Feed, "_change", lambda _self, event: event.change)


def set_limits(**seconds: Any) -> None:
    """Patience with slow clients is this long."""
    inner = limits.Limits
    _put(server, "Limits", lambda **given: replace(inner(**given), **seconds))


def be_quick() -> None:
    """The limits as they are, in a fraction of their time."""
    set_limits(head_seconds=2.0, body_idle_seconds=2.0, write_stall_seconds=2.0)


def be_patient() -> None:
    """Slow clients may take an hour for everything."""
    patient = dict.fromkeys(
        ("head_seconds", "body_idle_seconds", "write_stall_seconds", "request_seconds"), 3600.0
    )
    set_limits(**patient)


def keep_no_reserve() -> None:
    """Nothing is kept for the day the disk is full."""
    reserve.RESERVE_BYTES = 1


def write_to_what_is_gone() -> None:
    """Nobody looks whether the store's file still has its name."""
    _put(disk.Disk, "_require_same_file", lambda _self: None)


def begin_anew() -> None:
    """A store that is gone is replaced by an empty one."""
    _put(disk.Disk, "_require_presence", lambda _self: None)


OFF: dict[str, Callable[[], None]] = {
    "limits": be_patient,
    "durable": answer_before_durable,
    "conflicts": forget_conflicts,
    "versions": skip_versions,
    "reliable": lose_events,
    "readable": answer_before_readable,
    "horizon": resume_anywhere,
    "filter": show_everything,
    "reserve": keep_no_reserve,
    "same-file": write_to_what_is_gone,
    "presence": begin_anew,
}


def switch(what: str) -> None:
    """One switch is set."""
    kind, _, rest = what.partition(":")
    if what == "quick:limits":
        be_quick()
    elif kind == "die":
        point, _, hit = rest.partition(":")
        die_at(point, int(hit))
    else:
        OFF[rest]()


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, lambda *_: _armed.set())
    compaction._LOOK_SECONDS = 0.1
    disk._FIRST_BACKUP_SECONDS = 0.0
    for one in sys.argv.pop(1).split(","):
        switch(one)
    server.main()
