"""What the VMI's controller sees before it decides, and what it can do; values only."""

from dataclasses import dataclass, field
from datetime import datetime

from virtdeck.controllers.cluster import ClusterConfig
from virtdeck.controllers.vmi.pod import LauncherSettings
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.plans import Plan


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One VMI and what is around it.

    pod: its own, None when no cache shows one. pod_gone: a live read found none either, so that absence is
    known. foreign_pods: names of pods that claim this VMI and are not its own, not yet told of. vm_gone: the
    VirtualMachine that wanted to see the VMI's end is no more. node_silent: no heartbeat of its virt-handler.
    """

    vmi: VirtualMachineInstance
    launcher: LauncherSettings
    now: datetime
    pod: Pod | None = None
    pod_gone: bool = False
    foreign_pods: tuple[str, ...] = ()
    vm_gone: bool = False
    node_silent: bool = False
    config: ClusterConfig = field(default_factory=ClusterConfig)


@dataclass(frozen=True)
class CreatePod:
    """The launcher pod exists."""

    pod: Pod


@dataclass(frozen=True)
class DeletePod:
    """Just this pod is asked to end."""

    namespace: str
    name: str
    uid: str


@dataclass(frozen=True)
class SetPodGate:
    """The pod's readiness gate says whether the guest's processors run."""

    pod: Pod
    open: bool


@dataclass(frozen=True)
class ConfirmPodGone:
    """The API server was asked whether the pod of this VMI is really absent."""

    vmi: VirtualMachineInstance


Action = CreatePod | DeletePod | SetPodGate | ConfirmPodGone
VmiPlan = Plan[Action, VirtualMachineInstance]
