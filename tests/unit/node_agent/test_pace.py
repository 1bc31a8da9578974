"""A guest's own words are written, but not as fast as a guest can utter them."""

from datetime import timedelta

from tests.unit.node_agent.builders import NOW, UID, agent, connected, seen

from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.node_agent.vmi.actions import NoteReport
from virtdeck.node_agent.vmi.decide import decide
from virtdeck.node_agent.vmi.pace import REPORTS, WINDOW, guest_words_only, wait_seconds

OTHER = connected(agent=agent(os={"name": "other"}))
LATELY = tuple(NOW - timedelta(seconds=n) for n in range(REPORTS, 0, -1))


def running() -> VirtualMachineInstance:
    wanted = decide(seen(launcher=connected())).wanted
    assert wanted is not None
    return wanted


def test_the_first_reports_of_a_guest_are_written_at_once() -> None:
    plan = decide(seen(running(), OTHER))
    assert plan.actions == (NoteReport(UID),)
    assert plan.wanted is not None
    assert plan.wanted.status.guest_os_info is not None


def test_a_guest_that_goes_on_and_on_has_to_wait() -> None:
    plan = decide(seen(running(), OTHER, reports=LATELY))
    assert (plan.actions, plan.wanted) == ((), None)
    assert plan.again_after == WINDOW.total_seconds() - REPORTS


def test_what_is_not_the_guests_word_never_waits() -> None:
    plan = decide(seen(running(), connected("Paused", agent=agent()), reports=LATELY))
    assert plan.wanted is not None


def test_a_quiet_minute_makes_room_again() -> None:
    old = tuple(NOW - WINDOW - timedelta(seconds=n) for n in range(REPORTS))
    assert wait_seconds(old, NOW) == 0


def test_equal_states_are_no_report() -> None:
    status = running().status
    assert not guest_words_only(status, status)
