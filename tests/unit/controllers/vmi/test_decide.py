"""A VMI's way from creation to its end, decided from every state it can be found in."""

from datetime import timedelta

import pytest
from tests.unit.controllers.builders import (
    LAUNCHER,
    NOW,
    at,
    changed,
    kinds_of,
    pod,
    ran,
    reasons_of,
    vmi,
    vmi_seen,
)
from tests.unit.there import there

from virtdeck.basis.errors import Refused, Unready
from virtdeck.controllers.vmi.decide import decide, decide_failure
from virtdeck.controllers.vmi.observed import Action, CreatePod, DeletePod, Seen, SetPodGate
from virtdeck.controllers.vmi.pod_name import pod_name
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import find_condition
from virtdeck.kube.plans import Plan

GATE_OPEN = {"type": "kubevirt.io/virtual-machine-unpaused", "status": "True"}
READY = {"type": "Ready", "status": "True", "lastTransitionTime": at(-3)}


def condition(plan: Plan[Action, VirtualMachineInstance], type_: str) -> Condition:
    return there(find_condition(there(plan.wanted).status.conditions, type_))


# ---- placing


@pytest.mark.parametrize("phase", [None, "Pending"])
def test_a_new_vmi_gets_its_pod_and_no_write_of_its_own(phase: str | None) -> None:
    found = vmi(phase)
    plan = decide(vmi_seen(found))
    assert kinds_of(plan) == ["CreatePod"]
    assert changed(plan, found) == {}
    assert reasons_of(plan) == ["SuccessfulCreate"]


def test_a_pod_that_starts_quickly_costs_no_write() -> None:
    found = vmi("Pending")
    plan = decide(vmi_seen(found, pod(found, "pending")))
    assert (plan.actions, plan.wanted, plan.again_after) == ((), None, 2.0)


def test_a_pod_that_takes_its_time_is_shown_as_scheduling() -> None:
    found = vmi("Pending")
    plan = decide(vmi_seen(found, pod(found, "pending", age=2)))
    assert changed(plan, found)["status"]["phase"] == "Scheduling"


@pytest.mark.parametrize("phase", [None, "Pending", "Scheduling"])
def test_a_running_pod_hands_the_vmi_over_in_one_write(phase: str | None) -> None:
    found = vmi(phase)
    plan = decide(vmi_seen(found, pod(found, status={"qosClass": "Burstable"})))
    patch = changed(plan, found)
    assert kinds_of(plan) == []
    assert patch["metadata"] == {"labels": {"kubevirt.io/nodeName": "n1"}}
    status = patch["status"]
    assert (status["phase"], status["nodeName"], status["activePods"]) == ("Scheduled", "n1", {"pod-1": "n1"})
    assert (status["qosClass"], status["runtimeUser"]) == ("Burstable", 107)
    assert status["launcherContainerImageVersion"] == LAUNCHER.image
    assert [s["phase"] for s in status["phaseTransitionTimestamps"]] == ["Scheduling", "Scheduled"]
    assert condition(plan, "Ready").reason == "GuestNotRunning"
    assert reasons_of(plan) == ["SuccessfulHandOver"]


def test_a_pod_that_no_node_takes_says_why() -> None:
    found = vmi("Pending")
    refusal = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no memory"}
    plan = decide(vmi_seen(found, pod(found, "pending", conditions=[refusal])))
    shown = condition(plan, "PodScheduled")
    assert (shown.status, shown.reason, shown.message) == ("False", "Unschedulable", "no memory")
    assert there(plan.wanted).status.phase == "Scheduling"


@pytest.mark.parametrize(
    ("waiting", "reason"),
    [
        ("ErrImagePull", "ErrImagePull"),
        ("InvalidImageName", "ErrImagePull"),
        ("ErrImageNeverPull", "ErrImagePull"),
        ("ImagePullBackOff", "ImagePullBackOff"),
        ("CreateContainerConfigError", "CreateContainerConfigError"),
    ],
)
def test_a_container_that_cannot_start_says_why_once(waiting: str, reason: str) -> None:
    found = vmi("Pending")
    plan = decide(vmi_seen(found, pod(found, "pending", node="n1", waiting=waiting)))
    shown = condition(plan, "Synchronized")
    assert (shown.status, shown.reason, shown.message) == ("False", reason, "why it waits")
    assert reasons_of(plan) == [reason]
    again = decide(vmi_seen(there(plan.wanted), pod(found, "pending", node="n1", waiting=waiting)))
    assert (changed(again, plan.wanted), reasons_of(again)) == ({}, [])


def test_what_held_the_pod_up_is_forgotten_when_it_runs() -> None:
    trouble = [
        {"type": "Synchronized", "status": "False", "reason": "ErrImagePull"},
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"},
    ]
    found = vmi("Scheduling", conditions=trouble)
    plan = decide(vmi_seen(found, pod(found)))
    assert {c.type for c in there(there(plan.wanted).status.conditions)} == {"Ready"}


def test_a_container_that_is_being_made_is_no_trouble() -> None:
    found = vmi("Pending")
    plan = decide(vmi_seen(found, pod(found, "pending", node="n1", waiting="ContainerCreating")))
    assert plan.wanted is None


@pytest.mark.parametrize("phase", ["Pending", "Scheduling"])
def test_a_pod_that_ended_before_the_start_fails_the_vmi(phase: str | None) -> None:
    found = vmi(phase)
    evicted = pod(found, "failed", status={"phase": "Failed", "reason": "Evicted", "message": "no room"})
    plan = decide(vmi_seen(found, evicted))
    assert (there(plan.wanted).status.phase, there(plan.wanted).status.reason) == ("Failed", "Evicted")
    assert "no room" in (condition(plan, "Synchronized").message or "")


def test_a_pod_that_vanished_after_it_was_shown_fails_the_vmi_only_when_it_is_really_gone() -> None:
    found = vmi("Scheduling")
    assert kinds_of(decide(vmi_seen(found))) == ["ConfirmPodGone"]
    plan = decide(vmi_seen(found, pod_gone=True))
    assert (there(plan.wanted).status.phase, there(plan.wanted).status.reason) == ("Failed", "PodNotExists")


def test_a_pod_being_deleted_before_the_start_is_waited_for() -> None:
    found = vmi("Scheduling")
    plan = decide(vmi_seen(found, pod(found, deleted=True)))
    assert (kinds_of(plan), condition(plan, "Ready").reason) == ([], "PodTerminating")


def test_an_amount_that_cannot_be_read_is_told_and_not_tried() -> None:
    found = vmi("Pending", spec={"domain": {"devices": {}, "memory": {"guest": "much"}}})
    plan = decide(vmi_seen(found))
    assert kinds_of(plan) == []
    assert condition(plan, "Synchronized").reason == "FailedCreate"
    assert "'much'" in (condition(plan, "Synchronized").message or "")


def test_a_refused_pod_is_told_once_and_forgotten_when_it_succeeds() -> None:
    found = vmi("Pending")
    create = decide(vmi_seen(found)).actions[0]
    plan = decide_failure(vmi_seen(found), create, Refused("exceeded quota"))
    assert condition(plan, "Synchronized").reason == "FailedCreate"
    assert reasons_of(plan) == ["FailedCreate"]
    again = decide_failure(vmi_seen(there(plan.wanted)), create, Refused("exceeded quota"))
    assert reasons_of(again) == []
    assert (
        find_condition(there(decide(vmi_seen(there(plan.wanted))).wanted).status.conditions, "Synchronized")
        is None
    )


def test_an_api_server_that_is_away_is_not_told_of() -> None:
    found = vmi("Pending")
    plan = decide_failure(vmi_seen(found), CreatePod(pod(found)), Unready("away", "ApiServerUnreachable"))
    assert (plan.wanted, plan.events) == (None, ())


# ---- on its node


@pytest.mark.parametrize("phase", ["Scheduled", "Running", "Unknown"])
def test_a_launcher_that_is_gone_fails_the_vmi_only_when_a_live_read_agrees(phase: str) -> None:
    found = ran(phase)
    assert kinds_of(decide(vmi_seen(found))) == ["ConfirmPodGone"]
    plan = decide(vmi_seen(found, pod_gone=True))
    assert (there(plan.wanted).status.phase, there(plan.wanted).status.reason) == ("Failed", "PodNotExists")
    assert reasons_of(plan) == ["PodNotExists"]


def test_a_launcher_gone_with_its_node_says_so() -> None:
    plan = decide(vmi_seen(ran("Running", status={"nodeName": "n1"}), pod_gone=True, node_silent=True))
    assert there(plan.wanted).status.reason == "NodeUnresponsive"
    assert "n1" in plan.events[0].message


def test_a_silent_node_alone_touches_no_guest() -> None:
    found = ran("Running")
    plan = decide(vmi_seen(found, pod(found, conditions=[GATE_OPEN, READY]), node_silent=True))
    assert there(plan.wanted).status.phase == "Running"


def test_the_gate_opens_when_the_guest_runs_and_costs_no_write_of_the_vmi() -> None:
    found = ran("Running")
    its_pod = pod(found)
    plan = decide(vmi_seen(found, its_pod))
    assert (plan.actions, plan.wanted) == ((SetPodGate(its_pod, True),), None)


def test_the_gate_closes_when_the_guest_is_paused() -> None:
    found = ran("Running", conditions=[{"type": "Paused", "status": "True"}])
    its_pod = pod(found, conditions=[GATE_OPEN])
    assert decide(vmi_seen(found, its_pod)).actions == (SetPodGate(its_pod, False),)


def test_ready_mirrors_the_pod() -> None:
    found = ran("Running")
    plan = decide(vmi_seen(found, pod(found, conditions=[GATE_OPEN, READY])))
    shown = condition(plan, "Ready")
    assert (shown.status, shown.last_transition_time) == ("True", at(-3))
    again = decide(vmi_seen(there(plan.wanted), pod(found, conditions=[GATE_OPEN, READY])))
    assert changed(again, plan.wanted) == {}


def test_a_gate_that_the_kubelet_has_not_seen_open_costs_no_write() -> None:
    found = ran("Running")
    behind = {"type": "Ready", "status": "False", "reason": "ReadinessGatesNotReady"}
    plan = decide(vmi_seen(found, pod(found, conditions=[GATE_OPEN, behind])))
    assert (kinds_of(plan), plan.wanted) == ([], None)


@pytest.mark.parametrize(("state", "phase"), [("succeeded", "Succeeded"), ("failed", "Failed")])
def test_a_launcher_that_ended_ends_the_vmi_when_the_handler_stays_silent(
    state: str, phase: str | None
) -> None:
    found = ran("Running")
    early = decide(vmi_seen(found, pod(found, state, ended=2)))
    assert (early.wanted, early.again_after) == (None, 3.0)
    late = decide(vmi_seen(found, pod(found, state, ended=6)))
    assert there(late.wanted).status.phase == phase


def test_a_launcher_that_ended_well_before_the_guest_ran_is_a_failure() -> None:
    found = vmi("Scheduled")
    assert there(decide(vmi_seen(found, pod(found, "succeeded"))).wanted).status.phase == "Failed"


# ---- the end


@pytest.mark.parametrize("phase", [None, "Pending", "Scheduling"])
def test_deleting_a_vmi_that_no_node_owns_deletes_its_pod_at_once(phase: str | None) -> None:
    found = vmi(phase, deleted=0)
    plan = decide(vmi_seen(found, pod(found)))
    assert plan.actions == (DeletePod("ns", pod_name(found), "pod-1"),)


def test_deleting_a_running_vmi_leaves_the_guest_its_grace_period_and_then_ends_the_pod() -> None:
    spec = {"terminationGracePeriodSeconds": 20}
    found = ran("Running", deleted=5, spec=spec)
    waiting = decide(vmi_seen(found, pod(found)))
    assert (kinds_of(waiting), waiting.again_after) == ([], 30)
    late = ran("Running", deleted=36, spec=spec)
    assert kinds_of(decide(vmi_seen(late, pod(late)))) == ["DeletePod"]


def test_a_grace_period_beyond_the_calendar_is_waited_for_all_the_same() -> None:
    found = ran("Running", deleted=5, spec={"terminationGracePeriodSeconds": 2**63 - 1})
    waiting = decide(vmi_seen(found, pod(found)))
    assert (kinds_of(waiting), (waiting.again_after or 0) > 2**30) == ([], True)


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_the_pod_of_a_guest_that_ended_is_deleted(phase: str) -> None:
    found = ran(phase)
    plan = decide(vmi_seen(found, pod(found)))
    assert (kinds_of(plan), reasons_of(plan)) == (["DeletePod"], ["SuccessfulDelete"])


@pytest.mark.parametrize(
    "phase", [None, "Pending", "Scheduling", "Scheduled", "Running", "Succeeded", "Failed"]
)
def test_the_finalizer_goes_only_when_the_pod_is_known_to_be_gone(phase: str | None) -> None:
    found = vmi(phase, deleted=1)
    assert kinds_of(decide(vmi_seen(found))) == ["ConfirmPodGone"]
    plan = decide(vmi_seen(found, pod_gone=True))
    assert changed(plan, found) == {"metadata": {"finalizers": None}}


def test_the_finalizer_of_a_vm_that_is_no_more_goes_too() -> None:
    both = [
        "kubevirt.io/foregroundDeleteVirtualMachine",
        "kubevirt.io/virtualMachineControllerFinalize",
        "x/y",
    ]
    found = vmi("Failed", deleted=1, metadata={"finalizers": both})
    kept = there(decide(vmi_seen(found, pod_gone=True)).wanted).metadata.finalizers
    assert kept == ("kubevirt.io/virtualMachineControllerFinalize", "x/y")
    assert there(decide(vmi_seen(found, pod_gone=True, vm_gone=True)).wanted).metadata.finalizers == ("x/y",)


def test_a_pod_already_being_deleted_is_waited_for() -> None:
    found = ran("Failed", deleted=1)
    assert kinds_of(decide(vmi_seen(found, pod(found, deleted=True)))) == []


# ---- strangers and restarts


def test_a_foreign_pod_is_told_of_and_otherwise_ignored() -> None:
    found = ran("Running")
    plan = decide(vmi_seen(found, pod(found, conditions=[GATE_OPEN, READY]), foreign_pods=("look-alike",)))
    assert (kinds_of(plan), reasons_of(plan)) == ([], ["ForeignPodIgnored"])
    assert "look-alike" in plan.events[0].message


STATES = [
    vmi_seen(found, its_pod, pod_gone=gone)
    for phase in (None, "Pending", "Scheduling", "Scheduled", "Running", "Unknown", "Succeeded", "Failed")
    for found in (vmi(phase), vmi(phase, deleted=1), vmi(phase, deleted=900))
    for its_pod in (
        None,
        pod(found, "pending"),
        pod(found, "pending", age=9, waiting="ErrImagePull"),
        pod(found),
        pod(found, conditions=[GATE_OPEN, READY]),
        pod(found, deleted=True),
        pod(found, "succeeded"),
        pod(found, "failed"),
    )
    for gone in ((False, True) if its_pod is None else (False,))
]


@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
def test_deciding_twice_from_any_state_changes_nothing_more(state: Seen) -> None:
    """A kill between the write and the next look: the second look at the written object is calm."""
    first = decide(state)
    if first.wanted is None:
        return
    second = decide(vmi_seen(there(first.wanted), state.pod, pod_gone=state.pod_gone))
    if second.wanted is not None and there(first.wanted).status.phase == state.vmi.status.phase:
        assert changed(second, first.wanted) == {}


@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
def test_from_any_state_something_happens_or_somebody_else_is_waited_for(state: Seen) -> None:
    plan = decide(state)
    waits_for_pod = state.pod is not None
    calm = state.vmi.status.phase in ("Succeeded", "Failed") and state.pod_gone
    assert plan.actions or plan.again_after or changed(plan, state.vmi) or waits_for_pod or calm


def test_the_clock_alone_brings_a_stuck_deletion_to_its_end() -> None:
    found = ran("Running", deleted=0)
    seen = vmi_seen(found, pod(found))
    wait = there(decide(seen).again_after)
    later = Seen(vmi=found, pod=seen.pod, launcher=LAUNCHER, now=NOW + timedelta(seconds=wait))
    assert kinds_of(decide(later)) == ["DeletePod"]
