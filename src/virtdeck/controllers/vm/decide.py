"""What becomes of a VM next; pure."""

from dataclasses import replace as dataclass_replace

from msgspec.structs import replace

from virtdeck.basis.errors import VirtdeckError
from virtdeck.controllers import names
from virtdeck.controllers.vm.backoff import start_failure
from virtdeck.controllers.vm.conditions import (
    failure_is_news,
    mirror_conditions,
    with_failed_start,
    with_failure,
    with_restart_required,
)
from virtdeck.controllers.vm.generation import (
    observed_generation,
    placement_action,
    stamp_action,
    template_changed,
)
from virtdeck.controllers.vm.observed import (
    Action,
    AdoptVmi,
    DeleteVmi,
    ReleaseVmi,
    Seen,
    StartVmi,
    SwitchOn,
    VmPlan,
    is_final,
    is_leaving,
)
from virtdeck.controllers.vm.power import Power, decide_power
from virtdeck.controllers.vm.printable import Facts, printable_status
from virtdeck.controllers.vm.requests import open_requests
from virtdeck.controllers.vm.sizing import ExpandVm, KeepFrozen, Sized, decide_size
from virtdeck.controllers.vm.snapshots import volume_snapshot_statuses
from virtdeck.controllers.vm.strategy import run_strategy
from virtdeck.crds import conditions as types
from virtdeck.crds import reasons
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import find_condition
from virtdeck.kube.errors import is_passing
from virtdeck.kube.plans import EventNote, Plan

ORPHANING = "orphan"


def decide(seen: Seen) -> VmPlan:
    """The plan for this VM, whatever state it is found in."""
    if seen.vm.metadata.deletion_timestamp:
        return _decide_deletion(seen)
    sized = decide_size(seen.vm, seen.named, seen.policy)
    if sized.expands:
        return Plan(actions=sized.actions)
    return _decide_alive(dataclass_replace(seen, vm=sized.vm), sized, seen.vm)


def _decide_alive(seen: Seen, sized: Sized, before: VirtualMachine) -> VmPlan:
    """The plan of a VM that stays, with its size at hand. before: the VM as it is stored."""
    strategy = run_strategy(seen.vm)
    requests = open_requests(seen.vm.status.state_change_requests, seen.vmi)
    failure = start_failure(seen.vm.status.start_failure, seen.vmi, strategy, seen.now, seen.chance)
    power = decide_power(seen, strategy, requests, failure)
    if seen.orphan is not None:
        return Plan(actions=(AdoptVmi(seen.vm, seen.orphan),))
    if seen.stranger and power.start_owed:
        power = Power(requests=power.requests)
        return _failed(seen, _show(seen, power), reasons.FAILED_CREATE, _STRANGER)
    if power.unknown:
        text = f"The run strategy {strategy} is not known"
        return _failed(seen, _show(seen, power), reasons.FAILED_CREATE, text)
    if sized.problem:
        return _unsized(seen, power, sized, before)
    wanted = _with_finalizer(_show(seen, power))
    return Plan(
        actions=(*sized.actions, *_actions(seen, power, wanted == before)),
        wanted=wanted,
        events=_events(power),
        again_after=power.wait_seconds or None,
    )


def _unsized(seen: Seen, power: Power, sized: Sized, before: VirtualMachine) -> VmPlan:
    """A VM whose size is not known does not start; what runs can still be stopped."""
    left = Power(requests=power.requests) if power.start_owed else power
    failed = _failed(seen, _show(seen, left, settled=False), sized.reason, sized.problem)
    return dataclass_replace(failed, actions=_actions(seen, left, failed.wanted == before))


def decide_failure(seen: Seen, action: Action, error: VirtdeckError) -> VmPlan:
    """How the VM tells that an action failed; an API server that is away is nobody's fault to tell."""
    if is_passing(error):
        return Plan()
    requests = open_requests(seen.vm.status.state_change_requests, seen.vmi)
    shown = _show(seen, Power(requests=requests, wait_seconds=0.0), settled=False)
    match action:
        case StartVmi() | AdoptVmi():
            text = f"The virtual machine instance could not be created: {error.message}"
            return _failed(seen, shown, reasons.FAILED_CREATE, text)
        case KeepFrozen() | ExpandVm():
            text = f"The instance type or preference could not be applied: {error.message}"
            return _failed(seen, shown, reasons.FAILED_CREATE, text)
        case DeleteVmi():
            text = f"The virtual machine instance could not be deleted: {error.message}"
            return _failed(seen, shown, reasons.FAILED_DELETE, text)
        case _:
            return _failed(seen, shown, "FailedUpdateError", f"An update failed: {error.message}")


_STRANGER = "A virtual machine instance by this name exists and does not belong to this virtual machine"


def _actions(seen: Seen, power: Power, shown: bool) -> tuple[Action, ...]:
    """The VMI's end is let go of only once the VM's status shows all that was learned from it."""
    changed = template_changed(seen)
    found: list[Action | None] = [power.action, stamp_action(seen, changed), placement_action(seen)]
    if seen.vmi is not None and shown:
        found.append(_release(seen.vmi))
    return tuple(action for action in found if action is not None)


def _release(vmi: VirtualMachineInstance) -> ReleaseVmi | None:
    """A guest that ended is let go, and one that was deleted before it came up, once its pod is gone."""
    held = vmi.metadata.finalizers or ()
    over = is_final(vmi) or (is_leaving(vmi) and names.VMI_FINALIZER not in held)
    return ReleaseVmi(vmi) if over and names.VM_FINALIZER in held else None


def _events(power: Power) -> tuple[EventNote, ...]:
    match power.action:
        case StartVmi():
            text = f"Started the virtual machine by creating its instance {power.action.vm.metadata.name}"
            return (EventNote("Normal", reasons.SUCCESSFUL_CREATE, text),)
        case DeleteVmi():
            text = f"Stopped the virtual machine by deleting its instance {power.action.vmi.metadata.uid}"
            return (EventNote("Normal", reasons.SUCCESSFUL_DELETE, text),)
        case SwitchOn():
            text = "Switched the virtual machine on, for it was asked to start paused"
            return (EventNote("Normal", reasons.SUCCESSFUL_UPDATE, text),)
        case _:
            return ()


def _show(seen: Seen, power: Power, *, settled: bool = True) -> VirtualMachine:
    """The VM with its whole status as it should be. settled: nothing failed."""
    vm, vmi, now = seen.vm, seen.vmi, seen.now
    strategy = run_strategy(vm)
    failure = start_failure(vm.status.start_failure, vmi, strategy, now, seen.chance)
    conditions = mirror_conditions(vm.status.conditions, vmi, now)
    conditions = with_restart_required(conditions, vmi, template_changed(seen), now)
    facts = Facts(
        vmi=vmi,
        strategy=strategy,
        deleting=vm.metadata.deletion_timestamp is not None,
        starting=isinstance(power.action, StartVmi),
        stopping=isinstance(power.action, DeleteVmi),
        failure=failure,
    )
    status = replace(
        vm.status,
        created=vmi is not None or None,
        ready=_is_ready(vmi) or None,
        printable_status=printable_status(facts),
        conditions=with_failed_start(conditions, vmi, failure, now) if settled else conditions,
        observed_generation=observed_generation(seen),
        desired_generation=vm.metadata.generation,
        run_strategy=_shown_strategy(seen, power, strategy, settled=settled),
        start_failure=failure,
        state_change_requests=power.requests or None,
        volume_snapshot_statuses=volume_snapshot_statuses(vm),
    )
    return replace(vm, status=status)


def _shown_strategy(seen: Seen, power: Power, strategy: str, *, settled: bool) -> str | None:
    """The strategy last acted on. A VM that never ran shows none, and a start that is owed stays owed."""
    shown = seen.vm.status.run_strategy
    if seen.vmi is not None:
        return strategy
    return shown if shown is None or power.start_owed or not settled else strategy


def _is_ready(vmi: VirtualMachineInstance | None) -> bool:
    ready: Condition | None = find_condition(vmi.status.conditions, types.READY) if vmi else None
    return ready is not None and ready.status == "True"


def _failed(seen: Seen, shown: VirtualMachine, reason: str, message: str) -> VmPlan:
    conditions = with_failure(shown.status.conditions or (), reason, message, seen.now)
    news = failure_is_news(seen.vm, reason, message)
    return Plan(
        wanted=_with_finalizer(replace(shown, status=replace(shown.status, conditions=conditions))),
        events=(EventNote("Warning", reason, message),) if news else (),
    )


def _with_finalizer(vm: VirtualMachine) -> VirtualMachine:
    known = vm.metadata.finalizers or ()
    if names.VM_FINALIZER in known or vm.metadata.deletion_timestamp:
        return vm
    return replace(vm, metadata=replace(vm.metadata, finalizers=(*known, names.VM_FINALIZER)))


def _decide_deletion(seen: Seen) -> VmPlan:
    """The VMI goes first; with orphaning it stays, and belongs to nobody."""
    finalizers = seen.vm.metadata.finalizers or ()
    power = Power(requests=seen.vm.status.state_change_requests or ())
    if seen.vmi is None or ORPHANING in finalizers:
        kept = tuple(name for name in finalizers if name != names.VM_FINALIZER)
        if kept == finalizers:
            return Plan()
        return Plan(wanted=replace(seen.vm, metadata=replace(seen.vm.metadata, finalizers=kept or None)))
    shown = _show(seen, power)
    if not is_leaving(seen.vmi):
        gone = Power(DeleteVmi(seen.vmi))
        return Plan(actions=(DeleteVmi(seen.vmi),), wanted=shown, events=_events(gone))
    release = _release(seen.vmi)
    return Plan(actions=(release,) if release else (), wanted=shown)
