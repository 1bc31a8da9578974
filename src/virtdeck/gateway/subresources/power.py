"""Start, stop and restart, decided: from VM, instance and options to patches; pure.

A strategy that says by itself whether the guest runs is changed in the spec; one that leaves it to people
gets a request in ``status.stateChangeRequests``, which virt-controller carries out and removes.
"""

from dataclasses import dataclass
from typing import Any

from virtdeck.basis.errors import Conflict, Invalid
from virtdeck.crds import conditions
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.subresources.checks import has_condition, is_final

Fields = dict[str, Any]

FORCED_GRACE_SECONDS = 1
_MANUAL = ("Manual", "RerunOnFailure")
_FIXED = ("Always", "Once")


@dataclass(frozen=True)
class Patches:
    """Merge patches to make, in this order; the instance's is taken back if a later one fails."""

    vmi: Fields | None = None
    vm: Fields | None = None
    vm_status: Fields | None = None


def decide_start(vm: VirtualMachine, vmi: VirtualMachineInstance | None, paused: bool) -> Patches:
    """What makes the VM start. Raises: Conflict."""
    if vmi is not None and not is_final(vmi) and vmi.status.phase not in (None, "", "Unknown"):
        raise Conflict("the virtual machine is running already")
    if has_condition(vm.status.conditions, conditions.VM_MANUAL_RECOVERY_REQUIRED):
        raise Conflict("the virtual machine's volumes wait for manual recovery; it cannot be started before")
    match strategy_of(vm):
        case "Halted":
            if paused:
                return Patches(vm_status=request_fields(vm, start_request(paused=True)))
            return Patches(vm=strategy_fields(vm, "Always"))
        case "WaitAsReceiver":
            return Patches()
        case "RerunOnFailure" if vmi is not None and vmi.status.phase == "Failed":
            raise Conflict("RerunOnFailure starts a failed instance again by itself")
        case strategy if strategy in _MANUAL:
            first = (stop_request(vmi),) if vmi is not None and is_final(vmi) else ()
            return Patches(vm_status=request_fields(vm, *first, start_request(paused=paused)))
        case strategy:
            raise Conflict(f"{strategy} starts the virtual machine by itself: no manual start is needed")


def decide_stop(vm: VirtualMachine, vmi: VirtualMachineInstance | None, grace: int | None) -> Patches:
    """What makes the VM stop. Raises: Conflict, Invalid."""
    if grace is not None and grace < 0:
        raise Invalid("gracePeriod must not be negative", reason="BadRequest")
    strategy = strategy_of(vm)
    live = vmi if vmi is not None and not is_final(vmi) else None
    shorter = grace_fields(grace) if vmi is not None and grace is not None else None
    if strategy == "Halted":
        if vmi is None or not shorter or not _is_shorter(vmi, grace):
            raise Conflict("the virtual machine is not running, or is being stopped already")
        return Patches(vmi=shorter)
    if strategy in _MANUAL:
        if live is None:
            raise Conflict("the virtual machine is not running")
        return Patches(vmi=shorter, vm_status=request_fields(vm, stop_request(live)))
    return Patches(vmi=shorter, vm=strategy_fields(vm, "Halted"))


def decide_restart(vm: VirtualMachine, vmi: VirtualMachineInstance | None, grace: int | None) -> Patches:
    """What makes the VM stop and start again. Raises: Conflict, Invalid."""
    if grace not in (None, 0):
        raise Invalid("gracePeriodSeconds may only be 0, for a restart by force", reason="BadRequest")
    strategy = strategy_of(vm)
    if strategy in ("Halted", "Once"):
        raise Conflict(f"{strategy} does not allow a restart")
    if vmi is None:
        raise Conflict("the virtual machine is not running")
    if has_condition(vmi.status.conditions, conditions.VOLUMES_CHANGE):
        raise Conflict("volumes of the virtual machine are being moved; it cannot be restarted now")
    return Patches(
        vmi=grace_fields(FORCED_GRACE_SECONDS) if grace == 0 else None,
        vm_status=request_fields(vm, stop_request(vmi), start_request()),
    )


def strategy_of(vm: VirtualMachine) -> str:
    """The run strategy; ``running`` is its older twin."""
    return vm.spec.run_strategy or ("Always" if vm.spec.running else "Halted")


def strategy_fields(vm: VirtualMachine, wanted: str) -> Fields:
    """``wanted`` (Always or Halted) becomes the strategy, in the field that the VM uses."""
    if vm.spec.run_strategy is None and vm.spec.running is not None:
        return {"spec": {"running": wanted == "Always"}}
    return {"spec": {"runStrategy": wanted}}


def grace_fields(seconds: int | None) -> Fields:
    """The guest has ``seconds`` to shut down; None for as long as usual."""
    return {"spec": {"terminationGracePeriodSeconds": seconds}}


def start_request(*, paused: bool = False) -> Fields:
    """A request to start."""
    return {"action": "Start", "data": {"paused": "true"}} if paused else {"action": "Start"}


def stop_request(vmi: VirtualMachineInstance) -> Fields:
    """A request to stop this very instance."""
    return {"action": "Stop", "uid": vmi.metadata.uid}


def request_fields(vm: VirtualMachine, *requests: Fields) -> Fields:
    """The requests are posted; a lone stop takes the place of what waits. Raises: Conflict."""
    if vm.status.state_change_requests and (len(requests) != 1 or requests[0]["action"] != "Stop"):
        raise Conflict("a start or stop is underway already; wait for its end")
    return {"status": {"stateChangeRequests": list(requests)}}


def _is_shorter(vmi: VirtualMachineInstance, grace: int | None) -> bool:
    current = vmi.spec.termination_grace_period_seconds
    return grace is not None and (current is None or grace < current)
