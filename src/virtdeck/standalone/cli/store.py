"""``virtdeck store``: the API server's data: is it whole, copy it, bring it back."""

import argparse
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from virtdeck.basis.errors import Absent, Conflict, HostFault
from virtdeck.standalone.apiserver.storage.backup import back_up, backup_path, verify
from virtdeck.standalone.apiserver.storage.database import damage_told, open_database
from virtdeck.standalone.apiserver.storage.entries import read_entries
from virtdeck.standalone.apiserver.storage.repair import Place, repair, restore
from virtdeck.standalone.cli.words import answer, say
from virtdeck.standalone.state import StateFolder, held_lock


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command an action."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("check", help="say whether the stored objects and their copy are whole")
    backup = actions.add_parser("backup", help="write a verified copy of all objects to a file")
    backup.add_argument("file", type=Path, metavar="FILE")
    back = actions.add_parser("restore", help="go back to a copy; virtdeck must be stopped")
    back.add_argument("file", type=Path, metavar="FILE", nargs="?", help="default: the newest automatic copy")
    actions.add_parser("repair", help="keep what a damaged store still holds; virtdeck must be stopped")


def run(options: argparse.Namespace) -> int:
    """Exit code 0 when it was done, or the store is whole."""
    state = StateFolder(options.state.absolute())
    if not state.path("apiserver").exists():
        raise Absent(f"no instance was ever started with the state folder {options.state}")
    actions: dict[str, Callable[[StateFolder, argparse.Namespace], int]] = {
        "check": _check,
        "backup": _backup,
        "restore": _restore,
        "repair": _repair,
    }
    with held_lock(state):
        return actions[options.action](state, options)


def store_path(state: StateFolder) -> Path:
    """Where the objects are."""
    return state.path("apiserver", "store.sqlite")


def _check(state: StateFolder, _options: argparse.Namespace) -> int:
    store = store_path(state)
    if is_open(store):
        answer("The store is open: the running server checked it when it started.")
    else:
        with damage_told(store):
            connection = open_database(store)
            count = sum(1 for _ in read_entries(connection))
            connection.close()
        answer(f"The store is whole: {count} lines.")
    copy = backup_path(store)
    if copy.exists():
        _verified(copy)
        answer(f"The copy {copy} is whole, {_age(copy)} old.")
    else:
        answer("There is no copy yet: the running server makes one every five minutes while things change.")
    return 0


def _backup(state: StateFolder, options: argparse.Namespace) -> int:
    store, target = store_path(state), options.file.absolute()
    if target.exists():
        raise Conflict(f"{target} is there already; name a new file")
    copy = backup_path(store)
    if is_open(store):
        if not copy.exists():
            raise Absent("the running server has not made its first copy yet; try again in a minute")
        _verified(copy)
        age = _age(copy)
        shutil.copyfile(copy, target)
    else:
        connection = open_database(store)
        for _ in back_up(connection, target):
            pass
        connection.close()
        age = "0 s"
    target.chmod(0o600)
    answer(f"{target} holds all objects as they were {age} ago.")
    return 0


def _restore(state: StateFolder, options: argparse.Namespace) -> int:
    store = store_path(state)
    _require_closed(store)
    copy = options.file.absolute() if options.file else backup_path(store)
    aside = restore(store, copy)
    answer(f"The store is what {copy} holds. What was there before is in {aside}.")
    return 0


def _repair(state: StateFolder, _options: argparse.Namespace) -> int:
    store = store_path(state)
    _require_closed(store)
    done = repair(store, backup_path(store))
    answer(f"{done.kept} objects were kept. The damaged file is in {done.damaged}.")
    _name("as they were in the copy", done.taken)
    _name("lost", done.lost)
    if done.lost:
        say("What was lost must be created again; the damaged file may still be of use to an expert.")
    return 0


def _name(what: str, places: tuple[Place, ...]) -> None:
    if places:
        answer(f"{len(places)} {what}:")
    for resource, namespace, name in places:
        answer(f"  {resource.lstrip('/')} {namespace + '/' if namespace else ''}{name}")


def is_open(store: Path) -> bool:
    """Whether a running server has the store."""
    if not store.exists():
        return False
    probe = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        probe.pragma("locking_mode", "exclusive")
        probe.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except (apsw.BusyError, apsw.LockedError):
        return True
    except apsw.Error:  # damaged is not open
        return False
    finally:
        probe.close()
    return False


def _require_closed(store: Path) -> None:
    if is_open(store):
        raise Conflict(
            "virtdeck is running with this store; run 'virtdeck down' first; machines run on meanwhile"
        )


def _verified(copy: Path) -> None:
    try:
        for _ in verify(copy):
            pass
    except (apsw.Error, HostFault) as fault:
        raise HostFault(f"the copy {copy} is damaged: {fault}", "StorageDamaged") from fault


def _age(copy: Path) -> str:
    seconds = max(0, int(time.time() - copy.stat().st_mtime))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"
