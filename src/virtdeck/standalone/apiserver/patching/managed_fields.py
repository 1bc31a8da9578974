"""Who owns which field. Ownership is kept from an object's first server-side apply on; before, it has none.

That is what Kubernetes does for objects older than server-side apply, and it spares every other object
twice its size.
"""

from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.patching.field_sets import (
    FieldSet,
    decode_fields,
    encode_fields,
    fields_in,
    value_at,
)
from virtdeck.standalone.apiserver.patching.shapes import shape_of
from virtdeck.standalone.apiserver.resources.resource import Resource

Obj = dict[str, Any]


@dataclass(frozen=True)
class Manager:
    """One owner. operation: Apply or Update."""

    name: str
    operation: str
    subresource: str = ""
    api_version: str = ""


@dataclass
class Owned:
    """What a manager owns and since when."""

    fields: FieldSet
    time: str


Ownership = dict[Manager, Owned]


def read_ownership(meta: Obj) -> Ownership:
    """The owners that an object's metadata names."""
    found: Ownership = {}
    for entry in meta.get("managedFields") or ():
        manager = Manager(
            entry.get("manager", ""),
            entry.get("operation", "Update"),
            entry.get("subresource", ""),
            entry.get("apiVersion", ""),
        )
        found[manager] = Owned(decode_fields(entry.get("fieldsV1")), entry.get("time", ""))
    return found


def write_ownership(meta: Obj, ownership: Ownership) -> None:
    """The metadata names these owners; those that own nothing are left out."""
    entries = []
    for manager, owned in ownership.items():
        if not owned.fields:
            continue
        entry = {
            "manager": manager.name,
            "operation": manager.operation,
            "apiVersion": manager.api_version,
            "time": owned.time,
            "fieldsType": "FieldsV1",
            "fieldsV1": encode_fields(owned.fields),
        }
        if manager.subresource:
            entry["subresource"] = manager.subresource
        entries.append(entry)
    if entries:
        meta["managedFields"] = entries
    else:
        meta.pop("managedFields", None)


def track_update(obj: Obj, old: Obj, manager: str, subresource: str, resource: Resource, now: str) -> None:
    """The writer of an update owns what it changed; what is gone is nobody's.

    A client that sends one empty entry means that ownership shall be forgotten.
    """
    meta, before = obj["metadata"], old["metadata"].get("managedFields")
    if not before or meta.get("managedFields") == [{}]:
        meta.pop("managedFields", None)
        return
    shape = shape_of(resource)
    new_fields, old_fields = fields_in(obj, shape), fields_in(old, shape)
    changed = {
        path
        for path in new_fields
        if path not in old_fields or value_at(obj, path, shape) != value_at(old, path, shape)
    }
    ownership = read_ownership(old["metadata"])
    gone = old_fields - new_fields
    if not changed and not gone:
        meta["managedFields"] = before
        return
    for owned in ownership.values():
        owned.fields -= gone | changed
    own = Manager(manager, "Update", subresource, resource.api_version)
    held = ownership.setdefault(own, Owned(set(), now))
    held.fields |= changed
    held.time = now
    write_ownership(meta, ownership)
