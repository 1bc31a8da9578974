"""How often a guest's own words may be written: a guest can change its mind faster than an API server can."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from virtdeck.crds import conditions as types
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstanceStatus
from virtdeck.kube.conditions import drop_conditions
from virtdeck.node_agent.vmi.status import GUEST_REPORT_TRUNCATED

# A guest that boots reports a few times within seconds; one that never stops is held to this.
REPORTS = 6
WINDOW = timedelta(minutes=1)

_GUEST_CONDITIONS = (types.AGENT_CONNECTED, GUEST_REPORT_TRUNCATED)


def guest_words_only(former: VirtualMachineInstanceStatus, wanted: VirtualMachineInstanceStatus) -> bool:
    """The two differ, and only in what the guest says of itself."""
    if former == wanted:
        return False
    return _without_guest_words(former) == _without_guest_words(wanted)


def wait_seconds(reports: tuple[datetime, ...], now: datetime) -> float:
    """How long the guest's next report must wait; 0 when it may be written now."""
    recent = [moment for moment in reports if moment > now - WINDOW]
    if len(recent) < REPORTS:
        return 0.0
    return (recent[-REPORTS] + WINDOW - now).total_seconds()


def _without_guest_words(status: VirtualMachineInstanceStatus) -> VirtualMachineInstanceStatus:
    ours = tuple(
        replace(interface, interface_name=None, info_source=None)
        for interface in status.interfaces or ()
        if interface.name
    )
    conditions = drop_conditions(status.conditions, _GUEST_CONDITIONS) or None
    return replace(status, guest_os_info=None, interfaces=ours, conditions=conditions)
