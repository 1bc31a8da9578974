"""Who owns which field of an object: kept from its first write on, as ``metadata.managedFields``."""

from dataclasses import dataclass, replace
from typing import Any

from virtdeck.standalone.apiserver.patching.field_sets import (
    EMPTY,
    FieldSet,
    compare,
    difference,
    union,
)
from virtdeck.standalone.apiserver.patching.shapes import shape_of
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of
from virtdeck.standalone.apiserver.schema.merging import always_there

Obj = dict[str, Any]

APPLY, UPDATE = "Apply", "Update"
_RESET: list[Obj] = [{}]  # what a client sends that wants ownership to be forgotten
# As kube-apiserver: beyond, the oldest updates become one entry.
_MOST_UPDATERS = 10
_OLD_UPDATES = "ancient-changes"
# What every object has or only the server writes is nobody's.
_UNOWNED = frozenset({"apiVersion", "kind"})
_UNOWNED_METADATA = frozenset(
    {
        "name",
        "namespace",
        "uid",
        "creationTimestamp",
        "generation",
        "managedFields",
        "resourceVersion",
        "selfLink",
    }
)


@dataclass(frozen=True)
class Manager:
    """One owner. operation: Apply or Update. An applier is the same one in every version."""

    name: str
    operation: str
    subresource: str = ""
    api_version: str = ""

    @property
    def identity(self) -> "Manager":
        return replace(self, api_version="") if self.operation == APPLY else self


@dataclass(frozen=True)
class Owned:
    """What a manager owns, and since when."""

    manager: Manager
    fields: FieldSet
    time: str = ""


Ownership = dict[Manager, Owned]  # by identity


@dataclass(frozen=True)
class Writer:
    """Who writes, through which version and subresource, and when."""

    name: str
    resource: Resource
    subresource: str
    now: str

    def manager(self, operation: str) -> Manager:
        return Manager(self.name, operation, self.subresource, self.resource.api_version)


def read_ownership(entries: Any) -> Ownership | None:
    """The owners that managedFields name; None if they are not well-formed."""
    found: Ownership = {}
    for entry in entries or ():
        fields = entry.get("fieldsV1")
        if entry.get("operation") not in (APPLY, UPDATE) or entry.get("fieldsType") != "FieldsV1":
            return None
        if not isinstance(fields, dict):
            return None
        manager = Manager(
            entry.get("manager") or "",
            entry["operation"],
            entry.get("subresource") or "",
            entry.get("apiVersion") or "",
        )
        found[manager.identity] = Owned(manager, fields, entry.get("time") or "")
    return found


def write_ownership(meta: Obj, ownership: Ownership) -> None:
    """The metadata names these owners in Kubernetes' order; those that own nothing are left out."""
    entries = [_entry(owned) for owned in _capped(ownership).values() if owned.fields]
    if entries:
        meta["managedFields"] = sorted(entries, key=_place)
    else:
        meta.pop("managedFields", None)


def _entry(owned: Owned) -> Obj:
    manager = owned.manager
    entry: Obj = {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": manager.api_version,
        "time": owned.time,
        "fieldsType": "FieldsV1",
        "fieldsV1": owned.fields,
        "subresource": manager.subresource,
    }
    return {name: value for name, value in entry.items() if value != ""}


def _place(entry: Obj) -> tuple[str, ...]:
    return tuple(
        entry.get(name, "") for name in ("operation", "time", "manager", "apiVersion", "subresource")
    )


def _capped(ownership: Ownership) -> Ownership:
    updaters = [owned for owned in ownership.values() if owned.manager.operation == UPDATE and owned.fields]
    extra = len(updaters) - _MOST_UPDATERS
    if extra <= 0:
        return ownership
    kept = dict(ownership)
    for owned in sorted(updaters, key=lambda one: (one.time, one.manager.name))[: extra + 1]:
        del kept[owned.manager]
        bucket = Manager(_OLD_UPDATES, UPDATE, "", owned.manager.api_version)
        before = kept.get(bucket, Owned(bucket, EMPTY))
        kept[bucket] = Owned(bucket, union(before.fields, owned.fields), owned.time)
    return kept


def tracked(obj: Obj, resource: Resource, subresource: str = "") -> Obj:
    """The part of the object that can have owners when it is written through this subresource."""
    kept = {name: value for name, value in obj.items() if name not in _UNOWNED}
    meta = obj.get("metadata") or {}
    kept["metadata"] = {name: value for name, value in meta.items() if name not in _UNOWNED_METADATA}
    if resource.rules.has_status:
        if subresource == "status":
            return {name: kept[name] for name in ("metadata", "status") if name in kept}
        kept.pop("status", None)
    return kept


def nothing_yet(resource: Resource) -> Obj:
    """The object before anybody wrote it."""
    if resource.is_custom:
        return {"metadata": {}}
    known = fields_of(resource.type_name)
    empty: Obj = {name: {} for name in ("metadata", "spec", "status") if name in known}
    return {**empty, **always_there(resource.type_name)}


def track_create(obj: Obj, writer: Writer) -> None:
    """The creator owns everything that is there, but for what the object's metadata gives to others."""
    given = read_ownership(obj["metadata"].pop("managedFields", None)) or {}
    changed, _gone = compare(
        nothing_yet(writer.resource), tracked(obj, writer.resource), shape_of(writer.resource)
    )
    write_ownership(obj["metadata"], _taken(given, changed or EMPTY, EMPTY, writer))


def track_update(obj: Obj, old: Obj, writer: Writer) -> None:
    """The writer owns what it changed and nobody what is gone.

    Managed fields that the writer sends are believed; one empty entry makes ownership be forgotten until the
    next apply. An object without any stays so.
    """
    meta, before = obj["metadata"], old["metadata"].get("managedFields")
    given = meta.pop("managedFields", None)
    if given == _RESET and not writer.subresource:
        return
    sent = read_ownership(given) if given and given != before and not writer.subresource else None
    ownership = sent or read_ownership(before)
    if not ownership:
        return
    resource = writer.resource
    changed, gone = compare(
        tracked(old, resource, writer.subresource),
        tracked(obj, resource, writer.subresource),
        shape_of(resource),
    )
    if changed is None and gone is None and not sent:
        meta["managedFields"] = before
        return
    write_ownership(meta, _taken(ownership, changed or EMPTY, gone or EMPTY, writer))


def _taken(ownership: Ownership, changed: FieldSet, gone: FieldSet, writer: Writer) -> Ownership:
    lost = union(changed, gone)
    left = {one: replace(owned, fields=difference(owned.fields, lost)) for one, owned in ownership.items()}
    if changed:
        manager = writer.manager(UPDATE)
        before = left.get(manager)
        fields = union(before.fields, changed) if before is not None else changed
        left[manager] = Owned(manager, fields, writer.now)
    return left


def is_unchanged(obj: Obj, old: Obj) -> bool:
    """Whether the two differ in nothing but the times of their managed fields."""
    if obj == old:
        return True
    meta, before = obj["metadata"], old["metadata"]
    if meta.get("managedFields") == before.get("managedFields"):
        return False
    return _timeless(obj) == _timeless(old)


def _timeless(obj: Obj) -> Obj:
    meta = obj["metadata"]
    entries = [{**entry, "time": ""} for entry in meta.get("managedFields") or ()]
    return {**obj, "metadata": {**meta, "managedFields": entries}}
