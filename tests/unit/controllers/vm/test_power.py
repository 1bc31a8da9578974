"""Every row of the run strategies' table: what happens to the guest."""

import pytest
from tests.unit.controllers.builders import at, kinds_of, ran, vm, vm_seen, vmi

from virtdeck.controllers.vm.decide import decide

STRATEGIES = ("Always", "RerunOnFailure", "Manual", "Halted", "Once")
STOP = {"action": "Stop", "uid": "vmi-1"}
START = {"action": "Start"}


def plan(strategy, found=None, requests=(), **status):
    status = {"stateChangeRequests": list(requests), **status} if requests else status
    return decide(vm_seen(vm(strategy, status=status), found))


@pytest.mark.parametrize(
    ("strategy", "status", "actions"),
    [
        ("Always", {}, ["StartVmi"]),
        ("RerunOnFailure", {}, ["StartVmi"]),
        ("RerunOnFailure", {"runStrategy": "Halted"}, ["StartVmi"]),
        ("RerunOnFailure", {"runStrategy": "RerunOnFailure"}, []),
        ("RerunOnFailure", {"runStrategy": "RerunOnFailure", "stateChangeRequests": [START]}, ["StartVmi"]),
        ("Manual", {}, []),
        ("Manual", {"stateChangeRequests": [START]}, ["StartVmi"]),
        ("Halted", {}, []),
        ("Halted", {"stateChangeRequests": [START]}, ["SwitchOn"]),
        ("Once", {}, ["StartVmi"]),
        ("WaitAsReceiver", {}, []),
    ],
)
def test_without_a_vmi(strategy, status, actions):
    assert kinds_of(plan(strategy, **status)) == actions


@pytest.mark.parametrize("phase", [None, "Pending", "Scheduling", "Scheduled", "Running"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_live_guest_is_only_ended_when_the_vm_is_halted(strategy, phase):
    assert kinds_of(plan(strategy, vmi(phase))) == (["DeleteVmi"] if strategy == "Halted" else [])


@pytest.mark.parametrize("phase", ["Pending", "Running"])
@pytest.mark.parametrize(
    ("strategy", "actions"),
    [
        ("Always", ["DeleteVmi"]),
        ("RerunOnFailure", ["DeleteVmi"]),
        ("Manual", ["DeleteVmi"]),
        ("Halted", ["DeleteVmi"]),
        ("Once", []),
    ],
)
def test_a_stop_request_for_just_this_guest(strategy, actions, phase):
    assert kinds_of(plan(strategy, vmi(phase), [STOP])) == actions


@pytest.mark.parametrize("strategy", ["Always", "RerunOnFailure", "Manual", "Once"])
def test_a_stop_request_for_a_former_guest_is_dropped(strategy):
    result = plan(strategy, ran("Running"), [{"action": "Stop", "uid": "former"}])
    assert kinds_of(result) == []
    assert result.wanted.status.state_change_requests is None


@pytest.mark.parametrize(
    ("strategy", "phase", "actions"),
    [
        ("Always", "Succeeded", ["DeleteVmi"]),
        ("Always", "Failed", ["DeleteVmi"]),
        ("RerunOnFailure", "Succeeded", ["DeleteVmi"]),
        ("RerunOnFailure", "Failed", []),
        ("Manual", "Succeeded", []),
        ("Manual", "Failed", []),
        ("Halted", "Succeeded", ["DeleteVmi"]),
        ("Halted", "Failed", ["DeleteVmi"]),
        ("Once", "Succeeded", []),
        ("Once", "Failed", []),
    ],
)
def test_a_guest_that_ended(strategy, phase, actions):
    assert kinds_of(plan(strategy, ran(phase))) == actions


def test_rerun_on_failure_stores_the_wish_to_start_before_it_deletes_the_failed_guest():
    first = plan("RerunOnFailure", ran("Failed"), runStrategy="RerunOnFailure")
    assert [r.action for r in first.wanted.status.state_change_requests] == ["Start"]
    second = plan("RerunOnFailure", ran("Failed"), [START], runStrategy="RerunOnFailure")
    assert kinds_of(second) == ["DeleteVmi"]
    third = plan("RerunOnFailure", None, [START], runStrategy="RerunOnFailure")
    assert kinds_of(third) == ["StartVmi"]


def test_rerun_on_failure_stays_off_after_the_guest_powered_off():
    assert kinds_of(plan("RerunOnFailure", ran("Succeeded"), runStrategy="RerunOnFailure")) == ["DeleteVmi"]
    assert kinds_of(plan("RerunOnFailure", None, runStrategy="RerunOnFailure")) == []


@pytest.mark.parametrize("strategy", ["Always", "RerunOnFailure", "Manual"])
def test_a_restart_is_a_stop_and_a_start_in_turn(strategy):
    status = {"runStrategy": strategy}
    restart = [STOP, START]
    stopping = plan(strategy, ran("Running"), restart, **status)
    assert kinds_of(stopping) == ["DeleteVmi"]
    assert len(stopping.wanted.status.state_change_requests) == 2
    waiting = plan(strategy, ran("Running", deleted=1), restart, **status)
    assert kinds_of(waiting) == []
    starting = plan(strategy, None, restart, **status)
    assert kinds_of(starting) == ["StartVmi"]
    started = plan(strategy, vmi("Pending", metadata={"uid": "vmi-2"}), restart, **status)
    assert kinds_of(started) == []
    assert started.wanted.status.state_change_requests is None


def test_a_start_that_was_asked_for_paused_starts_paused():
    result = plan("Manual", None, [{"action": "Start", "data": {"paused": "true"}}])
    assert result.actions[0].paused


@pytest.mark.parametrize(("running", "actions"), [(True, ["StartVmi"]), (False, [])])
def test_running_is_the_older_form_of_the_run_strategy(running, actions):
    assert kinds_of(decide(vm_seen(vm(None, spec={"running": running})))) == actions


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_guest_on_its_way_out_is_waited_for(strategy):
    assert kinds_of(plan(strategy, ran("Running", deleted=1), [START])) == []


def test_a_start_waits_for_the_back_off():
    failure = {"consecutiveFailCount": 2, "retryAfterTimestamp": at(40)}
    result = plan("Always", None, startFailure=failure)
    assert (kinds_of(result), result.again_after) == ([], 40)
    assert result.wanted.status.printable_status == "CrashLoopBackOff"


def test_an_unknown_strategy_is_a_failure_that_says_so():
    result = plan("Sometimes")
    failure = [c for c in result.wanted.status.conditions if c.type == "Failure"]
    assert "Sometimes" in failure[0].message


def test_a_stranger_by_the_vms_name_is_left_alone_and_told_of():
    result = decide(vm_seen(vm("Always"), stranger=True))
    assert kinds_of(result) == []
    assert [note.reason for note in result.events] == ["FailedCreate"]


def test_an_orphan_that_some_vm_made_is_adopted():
    assert kinds_of(decide(vm_seen(vm("Always"), orphan=vmi("Running")))) == ["AdoptVmi"]
