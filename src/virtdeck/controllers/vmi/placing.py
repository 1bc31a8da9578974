"""From a new VMI to one that a node owns: its pod is made, placed and started; pure."""

from datetime import timedelta

from msgspec.structs import replace

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.basis.errors import Invalid
from virtdeck.controllers import names
from virtdeck.controllers.vmi.absence import decide_absence
from virtdeck.controllers.vmi.observed import CreatePod, Seen, VmiPlan
from virtdeck.controllers.vmi.pod import render_pod
from virtdeck.controllers.vmi.pod_state import (
    Trouble,
    compute_image,
    container_trouble,
    end_of,
    has_ended,
    is_running,
    scheduling_trouble,
)
from virtdeck.controllers.vmi.ready import ready_condition
from virtdeck.controllers.vmi.status import (
    with_condition,
    with_phase,
    with_status,
    with_transition,
    without_conditions,
)
from virtdeck.crds import conditions as types
from virtdeck.crds import reasons
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import find_condition
from virtdeck.kube.plans import EventNote, Plan

# A pod that starts within this time costs no write of its own for the phase Scheduling. Its creation time has
# whole seconds, so this is one second at least.
QUICK_SECONDS = 2.0


def decide_placing(seen: Seen) -> VmiPlan:
    """The plan for a VMI that no node owns yet."""
    pod = seen.pod
    if pod is None:
        return _create(seen) if seen.vmi.status.phase != names.SCHEDULING else decide_absence(seen)
    if has_ended(pod):
        return _failed_start(seen, end_of(pod))
    if pod.metadata.deletion_timestamp:
        return Plan(wanted=_with_ready(seen, seen.vmi))
    if is_running(pod) and pod.spec.node_name:
        return _hand_over(seen, pod, pod.spec.node_name)
    return _wait(seen, pod)


def failed_create(seen: Seen, problem: str) -> VmiPlan:
    """The VMI tells that its pod could not be made."""
    message = f"The launcher pod could not be created: {problem}"
    return _unsynchronized(seen, seen.vmi, Trouble(reasons.FAILED_CREATE, message))


def _create(seen: Seen) -> VmiPlan:
    try:
        pod = render_pod(seen.vmi, seen.launcher, seen.config)
    except Invalid as problem:
        return failed_create(seen, problem.message)
    message = f"Created virtual machine pod {pod.metadata.name}"
    return Plan(
        actions=(CreatePod(pod),),
        wanted=_without_trouble(seen.vmi, (reasons.FAILED_CREATE,)),
        events=(EventNote("Normal", reasons.SUCCESSFUL_CREATE, message),),
    )


def _hand_over(seen: Seen, pod: Pod, node: str) -> VmiPlan:
    """From here on the VMI belongs to the node's virt-handler; all of it is one write."""
    vmi = with_transition(seen.vmi, names.SCHEDULING, pod.metadata.creation_timestamp or "")
    vmi = with_phase(vmi, names.SCHEDULED, seen.now)
    vmi = without_conditions(vmi, types.POD_SCHEDULED, types.SYNCHRONIZED)
    vmi = with_status(
        vmi,
        node_name=node,
        active_pods={pod.metadata.uid or "": node},
        qos_class=pod.status.qos_class or vmi.status.qos_class,
        runtime_user=seen.launcher.uid,
        launcher_container_image_version=compute_image(pod),
        migration_transport="Unix",
    )
    labels = {**(vmi.metadata.labels or {}), names.NODE_NAME: node}
    vmi = replace(vmi, metadata=replace(vmi.metadata, labels=labels))
    note = EventNote("Normal", reasons.SUCCESSFUL_HAND_OVER, f"Pod ownership transferred to the node {node}")
    return Plan(wanted=_with_ready(seen, vmi), events=(note,))


def _wait(seen: Seen, pod: Pod) -> VmiPlan:
    """The pod is on its way; what holds it up stands in the VMI's conditions."""
    scheduling, container = scheduling_trouble(pod), container_trouble(pod)
    age = seen.now - parse_rfc3339(pod.metadata.creation_timestamp or seen.now.isoformat())
    if not (scheduling or container or age >= timedelta(seconds=QUICK_SECONDS)):
        return Plan(again_after=QUICK_SECONDS)
    vmi = with_phase(seen.vmi, names.SCHEDULING, seen.now)
    vmi = _with_ready(seen, _with_scheduling(seen, vmi, scheduling))
    if container is None:
        known = (reasons.ERR_IMAGE_PULL, reasons.IMAGE_PULL_BACK_OFF, reasons.FAILED_CREATE)
        return Plan(wanted=_without_trouble(vmi, known))
    return _unsynchronized(seen, vmi, container)


def _with_scheduling(
    seen: Seen, vmi: VirtualMachineInstance, trouble: Trouble | None
) -> VirtualMachineInstance:
    """KubeVirt shows PodScheduled only while it is False."""
    if trouble is None:
        return without_conditions(vmi, types.POD_SCHEDULED)
    condition = Condition(
        type=types.POD_SCHEDULED, status="False", reason=trouble.reason, message=trouble.message
    )
    return with_condition(vmi, condition, seen.now)


def _failed_start(seen: Seen, trouble: Trouble) -> VmiPlan:
    message = f"The launcher pod ended before the guest started: {trouble.message}"
    vmi = with_phase(seen.vmi, names.FAILED, seen.now, trouble.reason)
    plan = _unsynchronized(seen, vmi, Trouble(trouble.reason, message))
    return Plan(wanted=_with_ready(seen, plan.wanted or vmi), events=plan.events)


def _unsynchronized(seen: Seen, vmi: VirtualMachineInstance, trouble: Trouble) -> VmiPlan:
    """The trouble as a condition, and as an event when it is news."""
    former = find_condition(vmi.status.conditions, types.SYNCHRONIZED)
    condition = Condition(
        type=types.SYNCHRONIZED, status="False", reason=trouble.reason, message=trouble.message
    )
    news = former is None or (former.status, former.reason) != ("False", trouble.reason)
    notes = (EventNote("Warning", trouble.reason, trouble.message),) if news else ()
    return Plan(wanted=with_condition(vmi, condition, seen.now), events=notes)


def _without_trouble(vmi: VirtualMachineInstance, known: tuple[str, ...]) -> VirtualMachineInstance:
    former = find_condition(vmi.status.conditions, types.SYNCHRONIZED)
    return without_conditions(vmi, types.SYNCHRONIZED) if former and former.reason in known else vmi


def _with_ready(seen: Seen, vmi: VirtualMachineInstance) -> VirtualMachineInstance:
    ready = ready_condition(seen, vmi.status.phase)
    return with_condition(vmi, ready, seen.now) if ready else vmi
