"""What a machine is doing, in a word, a shape and a colour."""

from dataclasses import dataclass

from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.web.words import Text, mark


@dataclass(frozen=True)
class State:
    """``key`` is the API's own word; ``kind`` picks the colour, ``shape`` the picture."""

    key: str
    word: str
    kind: str
    shape: str
    detail: str | Text = ""


def _state(key: str, word: str, kind: str, shape: str, detail: str = "") -> tuple[str, State]:
    return key, State(key, word, kind, shape, detail)


STATES = dict(
    (
        _state("Stopped", mark("Stopped"), "idle", "stop"),
        _state("Provisioning", mark("Preparing disks"), "busy", "busy"),
        _state("Starting", mark("Starting"), "busy", "busy"),
        _state("Running", mark("Running"), "good", "run"),
        _state("Paused", mark("Paused"), "warn", "pause"),
        _state("Stopping", mark("Stopping"), "busy", "busy"),
        _state("Terminating", mark("Being deleted"), "busy", "busy"),
        _state("Migrating", mark("Migrating"), "busy", "busy"),
        _state("WaitingForReceiver", mark("Waiting for receiver"), "busy", "busy"),
        _state("WaitingForVolumeBinding", mark("Waiting for volumes"), "busy", "busy"),
        _state("CrashLoopBackOff", mark("Crashing again and again"), "bad", "bad"),
        _state("ErrorUnschedulable", mark("No node fits"), "bad", "bad"),
        _state("ErrImagePull", mark("Image not found"), "bad", "bad"),
        _state("ImagePullBackOff", mark("Image not found"), "bad", "bad"),
        _state("ErrorPvcNotFound", mark("Volume not found"), "bad", "bad"),
        _state("DataVolumeError", mark("Disk import failed"), "bad", "bad"),
        _state("Failed", mark("Failed"), "bad", "bad"),
        _state("Succeeded", mark("Powered off"), "idle", "stop"),
        _state("Unknown", mark("Unknown"), "warn", "unknown"),
    )
)
PHASES = {
    "": "Starting",
    "Pending": "Starting",
    "Scheduling": "Starting",
    "Scheduled": "Starting",
    "WaitingForSync": "WaitingForReceiver",
}
"""Phases of an instance without a machine that have another word than the phase itself."""
SETTLED_KINDS = ("good", "idle", "warn")


def condition(conditions: tuple[Condition, ...] | None, kind: str) -> Condition | None:
    """The condition of that type."""
    return next((one for one in conditions or () if one.type == kind), None)


def conditions_of(one: VirtualMachine | VirtualMachineInstance | None) -> tuple[Condition, ...]:
    """The conditions in the status, if there are any."""
    return (one.status.conditions if one and one.status else None) or ()


def holds(conditions: tuple[Condition, ...] | None, kind: str) -> bool:
    """The condition is known to be true."""
    found = condition(conditions, kind)
    return found is not None and found.status == "True"


def state_key(vm: VirtualMachine | None, vmi: VirtualMachineInstance | None) -> str:
    """The API's word for what the machine does; for a bare instance, what its phase means."""
    if vm is not None:
        if vm.metadata and vm.metadata.deletion_timestamp:
            return "Terminating"
        return (vm.status and vm.status.printable_status) or ("Starting" if vmi else "Stopped")
    if vmi is None or vmi.metadata is None:
        return "Unknown"
    if vmi.metadata.deletion_timestamp:
        return "Terminating"
    phase = (vmi.status and vmi.status.phase) or ""
    if phase == "Running" and holds(conditions_of(vmi), "Paused"):
        return "Paused"
    return PHASES.get(phase, phase)


def state_of(vm: VirtualMachine | None, vmi: VirtualMachineInstance | None) -> State:
    """What the machine is doing; a word that a newer API made up is shown as it is."""
    key = state_key(vm, vmi)
    found = STATES.get(key) or State(key, key, "warn", "unknown")
    problem = problem_of(vm, vmi) if found.kind not in ("good", "idle") else ""
    return State(found.key, found.word, found.kind, found.shape, problem) if problem else found


def problem_of(vm: VirtualMachine | None, vmi: VirtualMachineInstance | None) -> str:
    """Why the machine does not do what it should, in the API's own words; the most telling first."""
    seen = conditions_of(vmi) + conditions_of(vm)
    for kind, status in (
        ("Failure", "True"),
        ("ManualRecoveryRequired", "True"),
        ("PodScheduled", "False"),
        ("Synchronized", "False"),
        ("Provisioning", "False"),
        ("Paused", "True"),
        ("Ready", "False"),
    ):
        for one in seen:
            if one.type == kind and one.status == status and one.message:
                return one.message
    return ""
