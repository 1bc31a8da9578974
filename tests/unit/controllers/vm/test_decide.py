"""What a VM's status says, and what is done beside power."""

from typing import Any

import pytest
from tests.unit.controllers.builders import (
    SPEC,
    at,
    changed,
    kinds_of,
    ran,
    reasons_of,
    vm,
    vm_seen,
    vmi,
)
from tests.unit.there import there

from virtdeck.basis.errors import Refused, Unready
from virtdeck.controllers.vm.decide import decide, decide_failure
from virtdeck.controllers.vm.observed import Action, Seen, StampGeneration
from virtdeck.controllers.vm.revision import render_revision, revision_facts
from virtdeck.crds.codec import to_dict
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import find_condition
from virtdeck.kube.plans import Plan

REVISION = {"virtualMachineRevisionName": "revision-start-vm-vm-1-3"}
BOTH = ["kubevirt.io/foregroundDeleteVirtualMachine", "kubevirt.io/virtualMachineControllerFinalize"]


def condition(plan: Plan[Action, VirtualMachine], type_: str) -> Condition:
    return there(find_condition(there(plan.wanted).status.conditions, type_))


def settled(
    strategy: str = "Always", found: VirtualMachineInstance | None = None, **over: Any
) -> VirtualMachine:
    """The VM after its own plan was written."""
    first = vm(strategy, **over)
    return there(decide(vm_seen(first, found)).wanted)


def facts(of: VirtualMachine) -> tuple[ControllerRevision, ...]:
    return (revision_facts(render_revision(of)),)


# ---- status


def test_a_new_vm_gets_its_finalizer_and_starts() -> None:
    found = vm("Always", metadata={"finalizers": []})
    plan = decide(vm_seen(found))
    patch = changed(plan, found)
    assert patch["metadata"] == {"finalizers": ["kubevirt.io/virtualMachineControllerFinalize"]}
    assert patch["status"]["printableStatus"] == "Starting"
    assert (kinds_of(plan), reasons_of(plan)) == (["StartVmi"], ["SuccessfulCreate"])
    assert there(plan.wanted).status.run_strategy is None


def test_a_running_guest_is_shown() -> None:
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": at(-5)}
    agent = {"type": "AgentConnected", "status": "True", "lastTransitionTime": at(-4)}
    status = there(decide(vm_seen(vm(), ran("Running", conditions=[ready, agent]))).wanted).status
    assert (status.created, status.ready, status.printable_status) == (True, True, "Running")
    assert status.run_strategy == "Always"
    assert {c.type: c.last_transition_time for c in there(status.conditions)} == {
        "Ready": at(-5),
        "AgentConnected": at(-4),
    }


def test_what_was_mirrored_goes_with_the_guest() -> None:
    mirrored = [{"type": "AgentConnected", "status": "True"}, {"type": "Paused", "status": "True"}]
    plan = decide(vm_seen(vm("Halted", status={"conditions": mirrored, "created": True, "ready": True})))
    status = there(plan.wanted).status
    assert [(c.type, c.reason) for c in there(status.conditions)] == [("Ready", "VMINotExists")]
    assert (status.created, status.ready) == (None, None)


def test_a_guest_without_a_ready_condition_is_not_ready() -> None:
    assert condition(decide(vm_seen(vm(), vmi("Pending"))), "Ready").reason == "VMIConditionMissing"


def test_volumes_say_that_they_cannot_be_snapshotted() -> None:
    volumes = [
        {"name": "root", "containerDisk": {"image": "x"}},
        {"name": "data", "dataVolume": {"name": "d"}},
    ]
    found = vm("Halted", template={"spec": {**SPEC, "volumes": volumes}})
    shown = there(there(decide(vm_seen(found)).wanted).status.volume_snapshot_statuses)
    assert [(s.name, s.enabled) for s in shown] == [("root", False), ("data", False)]


@pytest.mark.parametrize("strategy", ["Always", "RerunOnFailure", "Manual", "Halted", "Once"])
@pytest.mark.parametrize("phase", [None, "Pending", "Scheduled", "Running", "Succeeded", "Failed"])
def test_a_vm_whose_status_was_written_is_left_in_peace(strategy: str, phase: str | None) -> None:
    found = vmi(phase)
    once = settled(strategy, found)
    again = decide(vm_seen(once, found))
    assert changed(again, once) == {} or strategy == "RerunOnFailure"
    if strategy == "RerunOnFailure":
        assert changed(decide(vm_seen(there(again.wanted), found)), again.wanted) == {}


# ---- failures


def test_a_start_that_fails_is_told_once_and_forgotten_when_it_succeeds() -> None:
    found = vm()
    start = decide(vm_seen(found)).actions[0]
    plan = decide_failure(vm_seen(found), start, Refused("exceeded quota"))
    shown = condition(plan, "Failure")
    assert (shown.reason, "exceeded quota" in (shown.message or "")) == ("FailedCreate", True)
    assert reasons_of(plan) == ["FailedCreate"]
    again = decide_failure(vm_seen(there(plan.wanted)), start, Refused("exceeded quota"))
    assert reasons_of(again) == []
    assert (
        find_condition(there(decide(vm_seen(there(plan.wanted))).wanted).status.conditions, "Failure") is None
    )


def test_a_start_that_failed_stays_owed() -> None:
    found = vm("RerunOnFailure", status={"runStrategy": "Halted"})
    start = decide(vm_seen(found)).actions[0]
    plan = decide_failure(vm_seen(found), start, Refused("no"))
    assert kinds_of(decide(vm_seen(there(plan.wanted)))) == ["StartVmi"]


def test_a_stop_that_fails_is_told() -> None:
    found = vm("Halted")
    stop = decide(vm_seen(found, vmi("Running"))).actions[0]
    assert reasons_of(decide_failure(vm_seen(found, vmi("Running")), stop, Refused("no"))) == ["FailedDelete"]


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("ApiServerUnreachable", False),
        ("ApiServerSlow", False),
        ("TooManyRequests", False),
        ("InternalError", True),
    ],
)
def test_only_an_api_server_that_is_away_or_busy_is_not_told_of(reason: str, told: bool) -> None:
    """InternalError is what a webhook that does not answer looks like: that stays until somebody acts."""
    found = vm()
    start = decide(vm_seen(found)).actions[0]
    assert (decide_failure(vm_seen(found), start, Unready("no", reason)).wanted is not None) is told


# ---- generations


def stamped(generation: int, phase: str = "Running", **over: Any) -> VirtualMachineInstance:
    return ran(
        phase,
        metadata={"annotations": {"kubevirt.io/vm-generation": str(generation)}},
        status=REVISION,
        **over,
    )


def test_generations_agree_while_the_guest_is_off() -> None:
    status = there(decide(vm_seen(vm("Halted"))).wanted).status
    assert (status.observed_generation, status.desired_generation) == (3, 3)


def test_a_changed_template_needs_a_restart_and_keeps_the_former_generation() -> None:
    started = vm()
    other = {"spec": {"domain": {"devices": {}, "memory": {"guest": "256Mi"}}}}
    now = vm(template=other, metadata={"generation": 4})
    plan = decide(vm_seen(now, stamped(3), revisions=facts(started)))
    assert condition(plan, "RestartRequired").status == "True"
    status = there(plan.wanted).status
    assert (status.observed_generation, status.desired_generation) == (3, 4)
    assert kinds_of(plan) == []


def test_a_template_that_went_back_needs_no_restart() -> None:
    needed = [{"type": "RestartRequired", "status": "True"}]
    plan = decide(vm_seen(vm(status={"conditions": needed}), stamped(3), revisions=facts(vm())))
    assert find_condition(there(plan.wanted).status.conditions, "RestartRequired") is None


def test_a_change_outside_the_template_only_stamps_the_guest() -> None:
    now = vm("Manual", metadata={"generation": 4})
    plan = decide(vm_seen(now, stamped(3), revisions=facts(vm("Always"))))
    assert plan.actions == (StampGeneration(stamped(3), 4),)
    assert find_condition(there(plan.wanted).status.conditions, "RestartRequired") is None


def test_placement_is_carried_over_without_a_restart() -> None:
    now = vm(template={"spec": {**SPEC, "nodeSelector": {"disk": "fast"}}}, metadata={"generation": 4})
    plan = decide(vm_seen(now, stamped(3), revisions=facts(vm())))
    assert kinds_of(plan) == ["StampGeneration", "SyncPlacement"]
    assert find_condition(there(plan.wanted).status.conditions, "RestartRequired") is None


def test_without_the_start_revision_nobody_knows_and_the_answer_stays() -> None:
    needed = [{"type": "RestartRequired", "status": "True"}]
    plan = decide(vm_seen(vm(status={"conditions": needed}), stamped(3)))
    assert condition(plan, "RestartRequired").status == "True"


# ---- endings


def test_a_guests_end_is_recorded_before_it_is_let_go() -> None:
    found = vmi("Failed", metadata={"finalizers": BOTH})
    first = decide(vm_seen(vm("Once"), found))
    assert kinds_of(first) == []
    assert there(there(first.wanted).status.start_failure).consecutive_fail_count == 1
    assert kinds_of(decide(vm_seen(there(first.wanted), found))) == ["ReleaseVmi"]


def test_a_failed_start_is_told_by_the_vm_until_a_guest_runs() -> None:
    said = {"type": "Synchronized", "status": "False", "reason": "InvalidImage", "message": "no such disk"}
    told = ("InvalidImage", "The last start failed: no such disk")
    failed = there(decide(vm_seen(vm("Always"), vmi("Failed", status={"conditions": [said]}))).wanted)
    waiting = there(decide(vm_seen(failed)).wanted)
    again = there(decide(vm_seen(waiting, vmi("Scheduling"))).wanted)
    for found in (failed, waiting, again):
        condition_ = there(find_condition(found.status.conditions, "Failure"))
        assert (condition_.status, condition_.reason, condition_.message) == ("True", *told)
    running = there(decide(vm_seen(again, ran("Running"))).wanted)
    assert find_condition(running.status.conditions, "Failure") is None


def test_a_failed_start_that_nobody_explained_is_told_by_its_reason() -> None:
    failed = there(decide(vm_seen(vm("Always"), vmi("Failed", status={"reason": "PodFailed"}))).wanted)
    found = there(find_condition(failed.status.conditions, "Failure"))
    assert (found.reason, found.message) == (
        "PodFailed",
        "The last start failed (PodFailed); its events say more",
    )


def test_deleting_a_vm_ends_its_guest_first() -> None:
    doomed = vm(deleted=True)
    stopping = decide(vm_seen(doomed, ran("Running")))
    assert kinds_of(stopping) == ["DeleteVmi"]
    assert there(stopping.wanted).status.printable_status == "Terminating"
    waiting = decide(vm_seen(doomed, ran("Running", deleted=1)))
    assert (kinds_of(waiting), there(waiting.wanted).metadata.finalizers) == ([], doomed.metadata.finalizers)
    ended = decide(vm_seen(doomed, ran("Failed", deleted=1, metadata={"finalizers": BOTH})))
    assert kinds_of(ended) == ["ReleaseVmi"]
    gone = decide(vm_seen(doomed))
    assert changed(gone, doomed) == {"metadata": {"finalizers": None}}
    assert kinds_of(gone) == []


def test_deleting_a_vm_but_not_its_guest_leaves_the_guest() -> None:
    kept = ["orphan", "kubevirt.io/virtualMachineControllerFinalize"]
    plan = decide(vm_seen(vm(deleted=True, metadata={"finalizers": kept}), ran("Running")))
    assert (kinds_of(plan), there(plan.wanted).metadata.finalizers) == ([], ("orphan",))


def test_a_vm_that_somebody_else_still_holds_is_left_alone() -> None:
    plan = decide(vm_seen(vm(deleted=True, metadata={"finalizers": ["x/y"]})))
    assert (plan.actions, plan.wanted) == ((), None)


STATES = [
    vm_seen(vm(strategy, deleted=deleted, status=status), found)
    for strategy in ("Always", "RerunOnFailure", "Manual", "Halted", "Once")
    for deleted in (False, True)
    for status in ({}, {"stateChangeRequests": [{"action": "Stop", "uid": "vmi-1"}, {"action": "Start"}]})
    for found in (None, vmi(), vmi("Running"), ran("Running", deleted=1), ran("Succeeded"), vmi("Failed"))
]


@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
def test_a_kill_after_any_write_changes_nothing(state: Seen) -> None:
    """The written object leads to the same actions as the one before it, so a lost action is done again."""
    first = decide(state)
    if first.wanted is None or not first.actions:
        return
    second = decide(vm_seen(there(first.wanted), state.vmi))
    assert kinds_of(first)[0] in kinds_of(second)
    assert to_dict(second.wanted) == to_dict(first.wanted)


def test_a_guest_deleted_before_it_came_up_is_let_go_once_its_pod_is_gone() -> None:
    held = vmi("Pending", deleted=1, metadata={"finalizers": BOTH})
    bare = vmi("Pending", deleted=1, metadata={"finalizers": BOTH[1:]})
    for strategy, deleted in (("Always", False), ("Halted", False), ("Always", True)):
        shown = there(decide(vm_seen(vm(strategy, deleted=deleted), held)).wanted)
        assert kinds_of(decide(vm_seen(shown, held))) == []
        assert kinds_of(decide(vm_seen(shown, bare))) == ["ReleaseVmi"]
