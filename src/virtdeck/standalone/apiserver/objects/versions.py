"""Objects between the version they are stored in and the one they are asked for in."""

import orjson

from virtdeck.standalone.apiserver.problems import internal
from virtdeck.standalone.apiserver.resources.resource import Conversion, Obj, Resource
from virtdeck.standalone.apiserver.storage.rows import Row

# core/v1 Event's field to that of events.k8s.io/v1.
_EVENT_FIELDS = {
    "message": "note",
    "involvedObject": "regarding",
    "source": "deprecatedSource",
    "firstTimestamp": "deprecatedFirstTimestamp",
    "lastTimestamp": "deprecatedLastTimestamp",
    "count": "deprecatedCount",
    "reportingComponent": "reportingController",
}
_EVENT_FIELDS_BACK = {new: old for old, new in _EVENT_FIELDS.items()}


def to_stored(obj: Obj, resource: Resource) -> Obj:
    """The object as it is stored."""
    if resource.group == "events.k8s.io":
        obj = {_EVENT_FIELDS_BACK.get(name, name): value for name, value in obj.items()}
    return {**obj, "apiVersion": resource.stored_api_version, "kind": resource.kind}


def to_served(obj: Obj, resource: Resource) -> Obj:
    """A stored object as this resource shows it."""
    if resource.group == "events.k8s.io" and obj.get("apiVersion") != resource.api_version:
        obj = {_EVENT_FIELDS.get(name, name): value for name, value in obj.items()}
    return {**obj, "apiVersion": resource.api_version, "kind": resource.kind}


def between(obj: Obj, given: Resource, wanted: Resource) -> Obj:
    """An object that one resource shows, as another one of the same kind shows it."""
    if given is wanted:
        return obj
    return to_served(to_stored(obj, given), wanted)


def serve(row: Row, resource: Resource) -> bytes:
    """The row's object as this resource shows it, as JSON; the stored bytes when they are that already."""
    if row.api_version == resource.api_version:
        return row.data
    if resource.conversion is not None:
        return _converted(row, resource.conversion, resource.api_version)
    return orjson.dumps(to_served(row.decode(), resource))


def decode(row: Row, resource: Resource) -> Obj:
    """A fresh copy of the row's object as this resource shows it."""
    if resource.conversion is not None and row.api_version != resource.api_version:
        obj: Obj = orjson.loads(_converted(row, resource.conversion, resource.api_version))
        return obj
    return to_served(row.decode(), resource)


def is_ready(row: Row, resource: Resource) -> bool:
    """Whether the row can be shown as this resource shows it, without asking a webhook first."""
    if resource.conversion is None or row.api_version == resource.api_version:
        return True
    return (resource.api_version, resource.conversion.generation) in (row.shown or {})


def _converted(row: Row, conversion: Conversion, api_version: str) -> bytes:
    """What the CRD's webhook made of the row; it must have been asked before."""
    found = (row.shown or {}).get((api_version, conversion.generation))
    if found is None:
        raise internal(f"{row.namespace}/{row.name} has not been converted to {api_version}")
    return found
