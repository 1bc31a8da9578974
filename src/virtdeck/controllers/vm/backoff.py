"""How long a VM whose guest never came up waits for its next start; pure."""

from datetime import datetime, timedelta

from virtdeck.basis.clock import parse_rfc3339, rfc3339
from virtdeck.controllers import names
from virtdeck.controllers.vm.observed import is_final
from virtdeck.controllers.vm.strategy import RESTARTING
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStartFailure
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

BASE_SECONDS = 10.0
CAP_SECONDS = 300.0
JITTER = 0.5  # at most this share of the wait is added by chance


def retry_seconds(failures: int, chance: float) -> float:
    """The wait after so many failed starts in a row. chance: 0 to 1."""
    return min(BASE_SECONDS * failures**2 * (1.0 + JITTER * chance), CAP_SECONDS)


def start_failure(
    former: VirtualMachineStartFailure | None,
    vmi: VirtualMachineInstance | None,
    strategy: str,
    now: datetime,
    chance: float,
) -> VirtualMachineStartFailure | None:
    """The failed starts, with this VMI counted once; none after one that ran."""
    if strategy not in RESTARTING or (vmi is not None and ever_ran(vmi)):
        return None
    known = former or VirtualMachineStartFailure()
    if vmi is None or not is_final(vmi) or known.last_failed_vmi_uid == vmi.metadata.uid:
        return former
    count = (known.consecutive_fail_count or 0) + 1
    return VirtualMachineStartFailure(
        consecutive_fail_count=count,
        last_failed_vmi_uid=vmi.metadata.uid,
        retry_after_timestamp=rfc3339(now + timedelta(seconds=retry_seconds(count, chance))),
    )


def seconds_left(failure: VirtualMachineStartFailure | None, now: datetime) -> float:
    """How long the next start has to wait."""
    if failure is None or not failure.retry_after_timestamp:
        return 0.0
    return max((parse_rfc3339(failure.retry_after_timestamp) - now).total_seconds(), 0.0)


def ever_ran(vmi: VirtualMachineInstance) -> bool:
    """True when the guest reached Running once."""
    reached = {entry.phase for entry in vmi.status.phase_transition_timestamps or ()}
    return vmi.status.phase == names.RUNNING or names.RUNNING in reached
