"""A running guest's status as the VMI shows it; pure."""

from msgspec.structs import replace

from virtdeck.basis.clock import rfc3339
from virtdeck.crds import conditions as types
from virtdeck.crds.conditions import Reason
from virtdeck.crds.kubevirt.cpu import CPUTopology
from virtdeck.crds.kubevirt.domain import Machine
from virtdeck.crds.kubevirt.memory import MemoryStatus
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.vmi_status import (
    VirtualMachineInstanceGuestOSInfo,
    VirtualMachineInstancePhaseTransitionTimestamp,
    VirtualMachineInstanceStatus,
)
from virtdeck.crds.kubevirt.volume_status import VolumeStatus
from virtdeck.crds.meta import Condition
from virtdeck.crds.quantity import format_bytes, parse_bytes
from virtdeck.kube.conditions import Conditions, drop_conditions, set_condition
from virtdeck.node_agent.vmi.interfaces import interface_statuses
from virtdeck.node_agent.vmi.seen import Seen
from virtdeck.wire.launcher import LauncherState

GUEST_REPORT_TRUNCATED = "GuestReportTruncated"
_LONGEST_TEXT = 256
_PAUSE_TEXTS = {
    Reason.PAUSED_BY_USER: "a user paused the guest",
    Reason.PAUSED_IO_ERROR: "a disk of the guest failed; unpause it when the storage is back",
    Reason.PAUSED_BY_MIGRATION_MONITOR: "the guest waits for its migration",
}


def running_status(seen: Seen, state: LauncherState) -> VirtualMachineInstanceStatus:
    """The status of a guest that runs or is paused; fields of other writers are as they were."""
    status = seen.vmi.status
    domain = state.domain
    volumes = volume_statuses(seen, domain.disk_targets if domain else {})
    return replace(
        enter_phase(status, "Running", state.since),
        reason=None,
        interfaces=interface_statuses(seen, state),
        conditions=running_conditions(seen, state),
        machine=Machine(type=domain.machine) if domain and domain.machine else status.machine,
        memory=_memory(seen.vmi, domain.memory_bytes if domain else 0),
        current_cpu_topology=_topology(seen.vmi),
        volume_status=volumes or None,
        migration_method=migration_method(seen.vmi),
        guest_os_info=_guest_os(state) or status.guest_os_info,
        fs_freeze_status=_freeze_status(seen, status),
    )


def enter_phase(status: VirtualMachineInstanceStatus, phase: str, since: str) -> VirtualMachineInstanceStatus:
    """The status in this phase, its begin noted if it was in another. since: RFC 3339."""
    if status.phase == phase:
        return status
    stamp = VirtualMachineInstancePhaseTransitionTimestamp(phase=phase, phase_transition_timestamp=since)
    return replace(
        status,
        phase=phase,
        phase_transition_timestamps=(*(status.phase_transition_timestamps or ()), stamp),
    )


def running_conditions(seen: Seen, state: LauncherState) -> Conditions:
    """The conditions of a guest that runs or is paused."""
    conditions = drop_conditions(seen.vmi.status.conditions, (types.SYNCHRONIZED,))
    wanted = {
        types.PAUSED: _paused(state),
        types.AGENT_CONNECTED: _agent_connected(state),
        types.LIVE_MIGRATABLE: _live_migratable(seen.vmi),
        types.SOFTWARE_EMULATION: _emulation(seen),
        GUEST_REPORT_TRUNCATED: _truncated(state),
    }
    for kind, condition in wanted.items():
        if condition is None:
            conditions = drop_conditions(conditions, (kind,))
        else:
            conditions = set_condition(conditions, condition, now_text(seen))
    return conditions


def volume_statuses(seen: Seen, targets: dict[str, str]) -> tuple[VolumeStatus, ...]:
    """Where each volume is in the guest; sizes that were found out stay known."""
    known = {volume.name: volume for volume in seen.vmi.status.volume_status or ()}
    return tuple(
        VolumeStatus(
            name=volume.name,
            target=targets.get(volume.name, ""),
            size=_size(seen, volume.name, known.get(volume.name)),
        )
        for volume in sorted(seen.vmi.spec.volumes or (), key=lambda volume: volume.name)
    )


def migration_method(vmi: VirtualMachineInstance) -> str:
    """How the guest would move: disks that only this node has must be copied."""
    return (
        "BlockMigration" if any(_is_local(volume) for volume in vmi.spec.volumes or ()) else "LiveMigration"
    )


def _is_local(volume: object) -> bool:
    names = ("container_disk", "cloud_init_no_cloud", "cloud_init_config_drive", "empty_disk", "ephemeral")
    return any(getattr(volume, name) is not None for name in names)


def _size(seen: Seen, name: str, known: VolumeStatus | None) -> int | None:
    if seen.images and name in seen.images:
        return seen.images[name].virtual_size
    return known.size if known else None


def _paused(state: LauncherState) -> Condition | None:
    if state.phase != "Paused":
        return None
    reason = Reason.PAUSED_BY_USER if state.pause_reason in {None, "StartedPaused"} else state.pause_reason
    text = (
        "the guest was started paused" if state.pause_reason == "StartedPaused" else _PAUSE_TEXTS.get(reason)
    )
    return Condition(type=types.PAUSED, status="True", reason=reason, message=state.message or text)


def _agent_connected(state: LauncherState) -> Condition | None:
    return Condition(type=types.AGENT_CONNECTED, status="True") if state.agent.connected else None


def _truncated(state: LauncherState) -> Condition | None:
    if not state.agent.truncated:
        return None
    text = "the guest agent reports more than is kept; what is shown was cut"
    return Condition(type=GUEST_REPORT_TRUNCATED, status="True", reason="TooMuch", message=text)


def _live_migratable(vmi: VirtualMachineInstance) -> Condition:
    if any(interface.bridge is not None for interface in vmi.spec.domain.devices.interfaces or ()):
        reason = Reason.INTERFACE_NOT_LIVE_MIGRATABLE
        text = "the guest has the pod's own address (bridge binding), which stays on this node"
    else:
        reason = "SingleNode"
        text = "there is no other node that the guest could move to"
    return Condition(type=types.LIVE_MIGRATABLE, status="False", reason=reason, message=text)


def _emulation(seen: Seen) -> Condition | None:
    if seen.host.accelerator != "tcg":
        return None
    text = f"the guest's processor is emulated and slow, for KVM does not work here: {seen.host.kvm.message}"
    return Condition(type=types.SOFTWARE_EMULATION, status="True", reason=seen.host.kvm.reason, message=text)


def _memory(vmi: VirtualMachineInstance, current: int) -> MemoryStatus:
    known = vmi.status.memory or MemoryStatus()
    asked = _asked_memory(vmi)
    return replace(
        known,
        guest_at_boot=known.guest_at_boot or asked,
        guest_requested=asked,
        guest_current=format_bytes(current) if current else known.guest_current or asked,
    )


def _asked_memory(vmi: VirtualMachineInstance) -> str | None:
    memory, resources = vmi.spec.domain.memory, vmi.spec.domain.resources
    asked = (memory and memory.guest) or ((resources and resources.requests) or {}).get("memory")
    return format_bytes(parse_bytes(asked)) if asked is not None else None


def _topology(vmi: VirtualMachineInstance) -> CPUTopology:
    cpu = vmi.spec.domain.cpu
    if cpu is None:
        return CPUTopology(cores=1, sockets=1, threads=1)
    return CPUTopology(cores=cpu.cores or 1, sockets=cpu.sockets or 1, threads=cpu.threads or 1)


def _guest_os(state: LauncherState) -> VirtualMachineInstanceGuestOSInfo | None:
    os = {name: value[:_LONGEST_TEXT] for name, value in state.agent.os.items()}
    if not os:
        return None
    return VirtualMachineInstanceGuestOSInfo(
        name=os.get("name"),
        id=os.get("id"),
        kernel_release=os.get("kernelRelease"),
        kernel_version=os.get("kernelVersion"),
        machine=os.get("machine"),
        pretty_name=os.get("prettyName"),
        version=os.get("version"),
        version_id=os.get("versionId"),
    )


def _freeze_status(seen: Seen, status: VirtualMachineInstanceStatus) -> str | None:
    if seen.frozen_until is None:
        return status.fs_freeze_status
    return None if seen.thaws_in_seconds is None else "frozen"


def now_text(seen: Seen) -> str:
    """The moment of the observation as the API writes it."""
    return rfc3339(seen.now)
