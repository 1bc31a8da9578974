"""A list-watch cache: one kind's objects as the API server has them, a moment ago at most."""

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, aclosing, asynccontextmanager
from typing import Any, Generic, TypeVar

import anyio
import structlog

from virtdeck.basis.errors import Refused, VirtdeckError
from virtdeck.basis.listeners import Listeners
from virtdeck.kube.backoff import Backoff
from virtdeck.kube.changes import Changes
from virtdeck.kube.client import Client
from virtdeck.kube.errors import Expired
from virtdeck.kube.index import IndexFunction
from virtdeck.kube.objects import Key, Kind, identity
from virtdeck.kube.snapshot import Change, Snapshot
from virtdeck.kube.watching import WatchEvent

T = TypeVar("T")

# After a fault: 50 ms, doubled up to 10 s, and as much again by chance, lest all come back in step.
RETRY = Backoff(base_seconds=0.05, cap_seconds=10.0)
# Nothing listens: the server starts or restarts, a try costs it nothing, and all wait for its return.
RECONNECT = Backoff(base_seconds=0.05, cap_seconds=1.0)
SHORTEST_WATCH_SECONDS = 1.0
SHORTEST_PAUSE_SECONDS = 0.05
RELIST_AFTER = 3  # refusals in a row of a server that answers: it may not know our version at all

_log = structlog.get_logger()


class Cache(Generic[T]):
    """The kind's matching objects, kept current while ``run`` runs; readers never wait.

    keep: cuts each object to what its readers need, before it is stored.
    """

    def __init__(
        self,
        kind: Kind[T],
        *,
        namespace: str | None = None,
        label_selector: str | None = None,
        field_selector: str | None = None,
        indexes: Mapping[str, IndexFunction[T]] | None = None,
        keep: Callable[[T], T] | None = None,
    ) -> None:
        self.kind = kind
        self._where: dict[str, Any] = {
            "namespace": namespace,
            "label_selector": label_selector,
            "field_selector": field_selector,
        }
        self._keep = keep
        self._snapshot: Snapshot[T] = Snapshot(indexes or {})
        self._synced = anyio.Event()
        self._stale = True
        self._failures = 0
        self._listeners: Listeners[Change[T]] = Listeners()

    # ---- readers

    def get(self, namespace: str | None, name: str) -> T | None:
        """The object as last seen."""
        return self._snapshot.store.get(Key(namespace or "", name))

    def find(self, index: str, value: str) -> list[T]:
        """The objects that the index has under this value."""
        return self._snapshot.store.find(index, value)

    def all(self) -> list[T]:
        """All objects, in no particular order."""
        return self._snapshot.store.all()

    def __len__(self) -> int:
        return len(self._snapshot.store)

    @property
    def synced(self) -> bool:
        """True once the first list has been seen: from then on absence means something."""
        return self._synced.is_set()

    @property
    def connected(self) -> bool:
        """True while a watch is open: the content is current, as far as anyone can know."""
        return not self._stale

    @property
    def resource_version(self) -> str:
        """How far the content has come."""
        return self._snapshot.version

    async def wait_synced(self) -> None:
        """The first list has been seen. Cancel: safe; deadlines are the caller's."""
        await self._synced.wait()

    def listening(self, listener: Callable[[Change[T]], None]) -> AbstractContextManager[None]:
        """``listener`` is told each change within the block, at once and in order; it must not wait."""
        return self._listeners.listening(listener)

    def replay(self, listener: Callable[[Change[T]], None]) -> None:
        """``listener`` is told each object that is there now, as if it had just come."""
        for obj in self.all():
            listener(Change(identity(obj).key, None, obj))

    @asynccontextmanager
    async def changes(self) -> AsyncIterator[Changes[T]]:
        """The changes from now on, for ``async for``; a slow reader gets each object's newest only."""
        changes: Changes[T] = Changes()
        with self.listening(changes.push):
            yield changes

    # ---- writers

    def absorb(self, obj: T) -> None:
        """The answer to a write of our own is seen at once, before the watch repeats it."""
        self._tell(self._snapshot.absorb(self._cut(obj)))

    async def run(self, client: Client) -> None:
        """Keeps the cache current until cancelled; a fault is logged and tried again, for ever."""
        while True:
            started = anyio.current_time()
            pause = 0.0
            try:
                await self._follow(client)
                self._failures = 0
            except Expired:
                self._snapshot.forget_version()
            except VirtdeckError as fault:
                pause = self._note(fault, anyio.current_time() - started)
            self._stale = True
            # A watch that ends in peace is resumed at once, unless the server ends each at once.
            hasty = anyio.current_time() - started < SHORTEST_WATCH_SECONDS
            await anyio.sleep(max(pause, SHORTEST_PAUSE_SECONDS if hasty else 0.0))

    def _note_opened(self) -> None:
        self._stale = False

    def _note(self, fault: VirtdeckError, lasted_seconds: float) -> float:
        """The fault is logged and counted; answers the wait before the next try."""
        self._failures = self._failures + 1 if lasted_seconds < RETRY.cap_seconds else 1
        log = _log.error if isinstance(fault, Refused) else _log.warning
        log("watch_interrupted", kind=self.kind.kind, reason=fault.reason, problem=fault.message)
        unreachable = fault.reason == "ApiServerUnreachable"
        if self._failures >= RELIST_AFTER and not unreachable:
            self._snapshot.forget_version()
        pace = RECONNECT if unreachable else RETRY
        return pace.seconds(self._failures, random.random())  # noqa: S311 (spreads load, guards nothing)

    async def _follow(self, client: Client) -> None:
        """Lists if nothing is known to resume from, then watches until the server ends it."""
        if not self._snapshot.version:
            listing = await client.list(self.kind, **self._where)
            for change in self._snapshot.relist(map(self._cut, listing), listing.resource_version):
                self._tell(change)
            self._synced.set()
        watch = client.watch(
            self.kind, **self._where, resource_version=self._snapshot.version, opened=self._note_opened
        )
        async with aclosing(watch) as events:  # type: ignore[type-var]
            async for event in events:
                self._tell(self._apply(event))

    def _apply(self, event: WatchEvent[T]) -> Change[T] | None:
        if event.object is None:
            self._snapshot.bookmark(event.resource_version)
            return None
        if event.type == "DELETED":
            return self._snapshot.remove(event.object, event.resource_version)
        return self._snapshot.show(self._cut(event.object), event.resource_version)

    def _cut(self, obj: T) -> T:
        return self._keep(obj) if self._keep else obj

    def _tell(self, change: Change[T] | None) -> None:
        if change is not None:
            self._listeners.tell(change)
