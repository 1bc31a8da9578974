"""A VMI that is over or to be deleted: the guest ends, then the pod, then the finalizers go; pure."""

from datetime import timedelta

from msgspec.structs import replace

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.controllers import names
from virtdeck.controllers.vmi.absence import confirm_gone
from virtdeck.controllers.vmi.observed import DeletePod, Seen, VmiPlan
from virtdeck.controllers.vmi.pod_state import has_ended
from virtdeck.controllers.vmi.ready import ready_condition
from virtdeck.controllers.vmi.status import with_condition
from virtdeck.crds import reasons
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.grace import grace_seconds
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.plans import EventNote, Plan

# What virt-handler gets beyond the guest's grace period, before the pod is ended without it.
HANDLER_SECONDS = 15.0


def decide_end(seen: Seen) -> VmiPlan:
    """The plan for a VMI that is final or has a deletionTimestamp; it ends even with virt-handler dead."""
    if seen.pod is None:
        return _release(seen) if seen.pod_gone else confirm_gone(seen)
    wait = _guest_seconds(seen, seen.pod)
    if wait > 0:
        return Plan(wanted=_with_ready(seen), again_after=wait)
    if seen.pod.metadata.deletion_timestamp:
        return Plan(wanted=_with_ready(seen))
    return _delete_pod(seen, seen.pod)


def _guest_seconds(seen: Seen, pod: Pod) -> float:
    """How long the guest may still take to power off; 0 when there is none or its time is up."""
    status, deleted = seen.vmi.status, seen.vmi.metadata.deletion_timestamp
    if status.phase not in names.ON_NODE or deleted is None or has_ended(pod):
        return 0.0
    until = parse_rfc3339(deleted) + timedelta(seconds=grace_seconds(seen.vmi) + HANDLER_SECONDS)
    return max((until - seen.now).total_seconds(), 0.0)


def _delete_pod(seen: Seen, pod: Pod) -> VmiPlan:
    meta = pod.metadata
    message = f"Deleted virtual machine pod {meta.name}"
    return Plan(
        actions=(DeletePod(meta.namespace or "", meta.name or "", meta.uid or ""),),
        wanted=_with_ready(seen),
        events=(EventNote("Normal", reasons.SUCCESSFUL_DELETE, message),),
    )


def _release(seen: Seen) -> VmiPlan:
    """Nothing of the VMI is left on any node: it may go."""
    ours = {names.VMI_FINALIZER} | ({names.VM_FINALIZER} if seen.vm_gone else set())
    vmi = _with_ready(seen)
    kept = tuple(name for name in vmi.metadata.finalizers or () if name not in ours)
    if kept == (vmi.metadata.finalizers or ()):
        return Plan(wanted=vmi)
    return Plan(wanted=replace(vmi, metadata=replace(vmi.metadata, finalizers=kept or None)))


def _with_ready(seen: Seen) -> VirtualMachineInstance:
    """Only a VMI that stays is worth a write of its own."""
    if seen.vmi.metadata.deletion_timestamp:
        return seen.vmi
    ready = ready_condition(seen, seen.vmi.status.phase)
    return with_condition(seen.vmi, ready, seen.now) if ready else seen.vmi
