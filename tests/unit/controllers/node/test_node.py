"""A node whose virt-handler fell silent takes no new guests, and keeps those it has."""

from datetime import timedelta

import pytest
from tests.unit.controllers.builders import NOW, at, changed, reasons_of

from virtdeck.controllers.node.reconciler import RECHECK_SECONDS, Seen, decide
from virtdeck.controllers.silence import is_silent
from virtdeck.crds.codec import decode
from virtdeck.crds.core.node import Node


def node(heartbeat: str | None, schedulable: str = "true") -> Node:
    annotations = {"kubevirt.io/heartbeat": heartbeat} if heartbeat else {}
    labels = {"kubevirt.io/schedulable": schedulable, "disk": "fast"}
    return decode({"metadata": {"name": "n1", "labels": labels, "annotations": annotations}}, Node)


@pytest.mark.parametrize(
    ("heartbeat", "silent"),
    [
        (None, False),
        ("no time", False),
        (at(0), False),
        (at(-299), False),
        (at(-301), True),
        (f'"{at(-301)}"', True),
        (at(600), False),
    ],
)
def test_silence_is_five_minutes_without_a_heartbeat_of_one_that_spoke(
    heartbeat: str | None, silent: bool
) -> None:
    assert is_silent(node(heartbeat), NOW) is silent


def test_a_node_that_is_not_there_is_not_silent() -> None:
    assert not is_silent(None, NOW)


def test_a_silent_node_is_marked_once() -> None:
    found = node(at(-301))
    plan = decide(Seen(found, NOW))
    assert changed(plan, found) == {"metadata": {"labels": {"kubevirt.io/schedulable": "false"}}}
    assert reasons_of(plan) == ["NodeUnresponsive"]
    marked = decide(Seen(node(at(-301), "false"), NOW))
    assert (marked.wanted, marked.events) == (None, ())


def test_a_node_that_speaks_is_looked_at_again_each_minute() -> None:
    plan = decide(Seen(node(at(-10)), NOW))
    assert (plan.wanted, plan.again_after) == (None, RECHECK_SECONDS)
    later = decide(Seen(node(at(-10)), NOW + timedelta(minutes=6)))
    assert reasons_of(later) == ["NodeUnresponsive"]


def test_a_node_without_virt_handler_is_nobodys() -> None:
    assert decide(Seen(node(None), NOW)).again_after is None
