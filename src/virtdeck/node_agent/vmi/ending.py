"""Whether a guest is over, why, and what phase that makes; pure."""

from dataclasses import dataclass
from typing import Literal

from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.pod_containers import ContainerStateTerminated
from virtdeck.node_agent.vmi.seen import Seen
from virtdeck.wire.launcher import EndReason, LauncherState

COMPUTE_CONTAINER = "compute"


@dataclass(frozen=True)
class Ending:
    """How a guest ended. reason: the VMI's, empty when it ended in peace. message: for people."""

    phase: Literal["Succeeded", "Failed"]
    reason: str
    message: str


_PEACEFUL: dict[EndReason, str] = {
    "Shutdown": "the guest powered off",
    "Destroyed": "the guest was stopped",
}
_FAILURES: dict[EndReason, tuple[str, str]] = {
    "Panicked": ("GuestPanicked", "the guest's kernel panicked"),
    "Crashed": ("Crashed", "QEMU was killed or crashed"),
    "LibvirtLost": ("LibvirtLost", "libvirtd was killed or crashed"),
    "Failed": ("StartFailed", "the guest could not be started"),
}


def decide_ending(seen: Seen) -> Ending | None:
    """How the guest ended; None while there is no evidence that it did."""
    state = seen.state
    if state is not None and state.phase == "Ended":
        return _of_domain(seen, state)
    if seen.launcher is not None and seen.launcher.stage == "Ended":
        return Ending("Failed", "LauncherLost", "virt-launcher was killed or crashed, and the guest with it")
    if seen.connected:
        return _of_lost_domain(seen)
    return _of_pod(seen)


def _of_domain(seen: Seen, state: LauncherState) -> Ending:
    reason: EndReason = state.end_reason or "Failed"
    if reason == "Destroyed" and seen.grace_seconds > 0 and seen.deletion is not None:
        text = f"the guest did not power off within {seen.grace_seconds} s and was stopped"
        return Ending("Failed", "GuestIgnoredShutdown", text)
    if reason in _PEACEFUL:
        return Ending("Succeeded", "", _PEACEFUL[reason])
    name, text = _FAILURES.get(reason, _FAILURES["Failed"])
    return Ending("Failed", name, state.message or text)


def _of_lost_domain(seen: Seen) -> Ending | None:
    """A running guest's launcher that knows of no domain is another launcher than the guest's."""
    state = seen.state
    if seen.phase == "Running" and state is not None and state.phase == "NoDomain":
        return Ending("Failed", "LauncherLost", "the launcher no longer knows the guest")
    return None


def _of_pod(seen: Seen) -> Ending | None:
    """What the pod's status proves when its launcher is not there to ask."""
    pod = seen.pod
    if pod is None:
        if seen.phase == "Running":
            return Ending("Failed", "PodNotExists", "the guest's pod was deleted, and the guest with it")
        return None
    ended = terminated_state(pod)
    if ended is None and pod.status.phase not in {"Succeeded", "Failed"}:
        return None
    if ended is not None and ended.exit_code == 0 and seen.phase == "Running":
        return Ending("Succeeded", "", "the guest ended while virt-handler was away")
    return Ending("Failed", "PodFailed", _describe(pod, ended))


def terminated_state(pod: Pod) -> ContainerStateTerminated | None:
    """How the launcher's container ended; None while it has not."""
    for status in pod.status.container_statuses or ():
        if status.name == COMPUTE_CONTAINER and status.state is not None:
            return status.state.terminated
    return None


def _describe(pod: Pod, ended: ContainerStateTerminated | None) -> str:
    if ended is None:
        why = pod.status.message or pod.status.reason or "it does not say why"
        return f"the guest's pod {pod.metadata.name} failed: {why[:500]}"
    why = ended.message or ended.reason or ""
    text = f"virt-launcher ended with exit code {ended.exit_code}"
    return f"{text}: {why[:500]}" if why else text
