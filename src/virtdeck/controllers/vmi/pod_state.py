"""What a pod's status means for its VMI; pure."""

from typing import NamedTuple

from virtdeck.controllers.vmi.pod import COMPUTE
from virtdeck.crds import reasons
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.pod_containers import ContainerState, ContainerStatus
from virtdeck.kube.conditions import find_condition

POD_FAILED = "PodFailed"
ENDED = frozenset({"Succeeded", "Failed"})
_PULL_BACK_OFF = frozenset({"ImagePullBackOff"})
_PULL_FAULTS = frozenset(
    {"ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable"}
)
_ORDINARY = frozenset({"ContainerCreating", "PodInitializing", "", None})


class Trouble(NamedTuple):
    """Why a pod does not get on. ``reason`` is the VMI's condition reason."""

    reason: str
    message: str


def is_running(pod: Pod) -> bool:
    """True when the launcher itself runs, be the guest ready or not."""
    state = _compute_state(pod)
    return pod.status.phase == "Running" and state is not None and state.running is not None


def has_ended(pod: Pod) -> bool:
    """True when the launcher ran or was refused, and will not run again."""
    return pod.status.phase in ENDED


def ended_at(pod: Pod) -> str | None:
    """When the launcher ended; None when nobody wrote it down."""
    state = _compute_state(pod)
    return state.terminated.finished_at if state and state.terminated else None


def end_of(pod: Pod) -> Trouble:
    """Why the pod ended, in the words of whoever ended it."""
    state = _compute_state(pod)
    terminated = state.terminated if state else None
    if pod.status.reason or not terminated:
        reason = pod.status.reason or POD_FAILED
        return Trouble(reason, pod.status.message or f"the launcher pod is {pod.status.phase}")
    cause = f"exit code {terminated.exit_code}"
    if terminated.signal:
        cause = f"signal {terminated.signal}"
    text = f"the launcher ended with {cause}"
    return Trouble(terminated.reason or POD_FAILED, f"{text}: {terminated.message or 'no message'}")


def scheduling_trouble(pod: Pod) -> Trouble | None:
    """Why no node takes the pod."""
    scheduled = find_condition(pod.status.conditions, "PodScheduled")
    if scheduled is None or scheduled.status != "False":
        return None
    return Trouble(scheduled.reason or "Unschedulable", scheduled.message or "no node takes the pod")


def container_trouble(pod: Pod) -> Trouble | None:
    """Why a container of the pod does not start: its image above all."""
    for status in (*(pod.status.init_container_statuses or ()), *(pod.status.container_statuses or ())):
        waiting = status.state.waiting if status.state else None
        if waiting and waiting.reason not in _ORDINARY:
            reason = waiting.reason or ""
            return Trouble(_image_reason(reason), waiting.message or f"{status.name} waits: {reason}")
    return None


def _image_reason(reason: str) -> str:
    if reason in _PULL_BACK_OFF:
        return reasons.IMAGE_PULL_BACK_OFF
    return reasons.ERR_IMAGE_PULL if reason in _PULL_FAULTS else reason


def compute_image(pod: Pod) -> str | None:
    """The launcher image that the pod was made with."""
    return next((container.image for container in pod.spec.containers if container.name == COMPUTE), None)


def _compute_state(pod: Pod) -> ContainerState | None:
    found: ContainerStatus | None = next(
        (status for status in pod.status.container_statuses or () if status.name == COMPUTE), None
    )
    return found.state if found else None
