"""The queue of wishes that virt-api leaves in the VM's status; pure."""

from virtdeck.controllers.vm.observed import Request, is_live
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

START = "Start"
STOP = "Stop"
PAUSED = "paused"


def open_requests(
    requests: tuple[Request, ...] | None, vmi: VirtualMachineInstance | None
) -> tuple[Request, ...]:
    """The requests that are not met yet; only the first one counts at a time."""
    left = tuple(requests or ())
    while left and _is_met(left[0], vmi):
        left = left[1:]
    return left


def asks_stop(requests: tuple[Request, ...], vmi: VirtualMachineInstance) -> bool:
    """True when the first request is to stop just this VMI."""
    return bool(requests) and requests[0].action == STOP and requests[0].uid == vmi.metadata.uid


def asks_start(requests: tuple[Request, ...]) -> bool:
    """True when the first request is to start."""
    return bool(requests) and requests[0].action == START


def asks_paused(requests: tuple[Request, ...]) -> bool:
    """True when the guest is to start with its processors standing still."""
    return asks_start(requests) and (requests[0].data or {}).get(PAUSED) == "true"


def _is_met(request: Request, vmi: VirtualMachineInstance | None) -> bool:
    """A stop is met when its VMI is no more, a start when a VMI lives; what is neither is dropped."""
    if request.action == STOP:
        return vmi is None or request.uid is None or request.uid != vmi.metadata.uid
    return request.action != START or is_live(vmi)
