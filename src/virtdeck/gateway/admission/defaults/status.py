"""What a new VMI says of itself before anybody has acted on it, and who may say more (D32, D35–D37, D39)."""

from virtdeck.crds.plain import listed, unset
from virtdeck.gateway.admission.amounts import bytes_or_none
from virtdeck.gateway.admission.copying import copied
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults.draft import ChangedInstance, NewInstance

DEFAULTS: Defaults[NewInstance] = Defaults("VMI, created")
CHANGED: Defaults[ChangedInstance] = Defaults("VMI, changed")

FINALIZER = "kubevirt.io/foregroundDeleteVirtualMachine"
_QEMU = 107  # user id of qemu in KubeVirt's images


@DEFAULTS.fills("D36", "metadata.finalizers", FINALIZER)
def finalizer(draft: NewInstance) -> None:
    """It is absent: the object stays until its pod is known to be gone."""
    if FINALIZER not in (draft.metadata.get("finalizers") or ()):
        draft.metadata["finalizers"] = [*(draft.metadata.get("finalizers") or ()), FINALIZER]


@DEFAULTS.fills("D37", "status.phase", "Pending, with the time of this transition")
def phase(draft: NewInstance) -> None:
    """It is absent; saying it from the first moment spares a write."""
    if draft.status.get("phase") in (None, ""):
        draft.status["phase"] = "Pending"
        stamp = {"phase": "Pending", "phaseTransitionTimestamp": draft.fresh.now}
        listed(draft.status, "phaseTransitionTimestamps").append(stamp)


@DEFAULTS.fills("D32a", "status.currentCPUTopology", "spec.domain.cpu's cores, sockets and threads")
def current_topology(draft: NewInstance) -> None:
    """It is absent."""
    cpu = draft.domain["cpu"]
    unset(draft.status, "currentCPUTopology", {key: cpu[key] for key in ("cores", "sockets", "threads")})


@DEFAULTS.fills("D32b", "status.memory.{guestAtBoot|guestCurrent|guestRequested}", "spec.domain.memory.guest")
def current_memory(draft: NewInstance) -> None:
    """status.memory is absent."""
    guest = (draft.domain.get("memory") or {}).get("guest")
    if bytes_or_none(guest) is not None:
        keys = ("guestAtBoot", "guestCurrent", "guestRequested")
        unset(draft.status, "memory", dict.fromkeys(keys, guest))


@DEFAULTS.fills("D35", "status.runtimeUser", str(_QEMU))
def runtime_user(draft: NewInstance) -> None:
    """It is absent and the gate Root is off: the launcher is no root."""
    if draft.status.get("runtimeUser") is None and not draft.cluster.gate("Root"):
        draft.status["runtimeUser"] = _QEMU


@CHANGED.fills("D39", "status", "what is stored")
def status_is_the_components(draft: ChangedInstance) -> None:
    """Another than the components changes it: a VMI has no status subresource that could be guarded."""
    before = draft.old.get("status")
    if draft.vmi.get("status") == before or draft.cluster.is_component(draft.user):
        return
    if before is None:
        draft.vmi.pop("status", None)
    else:
        draft.vmi["status"] = copied(before)
