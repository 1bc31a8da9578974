"""Positions in the past stay right while old events are dropped."""

from hypothesis import given
from hypothesis import strategies as st

from virtdeck.standalone.apiserver.storage.rows import encode_row
from virtdeck.standalone.apiserver.storage.timeline import Change, Event, Timeline


def timeline(events: int, dropped: int) -> Timeline:
    made = Timeline(0)
    for number in range(1, events + 1):
        row = encode_row(("", f"o{number}"), number, {"metadata": {}})
        made.append(Event(Change.ADDED, row, None))
    for _ in range(dropped):
        made.drop_oldest()
    return made


@given(st.integers(1, 700), st.integers(0, 699), st.integers(0, 800))
def test_events_after_a_revision_are_all_there_or_known_to_be_gone(
    events: int, dropped: int, since: int
) -> None:
    dropped = min(dropped, events)
    made = timeline(events, dropped)
    found = made.since(made.position_after(since), 10_000)
    assert found is not None
    assert [event.revision for event in found] == list(range(max(since, dropped) + 1, events + 1))
    assert made.horizon == dropped


def test_position_of_a_dropped_event_is_told() -> None:
    made = timeline(5, 0)
    position = made.position_after(1)
    made.drop_oldest()
    assert made.since(position, 10) is not None
    made.drop_oldest()
    assert made.since(position, 10) is None
