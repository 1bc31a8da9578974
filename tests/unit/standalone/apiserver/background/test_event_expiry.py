"""Events go an hour after they were last written, whatever the wall clock does."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from virtdeck.standalone.apiserver.background.event_expiry import EventExpiry
from virtdeck.standalone.apiserver.storage.store import Store

pytestmark = pytest.mark.anyio
START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class MovedClock:
    """Time that stands still until it is moved."""

    wall: datetime = START
    mono: float = 1000.0

    def now(self) -> datetime:
        return self.wall

    def monotonic(self) -> float:
        return self.mono


def event(name: str, **fields: Any) -> dict[str, Any]:
    meta = {"name": name, "namespace": "n", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {"apiVersion": "v1", "kind": "Event", "metadata": meta, **fields}


def expiry(store: Store, clock: MovedClock) -> EventExpiry:
    service: Any = SimpleNamespace(
        store=store, clock=clock, settings=SimpleNamespace(event_ttl_seconds=3600.0)
    )
    return EventExpiry(service)


async def test_old_event_goes_and_rewritten_event_stays(tmp_path: Path) -> None:
    store, clock = Store(tmp_path / "s"), MovedClock()
    shelf, worker = store.shelf("/events"), expiry(store, clock)
    for name in ("old", "again"):
        await store.put(shelf, ("n", name), event(name), None)
    clock.mono += 3000
    await store.put(shelf, ("n", "again"), event("again", count=2), shelf.get(("n", "again")))
    clock.mono += 601
    await worker.expire()
    assert set(shelf.rows) == {("n", "again")}
    clock.mono += 3000
    await worker.expire()
    assert not shelf.rows
    store.close()


async def test_wall_clock_that_jumps_takes_nothing(tmp_path: Path) -> None:
    store, clock = Store(tmp_path / "s"), MovedClock()
    worker = expiry(store, clock)
    await store.put(store.shelf("/events"), ("n", "e"), event("e"), None)
    clock.wall += timedelta(days=3650)
    await worker.expire()
    assert store.shelf("/events").rows
    store.close()


async def test_age_counts_over_a_restart_and_odd_times_do_not_stop_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    await store.put(store.shelf("/events"), ("n", "odd"), event("odd", lastTimestamp="yesterday"), None)
    await store.put(
        store.shelf("/events"), ("n", "late"), event("late", lastTimestamp="2026-01-01T01:30:00Z"), None
    )
    clock = MovedClock(wall=START + timedelta(hours=2))
    worker = expiry(store, clock)
    await worker.expire()
    assert set(store.shelf("/events").rows) == {("n", "late")}
    clock.mono += 1801
    await worker.expire()
    assert not store.shelf("/events").rows
    store.close()
