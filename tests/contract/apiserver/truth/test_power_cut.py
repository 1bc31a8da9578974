"""F-08: power fails at any step; what was acknowledged is there, revisions never fall, nothing is half."""

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.contract.apiserver.truth.power import Tape, cuts, taped

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.apiserver.storage import database
from virtdeck.standalone.apiserver.storage.store import Store, Window

pytestmark = pytest.mark.anyio

POINTS = int(os.environ.get("TRUTH_POWER_CUTS", "1000"))
OPENING_SECONDS = 5.0
KEYS, WRITES, WRITERS = 6, 25, 4


@dataclass
class Written:
    """What each revision did: key and data; no data: it ended the object."""

    by_revision: dict[int, tuple[str, bytes | None]] = field(default_factory=dict)


def thing(name: str, value: str) -> dict[str, Any]:
    body = {"metadata": {"name": name}, "v": value, "pad": "p" * 1500}
    return {"apiVersion": "v1", "kind": "Thing", **body}


async def work(store: Store, tape: Tape, written: Written, worker: int) -> None:
    shelf = store.shelf("x/things")
    for number in range(WRITES):
        name = f"k{(worker + number) % KEYS}"
        row = store.latest(shelf, ("n", name))
        try:
            if row is not None and number % 5 == 4:
                row = await store.remove(shelf, row, thing(name, "end"))
                written.by_revision[row.revision] = (name, None)
            else:
                row = await store.put(shelf, ("n", name), thing(name, f"{worker}-{number}"), row)
                written.by_revision[row.revision] = (name, row.data)
        except HostFault:
            raise
        except Exception:
            continue  # another worker was quicker
        tape.told(row.revision)


def clear(folder: Path) -> None:
    """The folder is empty."""
    for one in folder.iterdir():
        one.unlink()


async def record(folder: Path) -> tuple[Tape, Written, int]:
    """A store's files while workers write; how many commit groups there were."""
    written = Written()
    groups: list[int] = []
    with taped() as tape:
        store = Store(folder / "s", Window(events=12), backup_seconds=0)
        store._journal.disk.connection.pragma("wal_autocheckpoint", 25)  # so that checkpoints are cut as well
        inner = store._report
        store._journal._report = lambda batch, fault: (groups.append(len(batch)), inner(batch, fault))  # type: ignore[func-returns-value, assignment]
        async with anyio.create_task_group() as group:
            for worker in range(WRITERS):
                group.start_soon(work, store, tape, written, worker)
        store.close()
    return tape, written, len(groups)


def faults_after(path: Path, told: list[int], written: Written) -> list[str]:
    """What a store that is opened after the cut has lost, made up or forgotten."""
    try:
        store = Store(path, Window(events=12), backup_seconds=0)
    except HostFault as fault:
        return [str(fault)]
    try:
        return _compare(store, told, written)
    finally:
        store.close()


def _compare(store: Store, told: list[int], written: Written) -> list[str]:
    faults = []
    if told and store.revision < max(told):
        faults.append(f"revision {store.revision} is below {max(told)}, which was told")
    rows = {key[1]: row for key, row in store.shelf("x/things").rows.items()}
    for row in rows.values():
        known = written.by_revision.get(row.revision, (row.name, row.data))
        if known != (row.name, row.data):
            faults.append(f"{row.name} at {row.revision} is not what was written")
    newest = {written.by_revision[revision][0]: revision for revision in sorted(told)}
    for name, revision in newest.items():
        row_now = rows.get(name)
        if row_now is None:
            later = [one for one, (key, data) in written.by_revision.items() if key == name and data is None]
            if not any(one >= revision for one in later) and store.revision < revision:
                faults.append(f"{name}, told at {revision}, is gone")
        elif row_now.revision < revision:
            faults.append(f"{name} is at {row_now.revision}, told was {revision}")
    return faults


@pytest.fixture
def after() -> Iterator[Path]:
    """Where the files are after each cut: in memory, since every opening syncs."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        yield Path(folder)


async def test_power_cut_at_any_step_loses_nothing_that_was_told(tmp_path: Path, after: Path) -> None:
    """F-08, I-01, I-02; TRUTH_POWER_CUTS: how many."""
    (tmp_path / "live").mkdir()
    tape, written, groups = await record(tmp_path / "live")
    syncs = tape.count("sync", "s-wal")
    assert len(written.by_revision) > 60
    assert tape.count("write", "s") > 50, "no checkpoint was there to be cut"
    assert groups <= syncs, "a group was told without a sync"
    slowest = 0.0
    for told in cuts(tape, POINTS, seed=8, folder=after):
        begun = time.monotonic()
        assert faults_after(after / "s", told, written) == []
        slowest = max(slowest, time.monotonic() - begun)
        clear(after)
    assert slowest < OPENING_SECONDS


async def test_power_cut_finds_commits_without_a_sync(
    tmp_path: Path, after: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-08: the guard ``synchronous=FULL`` switched off."""
    inner = database._connect

    def careless(path: str | Path) -> Any:
        connection = inner(path)
        connection.pragma("synchronous", "off")
        return connection

    monkeypatch.setattr(database, "_connect", careless)
    (tmp_path / "live").mkdir()
    tape, written, _groups = await record(tmp_path / "live")
    monkeypatch.undo()
    found = []
    for told in cuts(tape, 40, seed=8, folder=after):
        found += faults_after(after / "s", told, written)
        clear(after)
    assert any("told" in one for one in found), found[:3]
