"""F-09: whatever is broken in the store's files, nothing wrong is served, and what can be saved is saved."""

import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest
from tests.contract.apiserver.truth.conftest import Starter, switch

from virtdeck.basis.errors import Absent, HostFault, VirtdeckError
from virtdeck.standalone.apiserver.storage import entries
from virtdeck.standalone.apiserver.storage.backup import back_up, backup_path
from virtdeck.standalone.apiserver.storage.database import open_database
from virtdeck.standalone.apiserver.storage.repair import repair, restore
from virtdeck.standalone.apiserver.storage.store import Store

PAGE = 4096
OBJECTS = 60
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def thing(number: int) -> dict[str, Any]:
    pad = "p" * (9000 if number % 10 == 0 else 300)  # some overflow their page
    return {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": f"k{number}"}, "v": number, "pad": pad}


async def _fill(path: Path) -> None:
    store = Store(path, backup_seconds=0)
    shelf = store.shelf("x/things")
    for number in range(OBJECTS):
        await store.put(shelf, ("n", f"k{number}"), thing(number), None)
    for number in range(0, OBJECTS, 7):
        row = shelf.get(("n", f"k{number}"))
        await store.put(shelf, ("n", f"k{number}"), {**thing(number), "v": -number}, row)
    store.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store that nothing is wrong with."""
    path: Path = tmp_path_factory.mktemp("whole") / "s"
    anyio.run(_fill, path)
    return path


@pytest.fixture
def broken(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be broken."""
    path = tmp_path / "s"
    shutil.copyfile(whole, path)
    return path


def values(path: Path) -> dict[str, Any]:
    """What the store serves. Raises: HostFault when it refuses."""
    store = Store(path, backup_seconds=0)
    try:
        return {row.name: row.decode()["v"] for row in store.shelf("x/things").rows.values()}
    finally:
        store.close()


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def pages_of(path: Path) -> dict[str, list[int]]:
    """The numbers of the log's pages by class."""
    connection = apsw.Connection(str(path))
    found: dict[str, list[int]] = {}
    for number, kind in connection.execute("SELECT pageno, pagetype FROM dbstat WHERE name = 'log'"):
        found.setdefault(str(kind), []).append(int(str(number)))
    connection.close()
    return found


Damage = Callable[[Path], object]


def damages(path: Path) -> Iterator[tuple[str, Damage]]:
    pages = pages_of(path)
    for kind in ("internal", "leaf", "overflow"):
        start = (pages[kind][len(pages[kind]) // 2] - 1) * PAGE
        for at in (0, 8, 100, PAGE - 40):
            yield f"{kind} page flipped at {at}", partial(flip, offset=start + at)
        yield f"{kind} page zeroed", partial(overwrite, offset=start, data=bytes(PAGE))
    yield "header zeroed", partial(overwrite, offset=0, data=bytes(100))
    yield "format of the file", partial(overwrite, offset=18, data=b"\x09\x09")
    yield "cut short", partial(os.truncate, length=3 * PAGE + 100)
    yield "cut to nothing but its header", partial(os.truncate, length=PAGE)
    yield "other file", partial(Path.write_bytes, data=b"not a database\n" * 2000)


def flip(path: Path, offset: int) -> None:
    found = path.read_bytes()[offset : offset + 16]
    overwrite(path, offset, bytes(one ^ 0xA5 for one in found))


def served(path: Path) -> dict[str, Any] | HostFault:
    """What the store serves, or its refusal."""
    try:
        return values(path)
    except HostFault as fault:
        return fault


def test_no_damage_is_served_as_truth(whole: Path, broken: Path) -> None:
    """F-09: each page class and the file as a whole: refused with a sentence, or what is served is right."""
    right = values(whole)
    refused = []
    for name, damage in damages(whole):
        shutil.copyfile(whole, broken)
        damage(broken)
        found = served(broken)
        if isinstance(found, HostFault):
            refused.append(name)
            assert found.reason in ("StorageDamaged", "StorageFault"), name
            assert str(broken) in found.message, name
        else:
            assert found == right, name
        for suffix in ("", "-wal", ".reserve"):
            broken.with_name(broken.name + suffix).unlink(missing_ok=True)
    assert len(refused) > 12, refused


def test_flipped_row_is_found_and_costs_only_its_object(broken: Path) -> None:
    """F-09."""
    connection = apsw.Connection(str(broken))
    connection.execute("UPDATE log SET data = replace(data, '\"v\":11', '\"v\":12') WHERE name = 'k11'")
    connection.execute("UPDATE log SET name = 'k13' WHERE name = 'k12'")
    connection.close()
    with pytest.raises(HostFault, match=r"the store is damaged: x/things n/k11 .*virtdeck store repair"):
        values(broken)
    done = repair(broken, backup_path(broken))
    assert done.lost == (("x/things", "n", "k11"), ("x/things", "n", "k13"))[: len(done.lost)]
    found = values(broken)
    assert len(found) >= OBJECTS - 2
    assert "k11" not in found
    assert found["k14"] == -14


def trusting(columns: Any) -> entries.Entry:
    revision, resource, namespace, name, deleted, _checksum, data = columns
    return entries.Entry(revision, resource, namespace, name, bool(deleted), data)


def test_checks_find_a_flipped_row_by_its_checksum_alone(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-09: the guard switched off serves the lie."""
    connection = apsw.Connection(str(broken))
    connection.execute("UPDATE log SET data = replace(data, '\"v\":11', '\"v\":12') WHERE name = 'k11'")
    connection.close()
    monkeypatch.setattr(entries, "parse_columns", trusting)
    assert values(broken)["k11"] == 12


def test_repair_takes_from_the_copy_what_the_store_lost(whole: Path, broken: Path) -> None:
    """F-09: whole pages are gone, and every object is back."""
    connection = open_database(broken)
    for _ in back_up(connection, backup_path(broken)):
        pass
    connection.close()
    for number in pages_of(whole)["leaf"][::2]:
        overwrite(broken, (number - 1) * PAGE, bytes(PAGE))
    before = values(whole)
    with pytest.raises(HostFault):
        values(broken)
    done = repair(broken, backup_path(broken))
    assert done.taken
    assert done.lost == ()
    assert values(broken) == before


def test_repaired_store_never_gives_a_revision_again(whole: Path, broken: Path) -> None:
    """F-09, I-02: a client that holds a lost revision is told to list anew."""
    overwrite(broken, (pages_of(whole)["leaf"][-1] - 1) * PAGE, bytes(PAGE))
    repair(broken, backup_path(broken))
    store = Store(broken, backup_seconds=0)
    assert store.revision > 1_000_000
    assert store.shelf("x/things").timeline.horizon == store.revision
    store.close()


def test_nothing_is_made_of_nothing(broken: Path) -> None:
    broken.write_bytes(b"not a database\n" * 2000)
    with pytest.raises(Absent, match="holds an object that can be read"):
        repair(broken, backup_path(broken))


def test_damaged_copy_is_not_restored(broken: Path) -> None:
    copy = broken.with_name("copy")
    copy.write_bytes(broken.read_bytes()[: 5 * PAGE])
    with pytest.raises(VirtdeckError, match="damaged"):
        restore(broken, copy)


def test_store_that_is_gone_is_not_replaced_by_an_empty_one(starter: Starter) -> None:
    """F-09; the guard is live: switched off, the server starts and has forgotten everything."""
    server = starter()
    server.api().made(CONFIGMAPS, {"metadata": {"name": "kept"}})
    server.kill()
    server.state.path("apiserver", "store.sqlite").unlink()
    ended = server.run_to_end()
    assert ended.returncode == 1
    assert "is gone" in ended.stderr
    assert "virtdeck store repair" in ended.stderr
    assert "Traceback" not in ended.stderr
    switch(server, "off:presence")
    server.start()
    assert server.api().get(f"{CONFIGMAPS}/kept").code == 404


@pytest.mark.parametrize("guarded", [True, False])
def test_store_deleted_while_open_takes_no_more_writes(starter: Starter, guarded: bool) -> None:
    """F-09: reads go on; without the guard a write is told to be stored and is not."""
    server = starter(*([] if guarded else ["off:same-file"]))
    api = server.api()
    api.made(CONFIGMAPS, {"metadata": {"name": "before"}})
    server.state.path("apiserver", "store.sqlite").unlink()
    answer = api.post(CONFIGMAPS, {"metadata": {"name": "after"}})
    assert answer.code == (500 if guarded else 201)
    if guarded:
        assert answer.body["kind"] == "Status"
        assert "was removed or replaced while it was open" in answer.body["message"]
        assert api.get(f"{CONFIGMAPS}/before").code == 200
        assert api.get(f"{CONFIGMAPS}/after").code == 404
