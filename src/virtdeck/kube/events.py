"""Records Kubernetes Events on objects, without ever holding up or flooding anyone."""

from collections import deque
from typing import Any

import anyio
import structlog

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.core.event import Event, EventSource, ObjectReference
from virtdeck.crds.meta import ObjectMeta
from virtdeck.kube.client import Client
from virtdeck.kube.objects import Kind, identity
from virtdeck.kube.plans import EventNote
from virtdeck.kube.repeats import Occurrence, Repeats

WAITING = 512  # events not yet written; beyond it the newest is dropped, and the log says so

_log = structlog.get_logger()


class EventRecorder:
    """Takes events at once and writes them while ``run`` runs; repeats count up one Event object."""

    def __init__(self, client: Client, clock: Clock, component: str, host: str = "") -> None:
        self._client = client
        self._component = component
        self._host = host
        self._repeats = Repeats(clock)
        self._waiting: deque[Occurrence] = deque()
        self._arrived = anyio.Event()

    def record(self, kind: Kind[Any], obj: Any, note: EventNote) -> None:
        """The event will be written; a storm on one object is thinned out."""
        who = identity(obj)
        reference = ObjectReference(
            api_version=kind.api_version,
            kind=kind.kind,
            name=who.key.name,
            namespace=who.key.namespace or None,
            uid=who.uid or None,
            resource_version=str(who.version) if who.version else None,
        )
        occurrence = self._repeats.count(reference, note)
        if occurrence is None:
            return
        if len(self._waiting) >= WAITING:
            _log.warning("event_dropped", reason=note.reason, object=str(who.key))
            return
        self._waiting.append(occurrence)
        self._arrived.set()

    async def run(self) -> None:
        """Writes events until cancelled, in order; one that cannot be written is logged and left."""
        while True:
            while not self._waiting:
                self._arrived = anyio.Event()
                await self._arrived.wait()
            occurrence = self._waiting.popleft()
            try:
                await self._write(occurrence)
            except VirtdeckError as fault:
                _log.warning("event_lost", reason=occurrence.note.reason, problem=fault.message)

    async def _write(self, occurrence: Occurrence) -> None:
        if occurrence.count > 1:
            try:
                patch = {"count": occurrence.count, "lastTimestamp": occurrence.last}
                await self._client.merge_patch(kinds.EVENT, occurrence.name, occurrence.namespace, patch)
                return
            except Absent:
                pass  # the server has aged the first one out
        await self._client.create(kinds.EVENT, self._event(occurrence), occurrence.namespace)

    def _event(self, occurrence: Occurrence) -> Event:
        note = occurrence.note
        return Event(
            api_version=kinds.EVENT.api_version,
            kind=kinds.EVENT.kind,
            metadata=ObjectMeta(name=occurrence.name, namespace=occurrence.namespace),
            involved_object=occurrence.reference,
            type=note.type,
            reason=note.reason,
            message=note.message,
            source=EventSource(component=self._component, host=self._host or None),
            first_timestamp=occurrence.first,
            last_timestamp=occurrence.last,
            count=occurrence.count,
            reporting_component=self._component,
            reporting_instance=self._host or None,
        )
