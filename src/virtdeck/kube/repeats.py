"""Which events are repeats of one another, and which are too many; pure but for the clock."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.crds.core.event import ObjectReference
from virtdeck.kube.plans import EventNote

K = TypeVar("K")
V = TypeVar("V")

SAME_FOR_SECONDS = 600.0  # a repeat within ten minutes counts up the former event
BURST = 25  # events that one object may cause at once …
REFILL_SECONDS = 60.0  # … and how long each further one takes to earn
REMEMBERED = 2048  # events and objects; the ones not seen for longest are forgotten
MAX_MESSAGE = 1024  # characters that Kubernetes lets an event's message have


@dataclass(frozen=True)
class Occurrence:
    """An event to be written: a new one, or one more ``count`` of the one by that name."""

    name: str
    namespace: str
    reference: ObjectReference
    note: EventNote
    first: str
    last: str
    count: int


class Repeats:
    """Remembers what was recorded lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[tuple[str, EventNote], tuple[float, Occurrence]] = OrderedDict()
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def count(self, reference: ObjectReference, note: EventNote) -> Occurrence | None:
        """The event to write; None when its object has caused too many."""
        note = EventNote(note.type, note.reason, note.message[:MAX_MESSAGE])
        owner = reference.uid or f"{reference.kind}/{reference.namespace}/{reference.name}"
        if not self._allowed(owner):
            return None
        now, stamp = self._clock.monotonic(), rfc3339(self._clock.now())
        seen, former = self._known.pop((owner, note), (0.0, None))
        if former is None or now - seen > SAME_FOR_SECONDS:
            name = f"{(reference.name or '')[:200]}.{secrets.token_hex(8)}"
            occurrence = Occurrence(name, reference.namespace or "default", reference, note, stamp, stamp, 1)
        else:
            occurrence = Occurrence(
                former.name, former.namespace, reference, note, former.first, stamp, former.count + 1
            )
        _remember(self._known, (owner, note), (now, occurrence))
        return occurrence

    def _allowed(self, owner: str) -> bool:
        """A token bucket an object."""
        now = self._clock.monotonic()
        spent, since = self._spent.pop(owner, (0.0, now))
        spent = max(0.0, spent - (now - since) / REFILL_SECONDS)
        allowed = spent <= BURST - 1
        _remember(self._spent, owner, (spent + 1 if allowed else spent, now))
        return allowed


def _remember(table: OrderedDict[K, V], key: K, value: V) -> None:
    table[key] = value
    while len(table) > REMEMBERED:
        table.popitem(last=False)
