"""A VMI that a node owns: Ready follows the pod, and a launcher that is no more ends it; pure."""

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.controllers import names
from virtdeck.controllers.vmi.absence import decide_absence
from virtdeck.controllers.vmi.observed import Seen, VmiPlan
from virtdeck.controllers.vmi.pod_state import end_of, ended_at, has_ended
from virtdeck.controllers.vmi.ready import gate_action, ready_condition
from virtdeck.controllers.vmi.status import with_condition, with_phase
from virtdeck.crds.core.pod import Pod
from virtdeck.kube.plans import EventNote, Plan

# virt-handler knows better how the guest ended than an exit code does; it gets this long to say so.
HANDLER_SECONDS = 5.0


def decide_running(seen: Seen) -> VmiPlan:
    """The plan for a VMI from Scheduled on."""
    pod = seen.pod
    if pod is None:
        return decide_absence(seen)
    if has_ended(pod):
        wait = _left_to_handler(seen, pod)
        return Plan(again_after=wait) if wait > 0 else _ended(seen, pod)
    gate = gate_action(seen)
    ready = ready_condition(seen, seen.vmi.status.phase)
    return Plan(
        actions=(gate,) if gate else (),
        wanted=with_condition(seen.vmi, ready, seen.now) if ready else None,
    )


def _left_to_handler(seen: Seen, pod: Pod) -> float:
    """Seconds until the pod's own end counts."""
    moment = ended_at(pod)
    if moment is None:
        return 0.0
    return HANDLER_SECONDS - (seen.now - parse_rfc3339(moment)).total_seconds()


def _ended(seen: Seen, pod: Pod) -> VmiPlan:
    end = end_of(pod)
    clean = pod.status.phase == "Succeeded" and seen.vmi.status.phase == names.RUNNING
    phase = names.SUCCEEDED if clean else names.FAILED
    vmi = with_phase(seen.vmi, phase, seen.now, None if clean else end.reason)
    ready = ready_condition(seen, phase)
    if ready:
        vmi = with_condition(vmi, ready, seen.now)
    note = EventNote("Normal" if clean else "Warning", end.reason, end.message)
    return Plan(wanted=vmi, events=(note,))
