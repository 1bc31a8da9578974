"""Events go some time after they were last written."""

import heapq
from datetime import datetime

import anyio

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.basis.errors import Conflict, VirtdeckError
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Key, Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

_EVENTS = "/events"
_LOOK_SECONDS = 30.0  # expiry may be this much late, as etcd's leases may
# A clock that jumps must not take everything at once.
_MOST_AT_ONCE = 500


class EventExpiry:
    """Keeps a heap of when each event's last write expires, by the monotonic clock."""

    def __init__(self, service: Service) -> None:
        self._store = service.store
        self._clock = service.clock
        self._ttl = service.settings.event_ttl_seconds
        self._shelf = service.store.shelf(_EVENTS)
        self._heap: list[tuple[float, Key, int]] = []
        now, mono = service.clock.now(), service.clock.monotonic()
        for row in self._shelf.rows.values():
            age = (now - _last_seen(row)).total_seconds()
            self._push(row, mono - min(max(age, 0.0), self._ttl))
        service.store.listen(self._hear)

    def _push(self, row: Row, written: float) -> None:
        heapq.heappush(self._heap, (written + self._ttl, row.key, row.revision))

    def _hear(self, shelf: Shelf, event: Event) -> None:
        if shelf is self._shelf and event.change is not Change.DELETED:
            self._push(event.row, self._clock.monotonic())

    async def run(self) -> None:
        """Removes what has expired, until it is cancelled."""
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            await self.expire()

    async def expire(self) -> None:
        """Events that have expired are gone."""
        now = self._clock.monotonic()
        for _ in range(_MOST_AT_ONCE):
            if not self._heap or self._heap[0][0] > now:
                return
            _when, key, revision = heapq.heappop(self._heap)
            row = self._shelf.get(key)
            if row is None or row.revision != revision:
                continue
            try:
                await self._store.remove(self._shelf, row, row.decode())
            except Conflict:
                continue  # written again: that write has its own place in the heap
            except VirtdeckError:
                heapq.heappush(self._heap, (now + _LOOK_SECONDS, key, revision))
                return


def _last_seen(row: Row) -> datetime:
    obj = row.decode()
    series = (obj.get("series") or {}).get("lastObservedTime")
    stamp = series or obj.get("lastTimestamp") or obj.get("eventTime") or obj["metadata"]["creationTimestamp"]
    try:
        return parse_rfc3339(str(stamp))
    except ValueError:
        return parse_rfc3339(obj["metadata"]["creationTimestamp"])
