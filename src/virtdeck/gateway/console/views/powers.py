"""What can be done with a machine now: each act with its risk, its right, and why not if not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from virtdeck.gateway.console.views.machine import Machine
from virtdeck.web.words import Text, mark

Risk = Literal["none", "ask", "destroy"]
SUBRESOURCES = "subresources.kubevirt.io"


@dataclass(frozen=True)
class Act:
    """One act: its words, its risk, and the call that performs it.

    subresource: empty for delete. kind: the plural the call goes to. body: JSON of the call.
    running: what the task says while it goes on.
    """

    key: str
    label: str
    running: str
    icon: str
    risk: Risk
    plural: str
    subresource: str
    why_not: Callable[[Machine], str]
    body: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True)
class Power:
    """An act as offered to one person: allowed, or not and why."""

    act: Act
    why_not: str | Text = ""

    @property
    def allowed(self) -> bool:
        return not self.why_not


NO_VM = mark(
    "This instance belongs to no VirtualMachine: it can be deleted, but not be stopped and started again."
)
NOT_RUNNING = mark("The machine is not running.")


def _start(machine: Machine) -> str:
    if not machine.has_vm:
        return NO_VM
    if machine.state.key == "Terminating":
        return mark("The machine is being deleted.")
    on_its_way = machine.state.kind == "busy" or (machine.has_vmi and machine.state.kind != "bad")
    return mark("The machine is already started.") if on_its_way else ""


def _stop(machine: Machine) -> str:
    if not machine.has_vm:
        return NO_VM
    return "" if machine.has_vmi else mark("The machine is already stopped.")


def _restart(machine: Machine) -> str:
    if not machine.has_vm:
        return NO_VM
    return "" if machine.has_vmi and machine.state.key != "Stopping" else NOT_RUNNING


def _pause(machine: Machine) -> str:
    if machine.paused:
        return mark("The machine is already paused.")
    return "" if machine.state.key == "Running" else NOT_RUNNING


def _unpause(machine: Machine) -> str:
    return "" if machine.paused else mark("The machine is not paused.")


def _alive(machine: Machine) -> str:
    return "" if machine.alive else NOT_RUNNING


def _delete(machine: Machine) -> str:
    return mark("The machine is being deleted.") if machine.state.key == "Terminating" else ""


VMS, VMIS = "virtualmachines", "virtualmachineinstances"
ACTS = {
    act.key: act
    for act in (
        Act("start", mark("Start"), mark("Starting"), "play", "none", VMS, "start", _start),
        Act("stop", mark("Shut down"), mark("Shutting down"), "power", "ask", VMS, "stop", _stop),
        Act("restart", mark("Restart"), mark("Restarting"), "restart", "ask", VMS, "restart", _restart),
        Act("pause", mark("Pause"), mark("Pausing"), "pause", "none", VMIS, "pause", _pause),
        Act("unpause", mark("Resume"), mark("Resuming"), "play", "none", VMIS, "unpause", _unpause),
        Act(
            "softreboot",
            mark("Reboot guest"),
            mark("Rebooting the guest"),
            "restart",
            "ask",
            VMIS,
            "softreboot",
            _alive,
        ),
        Act("reset", mark("Reset"), mark("Resetting"), "bad", "ask", VMIS, "reset", _alive),
        Act(
            "forcestop",
            mark("Power off now"),
            mark("Powering off"),
            "stop",
            "ask",
            VMS,
            "stop",
            _stop,
            (("gracePeriod", 0),),
        ),
        Act("delete", mark("Delete"), mark("Deleting"), "trash", "destroy", VMS, "", _delete),
    )
}


def right_of(act: Act, machine: Machine) -> tuple[str, str, str]:
    """The verb, resource and subresource that the person must be allowed."""
    if act.key == "delete":
        return "delete", f"{plural_of(act, machine)}.kubevirt.io", ""
    return "update", f"{act.plural}.{SUBRESOURCES}", act.subresource


def plural_of(act: Act, machine: Machine) -> str:
    """Where the act goes: an instance without a machine is deleted itself."""
    return VMIS if act.key == "delete" and not machine.has_vm else act.plural


def lacking(verb: str, resource: str, subresource: str, namespace: str) -> Text:
    """The sentence that names the right a person lacks."""
    plural = resource.partition(".")[0]
    what = f"{plural}/{subresource}" if subresource else plural
    return Text(
        mark("You lack the right “%(verb)s %(what)s” in project %(project)s."),
        {"verb": verb, "what": what, "project": namespace},
    )


def powers(machine: Machine, allowed: Callable[[str, str, str], bool]) -> dict[str, Power]:
    """Every act with the answer whether this person can perform it now."""
    offered = {}
    for key, act in ACTS.items():
        verb, resource, subresource = right_of(act, machine)
        why_not: str | Text = act.why_not(machine)
        if not why_not and not allowed(verb, resource, subresource):
            why_not = lacking(verb, resource, subresource, machine.namespace)
        offered[key] = Power(act, why_not)
    return offered
