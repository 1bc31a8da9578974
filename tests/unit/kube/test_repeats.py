"""Repeats count up one event, and a storm is thinned out."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.there import there

from virtdeck.crds.core.event import ObjectReference
from virtdeck.kube.plans import EventNote
from virtdeck.kube.repeats import BURST, REFILL_SECONDS, SAME_FOR_SECONDS, Repeats

REFERENCE = ObjectReference(kind="VirtualMachine", namespace="ns", name="v", uid="u1")
NOTE = EventNote("Warning", "FailedCreate", "no room")


class MovedClock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


def test_a_repeat_counts_up_the_first(clock: MovedClock) -> None:
    repeats = Repeats(clock)
    first = there(repeats.count(REFERENCE, NOTE))
    clock.seconds = 5
    second = there(repeats.count(REFERENCE, NOTE))
    assert (second.name, second.count, second.first) == (first.name, 2, first.first)
    assert second.last == "2026-01-01T00:00:05Z"


def test_another_message_or_object_is_another_event(clock: MovedClock) -> None:
    repeats = Repeats(clock)
    first = there(repeats.count(REFERENCE, NOTE))
    other = there(repeats.count(REFERENCE, EventNote("Warning", "FailedCreate", "no quota")))
    foreign = there(repeats.count(ObjectReference(kind="Pod", name="p", uid="u2"), NOTE))
    assert len({first.name, other.name, foreign.name}) == 3
    assert foreign.namespace == "default"


def test_a_repeat_after_ten_minutes_is_a_new_event(clock: MovedClock) -> None:
    repeats = Repeats(clock)
    first = there(repeats.count(REFERENCE, NOTE))
    clock.seconds = SAME_FOR_SECONDS + 1
    assert there(repeats.count(REFERENCE, NOTE)).name != first.name


def test_one_object_cannot_flood_and_earns_events_back(clock: MovedClock) -> None:
    repeats = Repeats(clock)
    taken = [repeats.count(REFERENCE, EventNote("Normal", "R", str(n))) for n in range(BURST + 10)]
    assert sum(found is not None for found in taken) == BURST
    clock.seconds = REFILL_SECONDS
    assert repeats.count(REFERENCE, NOTE) is not None
    assert repeats.count(REFERENCE, NOTE) is None


def test_a_message_is_cut_to_what_kubernetes_takes(clock: MovedClock) -> None:
    counted = there(Repeats(clock).count(REFERENCE, EventNote("Normal", "R", "x" * 5000)))
    assert len(counted.note.message) == 1024
