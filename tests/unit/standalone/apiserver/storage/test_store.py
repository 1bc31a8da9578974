"""The store: what was acknowledged, in which order, and what happens when the disk refuses."""

from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest

from virtdeck.basis.errors import Conflict, HostFault
from virtdeck.standalone.apiserver.storage.database import open_database
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store, Window
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

pytestmark = pytest.mark.anyio


def obj(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": name, "uid": f"u-{name}"}, "spec": spec}


async def fill(store: Store, *names: str) -> Shelf:
    shelf = store.shelf("x/things")
    for name in names:
        await store.put(shelf, ("n", name), obj(name), None)
    return shelf


async def test_write_is_readable_with_its_revision(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    shelf = await fill(store, "a")
    row = shelf.get(("n", "a"))
    assert row is not None
    assert row.revision == store.revision == 1
    assert row.decode()["metadata"]["resourceVersion"] == "1"
    store.close()


async def test_second_create_and_stale_update_conflict(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    shelf = await fill(store, "a")
    first = shelf.get(("n", "a"))
    with pytest.raises(Conflict):
        await store.put(shelf, ("n", "a"), obj("a"), None)
    await store.put(shelf, ("n", "a"), obj("a", v=2), first)
    with pytest.raises(Conflict):
        await store.put(shelf, ("n", "a"), obj("a", v=3), first)
    store.close()


async def test_concurrent_writers_of_one_object_have_one_winner(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    shelf = store.shelf("x/things")
    outcomes: list[bool] = []

    async def create(number: int) -> None:
        try:
            await store.put(shelf, ("n", "a"), obj("a", number=number), None)
        except Conflict:
            outcomes.append(False)
        else:
            outcomes.append(True)

    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(create, number)
    assert sorted(outcomes) == [False] * 7 + [True]
    store.close()


async def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    shelf = await fill(store, "a", "b")
    row = shelf.get(("n", "a"))
    assert row is not None
    await store.remove(shelf, row, row.decode())
    store.close()
    again = Store(tmp_path / "s")
    assert list(again.shelf("x/things").rows) == [("n", "b")]
    assert again.revision == 3
    again.close()


async def test_revision_never_falls_even_when_the_log_is_empty_again(tmp_path: Path) -> None:
    window = Window(events=1)
    store = Store(tmp_path / "s", window)
    shelf = await fill(store, "a")
    for _ in range(30):
        row = shelf.get(("n", "a"))
        assert row is not None
        await store.remove(shelf, row, row.decode())
        await store.put(shelf, ("n", "a"), obj("a"), None)
    before = store.revision
    store.close()
    again = Store(tmp_path / "s", window)
    assert again.revision == before
    row = await again.put(again.shelf("x/things"), ("n", "z"), obj("z"), None)
    assert row.revision > before
    again.close()


async def test_revision_never_falls_when_the_newest_lines_are_forgotten(tmp_path: Path) -> None:
    window = Window(seconds=0)
    store = Store(tmp_path / "s", window)
    shelf = await fill(store, "a", "b")
    row = shelf.get(("n", "b"))
    assert row is not None
    await store.remove(shelf, row, row.decode())
    store.compact()
    assert store.forgettable == 0
    store.close()
    again = Store(tmp_path / "s", window)
    assert again._disk.connection.execute("SELECT max(revision) FROM log").get == 1
    assert again.revision == 3
    again.close()


async def test_history_on_disk_stays_bounded(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", Window(events=10))
    shelf = await fill(store, "a")
    for number in range(200):
        await store.put(shelf, ("n", "a"), obj("a", number=number), shelf.get(("n", "a")))
    store.close()
    rows = open_database(tmp_path / "s").execute("SELECT count(*) FROM log").get
    assert rows <= 13


async def test_past_state_can_be_seen_within_the_window_only(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", Window(events=3))
    shelf = await fill(store, "a", "b", "c", "d")
    assert [row.key for row in shelf.at(2) or ()] == [("n", "a"), ("n", "b")]
    assert shelf.at(0) is None
    store.close()


async def test_watch_window_outlives_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    shelf = await fill(store, "a")
    await store.put(shelf, ("n", "a"), obj("a", v=2), shelf.get(("n", "a")))
    store.close()
    again = Store(tmp_path / "s")
    timeline = again.shelf("x/things").timeline
    events = timeline.since(timeline.position_after(0), 10)
    assert events is not None
    assert [event.change for event in events] == [Change.ADDED, Change.MODIFIED]
    assert events[1].before is not None
    again.close()


async def test_refused_write_is_not_there_and_later_writes_work(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    shelf = await fill(store, "a")
    store._journal.disk.connection.pragma("max_page_count", 1)
    with pytest.raises(HostFault, match="full"):
        await store.put(shelf, ("n", "b"), obj("b", big="x" * 100_000), None)
    assert shelf.get(("n", "b")) is None
    assert store.latest(shelf, ("n", "b")) is None
    store._journal.disk.connection.pragma("max_page_count", 100_000)
    while store._disk.exhausted:
        await anyio.sleep(0.005)
    row = await store.put(shelf, ("n", "b"), obj("b"), None)
    assert shelf.get(("n", "b")) is row
    store.close()


async def test_damaged_row_is_found_at_opening(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    await fill(store, "a")
    store.close()
    connection = apsw.Connection(str(tmp_path / "s"))
    connection.execute("UPDATE log SET data = x'7b7d'")
    connection.close()
    with pytest.raises(HostFault, match="the store is damaged: x/things n/a at revision 1"):
        Store(tmp_path / "s")


async def test_store_from_the_future_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "s").close()
    connection = apsw.Connection(str(tmp_path / "s"))
    connection.execute("UPDATE facts SET value = 99 WHERE name = 'format'")
    connection.close()
    with pytest.raises(HostFault, match="it is newer"):
        Store(tmp_path / "s")


async def test_listeners_hear_of_changes_before_the_writer_goes_on(tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    heard: list[str] = []

    def listen(_shelf: Shelf, event: Event) -> None:
        heard.append(event.row.name)

    store.listen(listen)
    await fill(store, "a")
    assert heard == ["a"]
    store.close()
