"""How the VMI's status changes: phase with its time, conditions; pure."""

from datetime import datetime
from typing import Any

from msgspec.structs import replace

from virtdeck.basis.clock import rfc3339
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstancePhaseTransitionTimestamp
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import drop_conditions, set_condition


def with_status(vmi: VirtualMachineInstance, **fields: Any) -> VirtualMachineInstance:
    """The VMI with these fields of its status."""
    return replace(vmi, status=replace(vmi.status, **fields))


def with_phase(
    vmi: VirtualMachineInstance, phase: str, now: datetime, reason: str | None = None
) -> VirtualMachineInstance:
    """The VMI in this phase since now, and why; unchanged when it was in it before."""
    if vmi.status.phase == phase:
        return vmi
    return with_status(with_transition(vmi, phase, rfc3339(now)), phase=phase, reason=reason)


def with_transition(vmi: VirtualMachineInstance, phase: str, moment: str) -> VirtualMachineInstance:
    """The VMI with the time it entered the phase; the first one counts."""
    known = vmi.status.phase_transition_timestamps or ()
    if any(entry.phase == phase for entry in known):
        return vmi
    entry = VirtualMachineInstancePhaseTransitionTimestamp(phase=phase, phase_transition_timestamp=moment)
    return with_status(vmi, phase_transition_timestamps=(*known, entry))


def with_condition(
    vmi: VirtualMachineInstance, condition: Condition, now: datetime
) -> VirtualMachineInstance:
    """The VMI with this answer."""
    return with_status(vmi, conditions=set_condition(vmi.status.conditions, condition, rfc3339(now)))


def without_conditions(vmi: VirtualMachineInstance, *types: str) -> VirtualMachineInstance:
    """The VMI with these questions no longer asked."""
    return with_status(vmi, conditions=drop_conditions(vmi.status.conditions, types))
