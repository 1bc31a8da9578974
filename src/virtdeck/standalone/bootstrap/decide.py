"""What has to be done so that an object is as the installation wants it (pure)."""

from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.wanted import contains

Object = dict[str, Any]

# Users change these, so they are made once and then left alone.
CREATED_ONLY = frozenset({"KubeVirt", "Namespace"})


@dataclass(frozen=True)
class Create:
    """The object is not there."""

    obj: Object


@dataclass(frozen=True)
class Replace:
    """The object is there and differs; everything the server or others added stays."""

    obj: Object


def decide(wanted: Object, found: Object | None) -> Create | Replace | None:
    """The one write that is needed, None when nothing is."""
    if found is None:
        return Create(wanted)
    if wanted["kind"] in CREATED_ONLY or contains(found, wanted):
        return None
    return Replace(overlay(found, wanted))


def overlay(found: Object, wanted: Object) -> Object:
    """The wanted object with the server's metadata, and others' labels and annotations, kept."""
    metadata = dict(found["metadata"])
    for key, value in wanted["metadata"].items():
        metadata[key] = {**metadata.get(key, {}), **value} if isinstance(value, dict) else value
    kept = {key: found[key] for key in ("status",) if key in found}
    return {**wanted, **kept, "metadata": metadata}
