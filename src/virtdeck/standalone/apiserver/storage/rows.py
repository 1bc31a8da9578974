"""One stored object at one revision: its bytes, and the few facts that indexes need."""

import sys
from typing import Any

import orjson

Obj = dict[str, Any]
Key = tuple[str, str]  # namespace ("" for cluster-scoped objects), name

_NOTHING: tuple[str, ...] = ()
_NO_LABELS: dict[str, str] = {}


class Row:
    """An object as it was stored at ``revision``. Never changes: a write makes a new row."""

    __slots__ = ("api_version", "data", "key", "labels", "owners", "revision", "shown", "terminating", "uid")

    def __init__(self, key: Key, revision: int, data: bytes, obj: Obj) -> None:
        meta = obj["metadata"]
        self.key = key
        self.revision = revision
        self.data = data
        self.api_version: str = sys.intern(obj.get("apiVersion", ""))
        self.uid: str = meta.get("uid", "")
        self.labels: dict[str, str] = meta.get("labels") or _NO_LABELS
        owners = meta.get("ownerReferences")
        self.owners: tuple[str, ...] = tuple(owner.get("uid", "") for owner in owners) if owners else _NOTHING
        self.terminating = "deletionTimestamp" in meta
        # Of CRDs with a conversion webhook: the object in another version, by that and its CRD's generation.
        self.shown: dict[tuple[str, int], bytes] | None = None

    @property
    def namespace(self) -> str:
        return self.key[0]

    @property
    def name(self) -> str:
        return self.key[1]

    def decode(self) -> Obj:
        """A fresh copy of the object, free to change."""
        obj: Obj = orjson.loads(self.data)
        return obj


def moved_row(row: Row, revision: int) -> Row:
    """The same object at another revision."""
    made = encode_row(row.key, revision, row.decode())
    for mark, data in (row.shown or {}).items():
        obj = orjson.loads(data)
        obj["metadata"]["resourceVersion"] = str(revision)
        made.shown = {mark: orjson.dumps(obj)}
    return made


def encode_row(key: Key, revision: int, obj: Obj) -> Row:
    """The object as a row; its ``metadata.resourceVersion`` becomes ``revision``."""
    obj["metadata"]["resourceVersion"] = str(revision)
    # A copy, because orjson's own result keeps the room it grew to (16 KiB and more) for as long as it lives.
    return Row(key, revision, bytes(memoryview(orjson.dumps(obj))), obj)
