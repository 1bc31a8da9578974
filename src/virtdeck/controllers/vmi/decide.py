"""What becomes of a VMI next; pure."""

from dataclasses import replace as replace_plan

from virtdeck.basis.errors import VirtdeckError
from virtdeck.controllers import names
from virtdeck.controllers.vmi.ending import decide_end
from virtdeck.controllers.vmi.observed import Action, ConfirmPodGone, CreatePod, DeletePod, Seen, VmiPlan
from virtdeck.controllers.vmi.placing import decide_placing, failed_create
from virtdeck.controllers.vmi.pod_name import pod_name
from virtdeck.controllers.vmi.running import decide_running
from virtdeck.controllers.vmi.status import with_condition
from virtdeck.crds import conditions as types
from virtdeck.crds import reasons
from virtdeck.crds.meta import Condition
from virtdeck.kube.errors import is_passing
from virtdeck.kube.plans import EventNote, Plan


def decide(seen: Seen) -> VmiPlan:
    """The plan for this VMI, whatever state it is found in."""
    plan = _decide_by_phase(seen)
    if not seen.foreign_pods:
        return plan
    told = tuple(
        EventNote(
            "Warning",
            "ForeignPodIgnored",
            f"Pod {name} carries this virtual machine's labels or owner, but is not its launcher: ignored",
        )
        for name in seen.foreign_pods
    )
    return replace_plan(plan, events=(*plan.events, *told))


def _decide_by_phase(seen: Seen) -> VmiPlan:
    vmi = seen.vmi
    if vmi.metadata.deletion_timestamp or vmi.status.phase in names.FINAL:
        return decide_end(seen)
    if vmi.status.phase in names.BEFORE_HANDOVER:
        return decide_placing(seen)
    return decide_running(seen)


def decide_failure(seen: Seen, action: Action, error: VirtdeckError) -> VmiPlan:
    """How the VMI tells that an action failed; an API server that is away is nobody's fault to tell."""
    if is_passing(error):
        return Plan()
    match action:
        case CreatePod():
            return failed_create(seen, error.message)
        case DeletePod():
            return _unsynchronized(seen, reasons.FAILED_DELETE, f"Pod {action.name}: {error.message}")
        case ConfirmPodGone():
            return Plan()
        case _:
            note = EventNote(
                "Warning", reasons.FAILED_POD_PATCH, f"Pod {pod_name(seen.vmi)}: {error.message}"
            )
            return Plan(events=(note,))


def _unsynchronized(seen: Seen, reason: str, message: str) -> VmiPlan:
    condition = Condition(type=types.SYNCHRONIZED, status="False", reason=reason, message=message)
    return Plan(
        wanted=with_condition(seen.vmi, condition, seen.now),
        events=(EventNote("Warning", reason, message),),
    )
