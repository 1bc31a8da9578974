"""What a decision says: actions, the object as it should look, events, and when to look again."""

from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from virtdeck.basis.errors import VirtdeckError
from virtdeck.kube.objects import Key

A = TypeVar("A")
Obj = TypeVar("Obj")
S = TypeVar("S")

EventType = Literal["Normal", "Warning"]


@dataclass(frozen=True)
class EventNote:
    """One event to record on the object; decisions make one only when something turned."""

    type: EventType
    reason: str
    message: str


@dataclass(frozen=True)
class Plan(Generic[A, Obj]):
    """Actions, then one write of what differs in ``wanted``; events once that is done which they tell of.

    wanted: the whole object with this component's own fields as they should be; None leaves it alone.
    again_after: seconds until the next look, if nothing happens before.
    """

    actions: tuple[A, ...] = ()
    wanted: Obj | None = None
    events: tuple[EventNote, ...] = ()
    again_after: float | None = None


class Reconciler(Protocol[S, A, Obj]):
    """One kind's decisions and the hands that carry them out."""

    def observe(self, key: Key) -> S | None:
        """All that the decision needs, from caches; None when there is nothing to do."""

    def subject(self, seen: S) -> Obj:
        """The object that the observation is about."""

    def decide(self, seen: S) -> Plan[A, Obj]:
        """Pure: what to do."""

    def decide_failure(self, seen: S, action: A, error: VirtdeckError) -> Plan[A, Obj]:
        """Pure: how the object tells that this action failed; its actions are not carried out."""

    async def act(self, action: A) -> None:
        """The action is carried out, or an error says why not."""
