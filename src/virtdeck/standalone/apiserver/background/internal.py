"""Writes that the server makes by itself: past admission, with the same care for concurrent writers."""

from collections.abc import Callable
from typing import Any

from virtdeck.basis.errors import Conflict
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.pipeline import is_finished

Obj = dict[str, Any]

_TRIES = 10


async def change(store: Store, shelf: Shelf, row: Row, edit: Callable[[Obj], None]) -> None:
    """The object, if it is still the same one, is as ``edit`` makes it; gone, if nothing holds it any more.

    Raises: Conflict after many tries, Unready, HostFault.
    """
    for _ in range(_TRIES):
        latest = store.latest(shelf, row.key)
        if latest is None or latest.uid != row.uid:
            return
        obj, before = latest.decode(), latest.decode()
        edit(obj)
        try:
            if is_finished(obj):
                await store.remove(shelf, latest, obj)
            elif obj != before:
                await store.put(shelf, row.key, obj, latest)
        except Conflict:
            continue
        return
    raise Conflict(f"{shelf.resource} {row.key} changes faster than it can be written")


def without_finalizer(name: str) -> Callable[[Obj], None]:
    """An edit that takes one finalizer away."""

    def edit(obj: Obj) -> None:
        meta = obj["metadata"]
        kept = [one for one in meta.get("finalizers") or () if one != name]
        if kept:
            meta["finalizers"] = kept
        else:
            meta.pop("finalizers", None)

    return edit
