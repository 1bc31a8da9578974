"""Whether a VM's guest should run now, by its run strategy; pure."""

from dataclasses import dataclass

from virtdeck.controllers import names
from virtdeck.controllers.vm.backoff import seconds_left
from virtdeck.controllers.vm.observed import (
    DeleteVmi,
    Request,
    Seen,
    StartVmi,
    SwitchOn,
    is_final,
    is_leaving,
)
from virtdeck.controllers.vm.requests import START, asks_paused, asks_start, asks_stop
from virtdeck.controllers.vm.strategy import KNOWN
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStartFailure
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance


@dataclass(frozen=True)
class Power:
    """What to do about the guest, and the requests that stay open.

    wait_seconds: until a start that the back-off holds up. unknown: the strategy is none that we know.
    """

    action: StartVmi | DeleteVmi | SwitchOn | None = None
    requests: tuple[Request, ...] = ()
    wait_seconds: float = 0.0
    unknown: bool = False

    @property
    def start_owed(self) -> bool:
        """True when a start was decided and no VMI shows it yet."""
        return isinstance(self.action, StartVmi) or self.wait_seconds > 0


def decide_power(
    seen: Seen,
    strategy: str,
    requests: tuple[Request, ...],
    failure: VirtualMachineStartFailure | None,
) -> Power:
    """The row of the strategy's table that fits what was seen."""
    vmi = seen.vmi
    if vmi is not None:
        return _with_vmi(vmi, strategy, requests)
    return _without_vmi(seen, strategy, requests, seconds_left(failure, seen.now))


def _with_vmi(vmi: VirtualMachineInstance, strategy: str, requests: tuple[Request, ...]) -> Power:
    keep, delete = Power(requests=requests), Power(DeleteVmi(vmi), requests)
    if is_leaving(vmi) or strategy not in KNOWN:
        return Power(requests=requests, unknown=strategy not in KNOWN)
    stop = asks_stop(requests, vmi)
    match strategy:
        case "Always":
            return delete if stop or is_final(vmi) else keep
        case "RerunOnFailure":
            return _rerun(vmi, requests, delete, stop=stop)
        case "Manual":
            return delete if stop else keep
        case "Halted":
            return delete
        case _:  # Once
            return keep


def _rerun(vmi: VirtualMachineInstance, requests: tuple[Request, ...], delete: Power, *, stop: bool) -> Power:
    """A failed guest is replaced: the wish to start is stored first, so that it outlives this process."""
    if vmi.status.phase == names.FAILED and not stop and not asks_start(requests):
        return Power(requests=(*requests, Request(action=START)))
    return delete if stop or is_final(vmi) else Power(requests=requests)


def _without_vmi(seen: Seen, strategy: str, requests: tuple[Request, ...], wait: float) -> Power:
    if strategy not in KNOWN:
        return Power(requests=requests, unknown=True)
    start = Power(StartVmi(seen.vm, asks_paused(requests)), requests)
    held = Power(requests=requests, wait_seconds=wait) if wait > 0 else start
    idle = Power(requests=requests)
    match strategy:
        case "Always":
            return held
        case "RerunOnFailure":
            switched = seen.vm.status.run_strategy != strategy
            return held if asks_start(requests) or switched else idle
        case "Manual":
            return start if asks_start(requests) else idle
        case "Halted":
            return Power(SwitchOn(seen.vm), requests) if asks_start(requests) else idle
        case _:  # Once
            return start
