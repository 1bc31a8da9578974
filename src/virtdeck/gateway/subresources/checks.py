"""What must hold for a running instance before something is done with it; pure."""

from virtdeck.basis.errors import Conflict, Invalid, Refused
from virtdeck.crds import conditions
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition

_FINAL = ("Succeeded", "Failed")


def is_final(vmi: VirtualMachineInstance) -> bool:
    """The guest is gone for good."""
    return vmi.status.phase in _FINAL


def is_running(vmi: VirtualMachineInstance) -> bool:
    """The guest runs, or is paused."""
    return vmi.status.phase == "Running"


def has_condition(found: tuple[Condition, ...] | None, kind: str, status: str = "True") -> bool:
    """The condition is there with this status."""
    return any(one.type == kind and one.status == status for one in found or ())


def is_paused(vmi: VirtualMachineInstance) -> bool:
    """The guest's processors stand still."""
    return has_condition(vmi.status.conditions, conditions.PAUSED)


def require_running(vmi: VirtualMachineInstance) -> None:
    """Raises: Conflict."""
    if not is_running(vmi):
        raise Conflict(f"the instance is not running: its phase is {vmi.status.phase or 'unset'}")


def foresee_paused(vmi: VirtualMachineInstance, wanted: bool) -> None:
    """For dry runs, what virt-handler would say of the guest's state. Raises: Conflict.

    Otherwise virt-handler is asked itself: the status runs behind it by a moment, and a script that pauses
    and unpauses would be refused for what was true before.
    """
    if is_paused(vmi) != wanted:
        raise Conflict("the instance is not paused" if wanted else "the instance is paused already")


def check_pause(vmi: VirtualMachineInstance) -> None:
    """Raises: Conflict, Refused."""
    require_running(vmi)
    probe = vmi.spec.liveness_probe
    if probe is not None and probe.guest_agent_ping is None:
        raise Refused("an instance with a liveness probe cannot be paused: the probe would end it")


def check_unpause(vmi: VirtualMachineInstance, vm: VirtualMachine | None) -> None:
    """Raises: Conflict."""
    if vm is not None and vm.status.snapshot_in_progress:
        raise Conflict(f"snapshot {vm.status.snapshot_in_progress} is being taken; wait for its end")
    require_running(vmi)


def check_softreboot(vmi: VirtualMachineInstance) -> None:
    """Raises: Conflict."""
    require_running(vmi)
    if not has_condition(vmi.status.conditions, conditions.AGENT_CONNECTED) and not _has_acpi(vmi):
        raise Conflict("the guest can be asked to reboot neither by its agent nor by ACPI")


def check_agent(vmi: VirtualMachineInstance) -> None:
    """Raises: Conflict."""
    require_running(vmi)
    if not has_condition(vmi.status.conditions, conditions.AGENT_CONNECTED):
        raise Conflict("the guest agent is not connected")


def check_console(vmi: VirtualMachineInstance) -> None:
    """Raises: Invalid (400), Conflict."""
    if vmi.spec.domain.devices.autoattach_serial_console is False:
        raise Invalid("the instance has no serial console", reason="BadRequest")
    if vmi.status.phase == "Failed":
        raise Conflict("the instance has failed")
    _require_running_400(vmi)


def check_screen(vmi: VirtualMachineInstance) -> None:
    """Raises: Invalid (400)."""
    if vmi.spec.domain.devices.autoattach_graphics_device is False:
        raise Invalid("the instance has no graphics device", reason="BadRequest")
    _require_running_400(vmi)


def check_forward(vmi: VirtualMachineInstance) -> None:
    """Raises: Invalid (400), Conflict."""
    if is_paused(vmi):
        raise Conflict("the instance is paused")
    if not any(interface.ip_address for interface in vmi.status.interfaces or ()):
        raise Invalid("the instance has no network interface with an address", reason="BadRequest")


def read_port(text: str) -> int:
    """The port that a path names. Raises: Invalid."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:6]) < 65536 or len(text) > 5:
        raise Invalid(f"{text!r} is not a port between 1 and 65535", reason="BadRequest")
    return int(text)


def read_protocol(text: str) -> str:
    """``tcp`` or ``udp``. Raises: Invalid."""
    if text not in ("tcp", "udp"):
        raise Invalid(f"protocol {text!r} is neither tcp nor udp", reason="BadRequest")
    return text


def check_migrate(vmi: VirtualMachineInstance, schedulable_nodes: int) -> None:
    """The guest could go somewhere else. Raises: Conflict, with the reason why not."""
    require_running(vmi)
    for one in vmi.status.conditions or ():
        if one.type == conditions.LIVE_MIGRATABLE and one.status == "False":
            raise Conflict(
                f"the instance cannot be migrated: {one.message or one.reason or 'no reason given'}"
            )
    if schedulable_nodes < 2:
        raise Conflict("there is no other node that the instance could be migrated to")


def _has_acpi(vmi: VirtualMachineInstance) -> bool:
    features = vmi.spec.domain.features
    return features is None or features.acpi is None or features.acpi.enabled is not False


def _require_running_400(vmi: VirtualMachineInstance) -> None:
    if not is_running(vmi):
        raise Invalid(
            f"the instance is not running: its phase is {vmi.status.phase or 'unset'}", reason="BadRequest"
        )
