"""What a VM's status says, and what is done beside power."""

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

from virtdeck.basis.errors import Refused, Unready
from virtdeck.controllers.vm.decide import decide, decide_failure
from virtdeck.controllers.vm.observed import Seen
from virtdeck.controllers.vm.revision import render_revision, revision_facts
from virtdeck.crds.codec import to_dict
from virtdeck.kube.conditions import find_condition

REVISION = {"virtualMachineRevisionName": "revision-start-vm-vm-1-3"}
BOTH = ["kubevirt.io/foregroundDeleteVirtualMachine", "kubevirt.io/virtualMachineControllerFinalize"]


def condition(plan, type_):
    return find_condition(plan.wanted.status.conditions, type_)


def settled(strategy="Always", found=None, **over):
    """The VM after its own plan was written."""
    first = vm(strategy, **over)
    return decide(vm_seen(first, found)).wanted


def facts(of):
    return (revision_facts(render_revision(of)),)


# ---- status


def test_a_new_vm_gets_its_finalizer_and_starts():
    found = vm("Always", metadata={"finalizers": []})
    plan = decide(vm_seen(found))
    patch = changed(plan, found)
    assert patch["metadata"] == {"finalizers": ["kubevirt.io/virtualMachineControllerFinalize"]}
    assert patch["status"]["printableStatus"] == "Starting"
    assert (kinds_of(plan), reasons_of(plan)) == (["StartVmi"], ["SuccessfulCreate"])
    assert plan.wanted.status.run_strategy is None


def test_a_running_guest_is_shown():
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": at(-5)}
    agent = {"type": "AgentConnected", "status": "True", "lastTransitionTime": at(-4)}
    status = decide(vm_seen(vm(), ran("Running", conditions=[ready, agent]))).wanted.status
    assert (status.created, status.ready, status.printable_status) == (True, True, "Running")
    assert status.run_strategy == "Always"
    assert {c.type: c.last_transition_time for c in status.conditions} == {
        "Ready": at(-5),
        "AgentConnected": at(-4),
    }


def test_what_was_mirrored_goes_with_the_guest():
    mirrored = [{"type": "AgentConnected", "status": "True"}, {"type": "Paused", "status": "True"}]
    plan = decide(vm_seen(vm("Halted", status={"conditions": mirrored, "created": True, "ready": True})))
    status = plan.wanted.status
    assert [(c.type, c.reason) for c in status.conditions] == [("Ready", "VMINotExists")]
    assert (status.created, status.ready) == (None, None)


def test_a_guest_without_a_ready_condition_is_not_ready():
    assert condition(decide(vm_seen(vm(), vmi("Pending"))), "Ready").reason == "VMIConditionMissing"


def test_volumes_say_that_they_cannot_be_snapshotted():
    volumes = [
        {"name": "root", "containerDisk": {"image": "x"}},
        {"name": "data", "dataVolume": {"name": "d"}},
    ]
    found = vm("Halted", template={"spec": {**SPEC, "volumes": volumes}})
    shown = decide(vm_seen(found)).wanted.status.volume_snapshot_statuses
    assert [(s.name, s.enabled) for s in shown] == [("root", False), ("data", False)]


@pytest.mark.parametrize("strategy", ["Always", "RerunOnFailure", "Manual", "Halted", "Once"])
@pytest.mark.parametrize("phase", [None, "Pending", "Scheduled", "Running", "Succeeded", "Failed"])
def test_a_vm_whose_status_was_written_is_left_in_peace(strategy, phase):
    found = vmi(phase)
    once = settled(strategy, found)
    again = decide(vm_seen(once, found))
    assert changed(again, once) == {} or strategy == "RerunOnFailure"
    if strategy == "RerunOnFailure":
        assert changed(decide(vm_seen(again.wanted, found)), again.wanted) == {}


# ---- failures


def test_a_start_that_fails_is_told_once_and_forgotten_when_it_succeeds():
    found = vm()
    start = decide(vm_seen(found)).actions[0]
    plan = decide_failure(vm_seen(found), start, Refused("exceeded quota"))
    shown = condition(plan, "Failure")
    assert (shown.reason, "exceeded quota" in shown.message) == ("FailedCreate", True)
    assert reasons_of(plan) == ["FailedCreate"]
    again = decide_failure(vm_seen(plan.wanted), start, Refused("exceeded quota"))
    assert reasons_of(again) == []
    assert condition(decide(vm_seen(plan.wanted)), "Failure") is None


def test_a_start_that_failed_stays_owed():
    found = vm("RerunOnFailure", status={"runStrategy": "Halted"})
    start = decide(vm_seen(found)).actions[0]
    plan = decide_failure(vm_seen(found), start, Refused("no"))
    assert kinds_of(decide(vm_seen(plan.wanted))) == ["StartVmi"]


def test_a_stop_that_fails_is_told():
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
def test_only_an_api_server_that_is_away_or_busy_is_not_told_of(reason, told):
    """InternalError is what a webhook that does not answer looks like: that stays until somebody acts."""
    found = vm()
    start = decide(vm_seen(found)).actions[0]
    assert (decide_failure(vm_seen(found), start, Unready("no", reason)).wanted is not None) is told


# ---- generations


def stamped(generation, phase="Running", **over):
    return ran(
        phase,
        metadata={"annotations": {"kubevirt.io/vm-generation": str(generation)}},
        status=REVISION,
        **over,
    )


def test_generations_agree_while_the_guest_is_off():
    status = decide(vm_seen(vm("Halted"))).wanted.status
    assert (status.observed_generation, status.desired_generation) == (3, 3)


def test_a_changed_template_needs_a_restart_and_keeps_the_former_generation():
    started = vm()
    other = {"spec": {"domain": {"devices": {}, "memory": {"guest": "256Mi"}}}}
    now = vm(template=other, metadata={"generation": 4})
    plan = decide(vm_seen(now, stamped(3), revisions=facts(started)))
    assert condition(plan, "RestartRequired").status == "True"
    status = plan.wanted.status
    assert (status.observed_generation, status.desired_generation) == (3, 4)
    assert kinds_of(plan) == []


def test_a_template_that_went_back_needs_no_restart():
    needed = [{"type": "RestartRequired", "status": "True"}]
    plan = decide(vm_seen(vm(status={"conditions": needed}), stamped(3), revisions=facts(vm())))
    assert condition(plan, "RestartRequired") is None


def test_a_change_outside_the_template_only_stamps_the_guest():
    now = vm("Manual", metadata={"generation": 4})
    plan = decide(vm_seen(now, stamped(3), revisions=facts(vm("Always"))))
    assert kinds_of(plan) == ["StampGeneration"]
    assert plan.actions[0].generation == 4
    assert condition(plan, "RestartRequired") is None


def test_placement_is_carried_over_without_a_restart():
    now = vm(template={"spec": {**SPEC, "nodeSelector": {"disk": "fast"}}}, metadata={"generation": 4})
    plan = decide(vm_seen(now, stamped(3), revisions=facts(vm())))
    assert kinds_of(plan) == ["StampGeneration", "SyncPlacement"]
    assert condition(plan, "RestartRequired") is None


def test_without_the_start_revision_nobody_knows_and_the_answer_stays():
    needed = [{"type": "RestartRequired", "status": "True"}]
    plan = decide(vm_seen(vm(status={"conditions": needed}), stamped(3)))
    assert condition(plan, "RestartRequired").status == "True"


# ---- endings


def test_a_guests_end_is_recorded_before_it_is_let_go():
    found = vmi("Failed", metadata={"finalizers": BOTH})
    first = decide(vm_seen(vm("Once"), found))
    assert kinds_of(first) == []
    assert first.wanted.status.start_failure.consecutive_fail_count == 1
    assert kinds_of(decide(vm_seen(first.wanted, found))) == ["ReleaseVmi"]


def test_a_failed_start_is_told_by_the_vm_until_a_guest_runs():
    said = {"type": "Synchronized", "status": "False", "reason": "InvalidImage", "message": "no such disk"}
    told = ("InvalidImage", "The last start failed: no such disk")
    failed = decide(vm_seen(vm("Always"), vmi("Failed", status={"conditions": [said]}))).wanted
    waiting = decide(vm_seen(failed)).wanted
    again = decide(vm_seen(waiting, vmi("Scheduling"))).wanted
    for found in (failed, waiting, again):
        condition_ = find_condition(found.status.conditions, "Failure")
        assert (condition_.status, condition_.reason, condition_.message) == ("True", *told)
    running = decide(vm_seen(again, ran("Running"))).wanted
    assert find_condition(running.status.conditions, "Failure") is None


def test_a_failed_start_that_nobody_explained_is_told_by_its_reason():
    failed = decide(vm_seen(vm("Always"), vmi("Failed", status={"reason": "PodFailed"}))).wanted
    found = find_condition(failed.status.conditions, "Failure")
    assert (found.reason, found.message) == (
        "PodFailed",
        "The last start failed (PodFailed); its events say more",
    )


def test_deleting_a_vm_ends_its_guest_first():
    doomed = vm(deleted=True)
    stopping = decide(vm_seen(doomed, ran("Running")))
    assert kinds_of(stopping) == ["DeleteVmi"]
    assert stopping.wanted.status.printable_status == "Terminating"
    waiting = decide(vm_seen(doomed, ran("Running", deleted=1)))
    assert (kinds_of(waiting), waiting.wanted.metadata.finalizers) == ([], doomed.metadata.finalizers)
    ended = decide(vm_seen(doomed, ran("Failed", deleted=1, metadata={"finalizers": BOTH})))
    assert kinds_of(ended) == ["ReleaseVmi"]
    gone = decide(vm_seen(doomed))
    assert changed(gone, doomed) == {"metadata": {"finalizers": None}}
    assert kinds_of(gone) == []


def test_deleting_a_vm_but_not_its_guest_leaves_the_guest():
    kept = ["orphan", "kubevirt.io/virtualMachineControllerFinalize"]
    plan = decide(vm_seen(vm(deleted=True, metadata={"finalizers": kept}), ran("Running")))
    assert (kinds_of(plan), plan.wanted.metadata.finalizers) == ([], ("orphan",))


def test_a_vm_that_somebody_else_still_holds_is_left_alone():
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
def test_a_kill_after_any_write_changes_nothing(state: Seen):
    """The written object leads to the same actions as the one before it, so a lost action is done again."""
    first = decide(state)
    if first.wanted is None or not first.actions:
        return
    second = decide(vm_seen(first.wanted, state.vmi))
    assert kinds_of(first)[0] in kinds_of(second)
    assert to_dict(second.wanted) == to_dict(first.wanted)


def test_a_guest_deleted_before_it_came_up_is_let_go_once_its_pod_is_gone():
    held = vmi("Pending", deleted=1, metadata={"finalizers": BOTH})
    bare = vmi("Pending", deleted=1, metadata={"finalizers": BOTH[1:]})
    for strategy, deleted in (("Always", False), ("Halted", False), ("Always", True)):
        shown = decide(vm_seen(vm(strategy, deleted=deleted), held)).wanted
        assert kinds_of(decide(vm_seen(shown, held))) == []
        assert kinds_of(decide(vm_seen(shown, bare))) == ["ReleaseVmi"]
