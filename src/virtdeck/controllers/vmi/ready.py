"""The VMI's Ready condition and the pod's readiness gate; pure."""

from virtdeck.controllers import names
from virtdeck.controllers.vmi.observed import Seen, SetPodGate
from virtdeck.crds import conditions as types
from virtdeck.crds.conditions import Reason
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import find_condition, holds

# What a kubelet writes while a readiness gate is closed.
_GATES_NOT_READY = "ReadinessGatesNotReady"


def ready_condition(seen: Seen, phase: str | None) -> Condition | None:
    """Whether the guest serves, as its pod says; None to leave the answer as it is."""
    pod = seen.pod
    if pod is None:
        return _not_ready(Reason.POD_NOT_EXISTS, "the launcher pod does not exist")
    if pod.metadata.deletion_timestamp:
        return _not_ready(Reason.POD_TERMINATING, "the launcher pod is being deleted")
    if phase != names.RUNNING:
        return _not_ready(Reason.GUEST_NOT_RUNNING, "the guest is not running")
    ready = find_condition(pod.status.conditions, "Ready")
    if gate_action(seen) or (ready and ready.reason == _GATES_NOT_READY and _gate(pod) == "True"):
        return None  # the pod is about to change: a write less for every watcher
    return _mirrored(ready)


def _mirrored(ready: Condition | None) -> Condition:
    if ready is None:
        return _not_ready(Reason.POD_CONDITION_MISSING, "the launcher pod has no Ready condition yet")
    return Condition(
        type=types.READY,
        status=ready.status,
        reason=ready.reason,
        message=ready.message,
        last_transition_time=ready.last_transition_time,
    )


def gate_action(seen: Seen) -> SetPodGate | None:
    """The pod counts as ready only while the guest's processors run; None when its gate says so already."""
    pod, status = seen.pod, seen.vmi.status
    if pod is None or pod.metadata.deletion_timestamp or status.phase != names.RUNNING:
        return None
    wanted = not holds(status.conditions, types.PAUSED)
    return None if _gate(pod) == ("True" if wanted else "False") else SetPodGate(pod, wanted)


def _gate(pod: Pod) -> str | None:
    gate = find_condition(pod.status.conditions, types.POD_UNPAUSED)
    return gate.status if gate else None


def _not_ready(reason: str, message: str) -> Condition:
    return Condition(type=types.READY, status="False", reason=reason, message=message)
