"""Decides whether a task has come to its end, from what the machine is now."""

from collections.abc import Callable
from datetime import datetime

from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.tasks.task import Task
from virtdeck.web.words import mark

SECONDS_ALLOWED = {
    "start": 900,
    "create": 900,
    "restart": 900,
    "stop": 600,
    "forcestop": 120,
    "delete": 600,
}
SECONDS_OTHERWISE = 60
LOST = mark("The machine was deleted meanwhile.")
TOO_LATE = mark("Not finished in the time allowed; its events may say why.")
DEAD = (
    "CrashLoopBackOff",
    "ErrorUnschedulable",
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrorPvcNotFound",
    "DataVolumeError",
)
AT_ONCE = ("softreboot", "reset", "edit")
"""Acts whose end nothing shows: they are done when the request was taken."""


def follow(task: Task, machine: Machine | None, now: datetime) -> Task:
    """The task as it stands, given the machine as it is."""
    if machine is not None:
        task = task.reached(machine.state.word, now)
    if task.act in AT_ONCE or _is_reached(task, machine):
        return task.done(now)
    if machine is None and task.act != "create":
        return task.failed(LOST, now)
    if machine is not None and (cause := _failure(task, machine)):
        return task.failed(cause, now)
    return task.failed(TOO_LATE, now) if now >= task.deadline else task


REACHED: dict[str, Callable[[Task, Machine], bool]] = {
    "start": lambda _, machine: machine.state.key == "Running",
    "create": lambda _, machine: machine.state.key == "Running" or machine.run_strategy == "Halted",
    "restart": lambda task, machine: (
        machine.state.key == "Running" and machine.instance_uid not in ("", task.instance)
    ),
    "stop": lambda task, machine: not machine.has_vmi or machine.instance_uid != task.instance,
    "forcestop": lambda task, machine: not machine.has_vmi or machine.instance_uid != task.instance,
    "pause": lambda _, machine: machine.paused,
    "unpause": lambda _, machine: machine.has_vmi and not machine.paused,
}


def _is_reached(task: Task, machine: Machine | None) -> bool:
    if machine is None:
        return task.act == "delete"
    reached = REACHED.get(task.act)
    return reached is not None and reached(task, machine)


def _failure(task: Task, machine: Machine) -> str:
    """Why the wanted end will not come, if that is certain enough to say."""
    if task.act not in ("start", "create", "restart") or machine.instance_uid == task.instance != "":
        return ""
    if machine.state.key in DEAD:
        return machine.problem or machine.state.word
    if machine.state.key in ("Failed", "Succeeded"):
        return machine.problem or mark("The guest ended at once.")
    return ""
