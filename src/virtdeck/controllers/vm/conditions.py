"""The VM's conditions: its own, and those that mirror its VMI; pure."""

from datetime import datetime

from virtdeck.basis.clock import rfc3339
from virtdeck.controllers.vm.observed import is_final
from virtdeck.crds import conditions as types
from virtdeck.crds.conditions import Reason
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStartFailure
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import Conditions, drop_conditions, find_condition, put_condition, set_condition

_OWN = frozenset(
    {types.VM_READY, types.VM_FAILURE, types.VM_RESTART_REQUIRED, types.VM_MANUAL_RECOVERY_REQUIRED}
)
_FAILED_START = "The last start failed"


def mirror_conditions(
    former: Conditions, vmi: VirtualMachineInstance | None, now: datetime
) -> tuple[Condition, ...]:
    """The VM's own answers, and beside them exactly those of the VMI."""
    found = tuple(known for known in former or () if known.type in _OWN)
    found = _with_ready(found, vmi, now)
    for condition in (vmi.status.conditions or ()) if vmi else ():
        if condition.type not in _OWN:
            found = put_condition(found, condition)
    return found


def with_failure(
    conditions: tuple[Condition, ...], reason: str, message: str, now: datetime
) -> tuple[Condition, ...]:
    """The conditions, saying that and why the VM could not be brought where it should be."""
    failure = Condition(type=types.VM_FAILURE, status="True", reason=reason, message=message)
    return set_condition(conditions, failure, rfc3339(now))


def with_failed_start(
    conditions: tuple[Condition, ...],
    vmi: VirtualMachineInstance | None,
    failure: VirtualMachineStartFailure | None,
    now: datetime,
) -> tuple[Condition, ...]:
    """The conditions of a VM that is where it should be or on its way: while its starts fail, they say why.

    The VMI that failed is soon gone, and what it said with it.
    """
    if failure is None:
        return drop_conditions(conditions, (types.VM_FAILURE,)) or ()
    if vmi is not None and is_final(vmi):
        return with_failure(conditions, *_why_it_failed(vmi), now)
    known = find_condition(conditions, types.VM_FAILURE)
    if known is None or (known.message or "").startswith(_FAILED_START):
        return conditions
    return drop_conditions(conditions, (types.VM_FAILURE,)) or ()


def _why_it_failed(vmi: VirtualMachineInstance) -> tuple[str, str]:
    found = find_condition(vmi.status.conditions, types.SYNCHRONIZED)
    if found is not None and found.status == "False":
        return found.reason or "StartFailed", f"{_FAILED_START}: {found.message}"
    reason = vmi.status.reason or "StartFailed"
    return reason, f"{_FAILED_START} ({reason}); its events say more"


def with_restart_required(
    conditions: tuple[Condition, ...],
    vmi: VirtualMachineInstance | None,
    changed: bool | None,
    now: datetime,
) -> tuple[Condition, ...]:
    """Says that the running guest differs from the spec. changed: None when nobody knows what it was
    started with; then the answer stays as it was."""
    if vmi is None or is_final(vmi) or changed is False:
        return drop_conditions(conditions, (types.VM_RESTART_REQUIRED,)) or ()
    if changed is None:
        return conditions
    wanted = Condition(
        type=types.VM_RESTART_REQUIRED,
        status="True",
        reason="TemplateChanged",
        message="The template has changed in a way that a running guest cannot take over; restart it",
    )
    return set_condition(conditions, wanted, rfc3339(now))


def failure_is_news(vm: VirtualMachine, reason: str, message: str) -> bool:
    """True when the VM did not say so already."""
    known = find_condition(vm.status.conditions, types.VM_FAILURE)
    return known is None or (known.reason, known.message) != (reason, message)


def _with_ready(
    conditions: tuple[Condition, ...], vmi: VirtualMachineInstance | None, now: datetime
) -> tuple[Condition, ...]:
    if vmi is None:
        return _not_ready(conditions, Reason.VMI_NOT_EXISTS, "the virtual machine does not run", now)
    ready = find_condition(vmi.status.conditions, types.READY)
    if ready is None:
        text = "nothing is known yet of the guest's readiness"
        return _not_ready(conditions, Reason.VMI_CONDITION_MISSING, text, now)
    return put_condition(conditions, ready)


def _not_ready(
    conditions: tuple[Condition, ...], reason: str, message: str, now: datetime
) -> tuple[Condition, ...]:
    wanted = Condition(type=types.VM_READY, status="False", reason=reason, message=message)
    return set_condition(conditions, wanted, rfc3339(now))
