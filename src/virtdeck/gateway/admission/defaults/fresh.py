"""What defaults need from the world: the time and new ids."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from virtdeck.basis.clock import Clock, rfc3339


@dataclass(frozen=True)
class Fresh:
    """now: as Kubernetes writes times. new_id: a UUID that nobody has."""

    now: str
    new_id: Callable[[], str] = lambda: str(uuid.uuid4())


def fresh(clock: Clock) -> Fresh:
    """This moment, and random ids."""
    return Fresh(rfc3339(clock.now()))
