"""What follows from what is seen of a VMI."""

from datetime import timedelta
from typing import Any

import pytest
from tests.unit.node_agent.builders import (
    KEY,
    KVM,
    NO_KVM,
    NOW,
    POD_UID,
    UID,
    connected,
    pod,
    seen,
    state,
    vmi,
)  # fmt: skip

from virtdeck.basis.errors import Bug, HostFault, Invalid, Lost, Unready
from virtdeck.kube.conditions import find_condition
from virtdeck.node_agent.launchers.link import LauncherView, Target
from virtdeck.node_agent.vmi.actions import AskLauncher, Connect, Disconnect, StartGuest
from virtdeck.node_agent.vmi.decide import decide, decide_failure
from virtdeck.node_agent.vmi.seen import HostView

DELETED: dict[str, Any] = {"metadata": {"deletionTimestamp": "2026-11-30T12:00:00Z"}}


def ended(reason: str, message: str = "") -> LauncherView:
    return LauncherView("Connected", state("Ended", end_reason=reason, message=message))


def condition(plan: Any, kind: str) -> Any:
    return find_condition(plan.wanted.status.conditions or (), kind)


@pytest.mark.parametrize("phase", ["", "Pending", "Scheduling", "WaitingForSync"])
def test_a_vmi_that_was_not_handed_over_is_left_alone(phase: str) -> None:
    plan = decide(seen(vmi(phase), connected()))
    assert (plan.actions, plan.wanted, plan.events) == ((), None, ())


def test_a_scheduled_vmi_has_its_pods_launcher_connected() -> None:
    assert decide(seen()).actions == (Connect(Target(KEY, UID, POD_UID)),)


def test_a_launcher_of_another_pod_is_replaced() -> None:
    plan = decide(seen(launcher=LauncherView(), connected_pod="another"))
    assert plan.actions == (Connect(Target(KEY, UID, POD_UID)),)


def test_a_connected_launcher_without_a_domain_is_told_to_start() -> None:
    obj = vmi()
    assert decide(seen(obj, connected("NoDomain"))).actions == (StartGuest(obj, POD_UID, "tcg"),)


def test_kvm_is_used_where_it_works() -> None:
    obj = vmi()
    plan = decide(seen(obj, connected("NoDomain"), host=HostView(KVM, emulation_allowed=False)))
    assert plan.actions == (StartGuest(obj, POD_UID, "kvm"),)


def test_without_kvm_nothing_starts_unless_emulation_is_allowed() -> None:
    plan = decide(seen(launcher=connected("NoDomain"), host=HostView(NO_KVM, emulation_allowed=False)))
    assert plan.actions == ()
    assert condition(plan, "Synchronized").reason == "KVMUnusable"
    assert plan.wanted is not None
    assert plan.wanted.status.phase == "Scheduled"


def test_while_the_domain_starts_nothing_is_written() -> None:
    plan = decide(seen(launcher=connected("Starting")))
    assert (plan.actions, plan.wanted) == ((), None)


def test_running_is_told_in_one_write_with_everything() -> None:
    plan = decide(seen(launcher=connected()))
    assert plan.wanted is not None
    status = plan.wanted.status
    assert status.phase == "Running"
    assert status.phase_transition_timestamps is not None
    assert status.phase_transition_timestamps[-1].phase_transition_timestamp == "2026-11-30T11:59:58Z"
    assert status.interfaces is not None
    assert status.interfaces[0].ip_address == "10.88.0.5"
    assert status.machine is not None
    assert status.machine.type == "pc-q35-7.2"
    assert status.memory is not None
    assert (status.memory.guest_at_boot, status.memory.guest_current) == ("128Mi", "128Mi")
    assert status.migration_method == "LiveMigration"
    assert condition(plan, "LiveMigratable").status == "False"
    assert condition(plan, "SoftwareEmulation").reason == "MachineFailed"
    assert [note.reason for note in plan.events] == ["Created", "Started"]


def test_a_status_that_is_true_already_is_not_written_again() -> None:
    first = decide(seen(launcher=connected())).wanted
    assert first is not None
    later = seen(first, connected(), now=NOW + timedelta(hours=1))
    plan = decide(later)
    assert plan.wanted == first
    assert plan.events == ()


def test_conditions_of_other_writers_stay() -> None:
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-30T11:00:00Z"}
    plan = decide(seen(vmi(status={"conditions": [ready]}), connected()))
    assert condition(plan, "Ready").last_transition_time == "2026-11-30T11:00:00Z"


def test_pausing_is_a_condition_and_an_event_and_resuming_takes_it_back() -> None:
    running = decide(seen(launcher=connected())).wanted
    paused = decide(seen(running, connected("Paused", pause_reason="PausedByUser")))
    assert condition(paused, "Paused").reason == "PausedByUser"
    assert [note.reason for note in paused.events] == ["Paused"]
    resumed = decide(seen(paused.wanted, connected()))
    assert condition(resumed, "Paused") is None
    assert [note.reason for note in resumed.events] == ["Resumed"]


def test_an_io_error_is_a_warning() -> None:
    running = decide(seen(launcher=connected())).wanted
    plan = decide(seen(running, connected("Paused", pause_reason="PausedIOError")))
    assert (plan.events[0].type, condition(plan, "Paused").reason) == ("Warning", "PausedIOError")


@pytest.mark.parametrize(
    ("launcher", "phase", "reason"),
    [
        (ended("Shutdown"), "Succeeded", None),
        (ended("Destroyed"), "Succeeded", None),
        (ended("Crashed"), "Failed", "Crashed"),
        (ended("Panicked"), "Failed", "GuestPanicked"),
        (ended("LibvirtLost"), "Failed", "LibvirtLost"),
        (ended("Failed"), "Failed", "StartFailed"),
        (LauncherView("Ended", state()), "Failed", "LauncherLost"),
        (connected("NoDomain"), "Failed", "LauncherLost"),
    ],
)
def test_a_running_guests_end_says_what_ended_it(
    launcher: LauncherView, phase: str, reason: str | None
) -> None:
    plan = decide(seen(vmi("Running"), launcher))
    assert plan.wanted is not None
    assert (plan.wanted.status.phase, plan.wanted.status.reason) == (phase, reason)
    assert plan.events[-1].reason == "Stopped"


def test_a_launcher_that_cannot_be_reached_is_not_dead() -> None:
    plan = decide(seen(vmi("Running"), LauncherView("Connecting", state())))
    assert (plan.actions, plan.wanted, plan.events) == ((), None, ())


def test_a_pod_that_failed_while_nobody_looked_tells_its_exit_code() -> None:
    over = pod("Failed", containerStatuses=[{"name": "compute", "state": {"terminated": {"exitCode": 137}}}])
    plan = decide(seen(vmi("Running"), pod=over))
    assert plan.wanted is not None
    assert plan.wanted.status.reason == "PodFailed"
    assert "137" in condition(plan, "Synchronized").message


def test_a_guest_that_powered_off_while_nobody_looked_succeeded() -> None:
    over = pod("Succeeded", containerStatuses=[{"name": "compute", "state": {"terminated": {"exitCode": 0}}}])
    plan = decide(seen(vmi("Running"), pod=over))
    assert plan.wanted is not None
    assert plan.wanted.status.phase == "Succeeded"


def test_a_deleted_vmi_is_asked_to_power_off_every_five_seconds() -> None:
    obj = vmi("Running", **DELETED)
    first = decide(seen(obj, connected()))
    assert first.actions == (AskLauncher(UID, "Shutdown"),)
    assert first.again_after == 5
    assert "ShuttingDown" in [note.reason for note in first.events]
    soon = decide(seen(obj, connected("ShuttingDown"), asked_to_stop=NOW, now=NOW + timedelta(seconds=2)))
    assert (soon.actions, soon.again_after) == ((), 3)
    then = decide(seen(obj, connected("ShuttingDown"), asked_to_stop=NOW, now=NOW + timedelta(seconds=5)))
    assert then.actions == (AskLauncher(UID, "Shutdown"),)
    assert "ShuttingDown" not in [note.reason for note in then.events]


def test_the_grace_period_counts_from_the_deletion_also_for_a_process_that_just_started() -> None:
    obj = vmi("Running", spec={"terminationGracePeriodSeconds": 12}, **DELETED)
    near = decide(seen(obj, connected(), now=NOW + timedelta(seconds=10)))
    assert near.again_after == 2
    over = decide(seen(obj, connected(), now=NOW + timedelta(seconds=12)))
    assert over.actions == (AskLauncher(UID, "Destroy"),)


def test_no_grace_ends_the_guest_at_once() -> None:
    plan = decide(seen(vmi("Running", spec={"terminationGracePeriodSeconds": 0}, **DELETED), connected()))
    assert plan.actions == (AskLauncher(UID, "Destroy"),)


def test_a_paused_guest_is_woken_to_see_the_power_button() -> None:
    plan = decide(seen(vmi("Running", **DELETED), connected("Paused")))
    assert plan.actions == (AskLauncher(UID, "Unpause"), AskLauncher(UID, "Shutdown"))


def test_a_guest_that_ignored_its_shutdown_failed() -> None:
    plan = decide(seen(vmi("Running", **DELETED), ended("Destroyed")))
    assert plan.wanted is not None
    assert plan.wanted.status.reason == "GuestIgnoredShutdown"


def test_a_vmi_deleted_before_its_start_never_starts() -> None:
    plan = decide(seen(vmi(**DELETED), connected("NoDomain")))
    assert plan.actions == ()
    assert plan.wanted is not None
    assert plan.wanted.status.phase == "Succeeded"


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_a_launcher_may_go_when_the_end_is_written(phase: str) -> None:
    assert decide(seen(vmi(phase), ended("Shutdown"))).actions == (AskLauncher(UID, "Farewell"),)


def test_a_launcher_without_a_guest_goes_with_its_pod() -> None:
    assert decide(seen(vmi("Failed"), connected("NoDomain"))).actions == ()


def test_a_broken_launcher_does_not_hold_its_vmi_for_ever() -> None:
    at = seen(launcher=connected("NoDomain"))
    plan = decide_failure(at, StartGuest(at.vmi, POD_UID, "tcg"), Bug("ExceptionGroup in virt-launcher"))
    assert plan.wanted is not None
    assert plan.wanted.status.phase == "Failed"


def test_a_thaw_is_looked_for_when_it_is_due() -> None:
    plan = decide(seen(vmi("Running"), connected(), frozen_until=NOW + timedelta(seconds=30)))
    assert plan.again_after == 30


def test_a_guest_that_still_runs_under_a_failed_vmi_is_ended() -> None:
    assert decide(seen(vmi("Failed"), connected())).actions == (AskLauncher(UID, "Destroy"),)


def test_a_restarted_virt_handler_says_farewell_as_well() -> None:
    assert decide(seen(vmi("Failed"))).actions == (Connect(Target(KEY, UID, POD_UID)),)


def test_nothing_is_kept_of_a_launcher_whose_pod_is_over() -> None:
    over = pod("Succeeded", containerStatuses=[{"name": "compute", "state": {"terminated": {"exitCode": 0}}}])
    assert decide(seen(vmi("Succeeded"), ended("Shutdown"), pod=over)).actions == (Disconnect(UID),)


def test_an_unsafe_image_fails_the_vmi_with_its_reason() -> None:
    at = seen(launcher=connected("NoDomain"))
    fault = Invalid("volume root: 'disk/x' leads through a link", reason="UnsafeDiskPath")
    plan = decide_failure(at, StartGuest(at.vmi, POD_UID, "tcg"), fault)
    assert plan.wanted is not None
    assert (plan.wanted.status.phase, plan.wanted.status.reason) == ("Failed", "UnsafeDiskPath")
    assert condition(plan, "Synchronized").reason == "UnsafeDiskPath"
    assert plan.events[0].reason == "SyncFailed"


def test_a_fault_of_the_host_is_told_once_and_tried_again() -> None:
    at = seen(launcher=connected("NoDomain"))
    plan = decide_failure(at, StartGuest(at.vmi, POD_UID, "tcg"), HostFault("nft refused the rules"))
    assert plan.wanted is not None
    assert plan.wanted.status.phase == "Scheduled"
    again = seen(plan.wanted, connected("NoDomain"))
    repeated = decide_failure(again, StartGuest(at.vmi, POD_UID, "tcg"), HostFault("nft refused the rules"))
    assert (repeated.wanted, repeated.events) == (plan.wanted, ())


@pytest.mark.parametrize("fault", [Lost("gone"), Unready("silent")])
def test_a_launcher_that_does_not_answer_is_no_fault_of_the_vmi(fault: Lost | Unready) -> None:
    at = seen(launcher=connected("NoDomain"))
    assert decide_failure(at, StartGuest(at.vmi, POD_UID, "tcg"), fault).wanted is None


def test_a_socket_that_is_not_the_pods_is_told_and_never_used() -> None:
    view = LauncherView("Connecting", None, Invalid("served by user 0", reason="UnsafePath"))
    plan = decide(seen(vmi("Running"), view))
    assert plan.actions == ()
    assert condition(plan, "Synchronized").reason == "UnsafePath"
