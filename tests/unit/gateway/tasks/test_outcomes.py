"""When a task is at its end."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.gateway.console.machines import a_machine
from tests.unit.gateway.small_cluster import condition

from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.tasks.outcome import LOST, TOO_LATE, follow
from virtdeck.gateway.tasks.task import Task

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
RUNNING = a_machine(word="Running")
STOPPED = a_machine(word="Stopped")
STARTING = a_machine(word="Starting")
STOPPING = a_machine(word="Stopping")
PAUSED = a_machine(word="Paused")
OTHER = replace(RUNNING, instance_uid="another")
BROKEN = a_machine(word="ErrImagePull", conditions=[condition("Failure", "True", "manifest unknown")])


def task(act: str, instance: str = "") -> Task:
    return Task("t1", "ada", act, "shop", "web-1", NOW, NOW + timedelta(seconds=60), instance)


@pytest.mark.parametrize(
    ("act", "instance", "machine", "state"),
    [
        ("start", "", STARTING, "running"),
        ("start", "", RUNNING, "done"),
        ("start", "", BROKEN, "failed"),
        ("start", "", None, "failed"),
        ("create", "", None, "running"),
        ("create", "", STOPPED, "done"),
        ("create", "", RUNNING, "done"),
        ("stop", RUNNING.instance_uid, RUNNING, "running"),
        ("stop", STOPPING.instance_uid, STOPPING, "running"),
        ("stop", RUNNING.instance_uid, STOPPED, "done"),
        ("stop", "gone", RUNNING, "done"),
        ("forcestop", "gone", STOPPED, "done"),
        ("restart", RUNNING.instance_uid, RUNNING, "running"),
        ("restart", RUNNING.instance_uid, STOPPED, "running"),
        ("restart", RUNNING.instance_uid, OTHER, "done"),
        ("restart", "gone", BROKEN, "failed"),
        ("pause", "", RUNNING, "running"),
        ("pause", "", PAUSED, "done"),
        ("unpause", "", PAUSED, "running"),
        ("unpause", "", RUNNING, "done"),
        ("delete", "", RUNNING, "running"),
        ("delete", "", None, "done"),
        ("reset", "", RUNNING, "done"),
        ("softreboot", "", RUNNING, "done"),
        ("edit", "", STOPPED, "done"),
        ("pause", "", None, "failed"),
    ],
)
def test_a_task_ends_when_the_machine_is_what_was_wanted(
    act: str, instance: str, machine: Machine | None, state: str
) -> None:
    assert follow(task(act, instance), machine, NOW).state == state


def test_a_failure_has_the_apis_own_reason() -> None:
    assert follow(task("start"), BROKEN, NOW).cause == "manifest unknown"


def test_a_machine_that_vanished_is_told() -> None:
    assert follow(task("start"), None, NOW).cause == LOST


def test_a_task_whose_time_is_over_is_given_up_with_a_hint() -> None:
    assert follow(task("start"), STARTING, NOW + timedelta(seconds=60)).cause == TOO_LATE


def test_each_state_on_the_way_is_a_step_once() -> None:
    one = task("start")
    for machine in (STOPPED, STARTING, STARTING, RUNNING):
        one = follow(one, machine, NOW)
    assert [step.text for step in one.steps] == ["Stopped", "Starting", "Running"]
    assert one.ended == NOW


def test_steps_of_a_machine_that_flaps_are_bounded() -> None:
    one = task("restart", RUNNING.instance_uid)
    for _ in range(200):
        one = follow(follow(one, STOPPED, NOW), RUNNING, NOW)
    assert len(one.steps) == 20
