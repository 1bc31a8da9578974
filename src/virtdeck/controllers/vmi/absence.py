"""What it means that a VMI's pod is not there; pure."""

from virtdeck.controllers import names
from virtdeck.controllers.vmi.observed import ConfirmPodGone, Seen, VmiPlan
from virtdeck.controllers.vmi.pod_name import pod_name
from virtdeck.controllers.vmi.ready import ready_condition
from virtdeck.controllers.vmi.status import with_condition, with_phase
from virtdeck.crds import reasons
from virtdeck.crds.conditions import Reason
from virtdeck.kube.plans import EventNote, Plan


def confirm_gone(seen: Seen) -> VmiPlan:
    """A cache that shows no pod is no proof: the API server is asked before anything is concluded."""
    return Plan(actions=(ConfirmPodGone(seen.vmi),))


def decide_absence(seen: Seen) -> VmiPlan:
    """The plan for a VMI that had a pod and has none: without its launcher, no guest lives."""
    if not seen.pod_gone:
        return confirm_gone(seen)
    reason = reasons.NODE_UNRESPONSIVE if seen.node_silent else Reason.POD_NOT_EXISTS
    message = f"The pod {pod_name(seen.vmi)} is gone, and the guest with it"
    if seen.node_silent:
        message = f"{message}; the node {seen.vmi.status.node_name} does not respond"
    vmi = with_phase(seen.vmi, names.FAILED, seen.now, reason)
    ready = ready_condition(seen, names.FAILED)
    if ready:
        vmi = with_condition(vmi, ready, seen.now)
    return Plan(wanted=vmi, events=(EventNote("Warning", reason, message),))
