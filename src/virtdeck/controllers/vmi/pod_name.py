"""A launcher pod's name, and whose pod a pod is."""

import hashlib

from virtdeck.controllers import names
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import OwnerReference

_PREFIX = "virt-launcher-"
_LONGEST = 63  # a pod's name becomes its host name


def pod_name(vmi: VirtualMachineInstance) -> str:
    """The one name that this VMI's pod can have: creating it twice is harmless."""
    digest = hashlib.sha256((vmi.metadata.uid or "").encode()).hexdigest()[:5]
    room = _LONGEST - len(_PREFIX) - len(digest) - 1
    return f"{_PREFIX}{(vmi.metadata.name or '')[:room].rstrip('-.')}-{digest}"


def controller_of(pod: Pod) -> OwnerReference | None:
    """The object that made the pod."""
    return next((owner for owner in pod.metadata.owner_references or () if owner.controller), None)


def is_own_pod(vmi: VirtualMachineInstance, pod: Pod) -> bool:
    """True for the pod that this controller made for just this VMI.

    Labels alone prove nothing, and an owner alone proves less: admission lets nobody else set these labels,
    but cannot select pods by their owner. Once the VMI was handed over, its status, which admission keeps for
    the components, has the pods' uids: a label that is lost then ends no guest.
    """
    owner, labels = controller_of(pod), pod.metadata.labels or {}
    if owner is None or owner.uid != vmi.metadata.uid or pod.metadata.name != pod_name(vmi):
        return False
    if known := vmi.status.active_pods:
        return pod.metadata.uid in known
    return labels.get(names.APP) == "virt-launcher" and labels.get(names.CREATED_BY) == vmi.metadata.uid


def claims_vmi(pod: Pod) -> str | None:
    """The uid of the VMI that the pod says it belongs to."""
    owner = controller_of(pod)
    if owner is not None and owner.kind == "VirtualMachineInstance":
        return owner.uid
    labels = pod.metadata.labels or {}
    return labels.get(names.CREATED_BY) if labels.get(names.APP) == "virt-launcher" else None
