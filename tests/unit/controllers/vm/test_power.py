"""Every row of the run strategies' table: what happens to the guest."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.unit.controllers.builders import at, kinds_of, ran, vm, vm_seen, vmi
from tests.unit.there import there

from virtdeck.controllers.vm.decide import decide
from virtdeck.controllers.vm.observed import Action, StartVmi
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.plans import Plan

STRATEGIES = ("Always", "RerunOnFailure", "Manual", "Halted", "Once")
STOP = {"action": "Stop", "uid": "vmi-1"}
START = {"action": "Start"}


def plan(
    strategy: str,
    found: VirtualMachineInstance | None = None,
    requests: Sequence[dict[str, Any]] = (),
    **status: Any,
) -> Plan[Action, VirtualMachine]:
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
def test_without_a_vmi(strategy: str, status: dict[str, Any], actions: list[str]) -> None:
    assert kinds_of(plan(strategy, **status)) == actions


@pytest.mark.parametrize("phase", [None, "Pending", "Scheduling", "Scheduled", "Running"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_live_guest_is_only_ended_when_the_vm_is_halted(strategy: str, phase: str | None) -> None:
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
def test_a_stop_request_for_just_this_guest(strategy: str, actions: list[str], phase: str | None) -> None:
    assert kinds_of(plan(strategy, vmi(phase), [STOP])) == actions


@pytest.mark.parametrize("strategy", ["Always", "RerunOnFailure", "Manual", "Once"])
def test_a_stop_request_for_a_former_guest_is_dropped(strategy: str) -> None:
    result = plan(strategy, ran("Running"), [{"action": "Stop", "uid": "former"}])
    assert kinds_of(result) == []
    assert there(result.wanted).status.state_change_requests is None


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
def test_a_guest_that_ended(strategy: str, phase: str, actions: list[str]) -> None:
    assert kinds_of(plan(strategy, ran(phase))) == actions


def test_rerun_on_failure_stores_the_wish_to_start_before_it_deletes_the_failed_guest() -> None:
    first = plan("RerunOnFailure", ran("Failed"), runStrategy="RerunOnFailure")
    assert [r.action for r in there(there(first.wanted).status.state_change_requests)] == ["Start"]
    second = plan("RerunOnFailure", ran("Failed"), [START], runStrategy="RerunOnFailure")
    assert kinds_of(second) == ["DeleteVmi"]
    third = plan("RerunOnFailure", None, [START], runStrategy="RerunOnFailure")
    assert kinds_of(third) == ["StartVmi"]


def test_rerun_on_failure_stays_off_after_the_guest_powered_off() -> None:
    assert kinds_of(plan("RerunOnFailure", ran("Succeeded"), runStrategy="RerunOnFailure")) == ["DeleteVmi"]
    assert kinds_of(plan("RerunOnFailure", None, runStrategy="RerunOnFailure")) == []


@pytest.mark.parametrize("strategy", ["Always", "RerunOnFailure", "Manual"])
def test_a_restart_is_a_stop_and_a_start_in_turn(strategy: str) -> None:
    status = {"runStrategy": strategy}
    restart = [STOP, START]
    stopping = plan(strategy, ran("Running"), restart, **status)
    assert kinds_of(stopping) == ["DeleteVmi"]
    assert len(there(there(stopping.wanted).status.state_change_requests)) == 2
    waiting = plan(strategy, ran("Running", deleted=1), restart, **status)
    assert kinds_of(waiting) == []
    starting = plan(strategy, None, restart, **status)
    assert kinds_of(starting) == ["StartVmi"]
    started = plan(strategy, vmi("Pending", metadata={"uid": "vmi-2"}), restart, **status)
    assert kinds_of(started) == []
    assert there(started.wanted).status.state_change_requests is None


def test_a_start_that_was_asked_for_paused_starts_paused() -> None:
    result = plan("Manual", None, [{"action": "Start", "data": {"paused": "true"}}])
    (start,) = result.actions
    assert isinstance(start, StartVmi)
    assert start.paused


@pytest.mark.parametrize(("running", "actions"), [(True, ["StartVmi"]), (False, [])])
def test_running_is_the_older_form_of_the_run_strategy(running: bool, actions: list[str]) -> None:
    assert kinds_of(decide(vm_seen(vm(None, spec={"running": running})))) == actions


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_guest_on_its_way_out_is_waited_for(strategy: str) -> None:
    assert kinds_of(plan(strategy, ran("Running", deleted=1), [START])) == []


def test_a_start_waits_for_the_back_off() -> None:
    failure = {"consecutiveFailCount": 2, "retryAfterTimestamp": at(40)}
    result = plan("Always", None, startFailure=failure)
    assert (kinds_of(result), result.again_after) == ([], 40)
    assert there(result.wanted).status.printable_status == "CrashLoopBackOff"


def test_an_unknown_strategy_is_a_failure_that_says_so() -> None:
    result = plan("Sometimes")
    failure = [c for c in there(there(result.wanted).status.conditions) if c.type == "Failure"]
    assert "Sometimes" in (failure[0].message or "")


def test_a_stranger_by_the_vms_name_is_left_alone_and_told_of() -> None:
    result = decide(vm_seen(vm("Always"), stranger=True))
    assert kinds_of(result) == []
    assert [note.reason for note in result.events] == ["FailedCreate"]


def test_an_orphan_that_some_vm_made_is_adopted() -> None:
    assert kinds_of(decide(vm_seen(vm("Always"), orphan=vmi("Running")))) == ["AdoptVmi"]
