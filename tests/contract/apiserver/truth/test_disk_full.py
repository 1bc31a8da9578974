"""F-06: the disk is full, or fails at any write: nothing that was told is lost, and it recovers by itself."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest
from tests.contract.apiserver.running import Api
from tests.contract.apiserver.truth.conftest import Starter
from tests.contract.apiserver.truth.power import SYSTEM, layer

from virtdeck.basis.errors import Conflict, HostFault
from virtdeck.standalone.apiserver.storage.store import Store

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
BIG = {"pad": "p" * 200_000}
RECOVERY_SECONDS = 10.0


class _Failing(apsw.VFSFile):
    """A file whose n-th write, of all files together, fails as on a full disk."""

    writes = 0
    failing = 0

    def xWrite(self, data: bytes, offset: int) -> None:
        type(self).writes += 1
        if type(self).writes == type(self).failing:
            raise apsw.FullError("no room")
        super().xWrite(data, offset)


@contextmanager
def failing_at(number: int) -> Iterator[None]:
    _Failing.writes, _Failing.failing = 0, number
    with layer(lambda name, flags: _Failing(SYSTEM, name, flags)):
        yield


def thing(name: str, number: int) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": name}, "v": number, "pad": "p" * 600}


async def write_some(store: Store, told: dict[str, int]) -> int:
    """How many writes were refused."""
    shelf, refused = store.shelf("x/things"), 0
    for number in range(12):
        name = f"k{number % 5}"
        try:
            row = await store.put(shelf, ("n", name), thing(name, number), store.latest(shelf, ("n", name)))
            told[name] = row.revision
        except HostFault:
            refused += 1
        while store._disk.exhausted:  # new objects are refused until there is room again
            await anyio.sleep(0.005)
    return refused


@pytest.mark.anyio
@pytest.mark.parametrize("number", [*range(1, 40)])
async def test_failure_of_any_write_loses_nothing_that_was_told(tmp_path: Path, number: int) -> None:
    """F-06, I-01: each of the first 39 writes after opening."""
    Store(tmp_path / "s", backup_seconds=0).close()
    told: dict[str, int] = {}
    with failing_at(0):
        store = Store(tmp_path / "s", backup_seconds=0)
        _Failing.failing = _Failing.writes + number
        refused = await write_some(store, told)
        store.close()
        assert _Failing.writes >= _Failing.failing
    again = Store(tmp_path / "s", backup_seconds=0)
    found = {key[1]: row.revision for key, row in again.shelf("x/things").rows.items()}
    assert found == told
    assert again.revision >= max(told.values())
    assert refused <= 1
    again.close()


@pytest.mark.anyio
async def test_write_that_builds_on_a_refused_one_is_refused_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-01: half of an unacknowledged write would be there otherwise."""
    store = Store(tmp_path / "s", backup_seconds=0)
    shelf = store.shelf("x/things")
    inner = store._journal.disk.write
    faults = iter([HostFault("no room", "StorageExhausted")])

    def write(*given: Any) -> None:
        time.sleep(0.05)  # the second write is ordered meanwhile
        for fault in faults:
            raise fault
        inner(*given)

    monkeypatch.setattr(store._journal.disk, "write", write)
    outcomes: list[str] = []

    async def one(number: int) -> None:
        await anyio.sleep(number / 100)
        try:
            await store.put(shelf, ("n", "k"), thing("k", number), store.latest(shelf, ("n", "k")))
            outcomes.append("stored")
        except (HostFault, Conflict) as fault:
            outcomes.append(fault.reason)

    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(one, number)
    assert outcomes == ["StorageExhausted"] * 3
    assert shelf.rows == {}
    row = await store.put(shelf, ("n", "k"), thing("k", 9), None)
    assert shelf.get(("n", "k")) is row
    store.close()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of that size."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(api: Api) -> list[str]:
    """Objects are created until the disk is full; the names of those that were stored."""
    stored: list[str] = []
    for number in range(500):
        answer = api.post(CONFIGMAPS, {"metadata": {"name": f"big-{number}"}, "data": BIG})
        if answer.code == 507:
            assert answer.body["reason"] == "StorageExhausted"
            assert "full" in answer.body["message"]
            return stored
        assert answer.code == 201, answer.raw
        stored.append(f"big-{number}")
    raise AssertionError("the disk was never full")


@pytest.mark.root
@pytest.mark.parametrize("guarded", [True, False])
def test_full_disk_refuses_what_is_new_and_lets_go_of_what_is_there(
    starter: Starter, tmp_path: Path, guarded: bool
) -> None:
    """F-06. Without the reserve a delete is refused, and nothing would ever make room."""
    with small_disk(tmp_path / "disk", "24m") as disk:
        server = starter(
            *([] if guarded else ["off:reserve"]), store=str(disk / "store.sqlite"), watch_window_events=5
        )
        api = server.api()
        api.made(CONFIGMAPS, {"metadata": {"name": "small"}, "data": {"v": "1"}})
        stored = fill(api)
        assert api.get(f"{CONFIGMAPS}/{stored[0]}").code == 200
        deleted = [api.delete(f"{CONFIGMAPS}/{name}").code for name in stored[:3]]
        if not guarded:
            assert 507 in deleted
            return
        assert deleted == [200, 200, 200]
        assert api.patch(f"{CONFIGMAPS}/small", {"data": {"v": "2"}}).code == 200
        for name in stored[3:-5]:
            assert api.delete(f"{CONFIGMAPS}/{name}").code == 200
        until = time.monotonic() + RECOVERY_SECONDS
        while api.post(CONFIGMAPS, {"metadata": {"name": "after"}}).code != 201:
            assert time.monotonic() < until, "it did not recover by itself"
            time.sleep(0.1)
        server.kill()
        server.start()
        names = {one["metadata"]["name"] for one in api.get(CONFIGMAPS).body["items"]}
        assert names == {"kube-root-ca.crt", "small", "after", *stored[-5:]}
        assert api.get(f"{CONFIGMAPS}/small").body["data"] == {"v": "2"}
        server.kill()
