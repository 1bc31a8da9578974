"""Conditions: one answer a type."""

from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import drop_conditions, holds, set_condition

READY = Condition(type="Ready", status="True", last_transition_time="t0")


def test_the_transition_time_is_kept_while_the_status_is() -> None:
    same = set_condition((READY,), Condition(type="Ready", status="True", reason="Other"), "t1")
    assert same == (Condition(type="Ready", status="True", reason="Other", last_transition_time="t0"),)
    turned = set_condition((READY,), Condition(type="Ready", status="False"), "t1")
    assert turned[0].last_transition_time == "t1"


def test_a_given_transition_time_wins() -> None:
    given = Condition(type="Ready", status="True", last_transition_time="t9")
    assert set_condition((READY,), given, "t1") == (given,)


def test_other_conditions_keep_their_place() -> None:
    others = (Condition(type="A", status="True"), READY, Condition(type="B", status="True"))
    assert [c.type for c in set_condition(others, READY, "t")] == ["A", "Ready", "B"]
    assert [c.type for c in drop_conditions(others, ("Ready",)) or ()] == ["A", "B"]


def test_nothing_stays_nothing() -> None:
    assert drop_conditions(None, ("Ready",)) is None
    assert not holds(None, "Ready")
