"""Reads the stream of a watch: one JSON event a line, of any length up to a bound."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import msgspec

from virtdeck.basis.errors import Bug, Unready
from virtdeck.kube.errors import Status, error_from_status
from virtdeck.kube.objects import Kind, decode_object

T = TypeVar("T")

MAX_EVENT_BYTES = 16 * 1024 * 1024  # ten times the largest object a store takes

EventType = Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]


@dataclass(frozen=True)
class WatchEvent(Generic[T]):
    """One change of one object; a BOOKMARK has no object and only moves ``resource_version`` on."""

    type: EventType
    resource_version: str
    object: T | None


class _Envelope(msgspec.Struct):
    type: str
    object: msgspec.Raw


class _Meta(msgspec.Struct, rename="camel"):
    resource_version: str = ""


class _Versioned(msgspec.Struct):
    metadata: _Meta


_ENVELOPE = msgspec.json.Decoder(_Envelope)
_VERSIONED = msgspec.json.Decoder(_Versioned)
_STATUS = msgspec.json.Decoder(Status)
_CHANGES: dict[str, EventType] = {"ADDED": "ADDED", "MODIFIED": "MODIFIED", "DELETED": "DELETED"}


def parse_event(line: bytes, kind: Kind[T]) -> WatchEvent[T]:
    """The event in this line.

    Raises: what an ERROR event's Status names (Expired for 410); Bug for what is no event.
    """
    try:
        envelope = _ENVELOPE.decode(line)
        if envelope.type == "ERROR":
            raise error_from_status(_STATUS.decode(envelope.object))
        version = _VERSIONED.decode(envelope.object).metadata.resource_version
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Bug(
            f"the watch of {kind.plural} sent what is no event: {fault}", reason="UndecodableEvent"
        ) from fault
    if envelope.type == "BOOKMARK":
        return WatchEvent("BOOKMARK", version, None)
    change = _CHANGES.get(envelope.type)
    if change is None:
        raise Bug(f"the watch of {kind.plural} sent {envelope.type!r}", reason="UndecodableEvent")
    return WatchEvent(change, version, decode_object(kind, envelope.object))


async def lines(chunks: AsyncIterator[bytes], limit: int = MAX_EVENT_BYTES) -> AsyncIterator[bytes]:
    """The stream's whole lines; what stands after the last line break is dropped.

    Raises: Unready when a line outgrows the bound.
    """
    rest = bytearray()
    async for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            rest += chunk[start:end]
            start = end + 1
            if rest.strip():
                yield bytes(rest)
            rest.clear()
        rest += chunk[start:]
        if len(rest) > limit:
            raise Unready("the watch sent an event larger than any object", reason="WatchEventTooLarge")


class ListEnvelope(msgspec.Struct):
    """A list answer, its items left as bytes."""

    metadata: "ListMeta"
    items: list[msgspec.Raw] | None = None


class ListMeta(msgspec.Struct, rename="camel"):
    resource_version: str = ""
    continue_: str = msgspec.field(name="continue", default="")


def parse_list(body: bytes, kind: Kind[Any]) -> ListEnvelope:
    """The list's metadata and items. Raises: Bug for what is no list."""
    try:
        return msgspec.json.decode(body, type=ListEnvelope)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Bug(f"the list of {kind.plural} cannot be read: {fault}", reason="UndecodableList") from fault
