"""What the VM's controller sees before it decides, and what it can do; values only."""

from dataclasses import dataclass
from datetime import datetime

from virtdeck.controllers import names
from virtdeck.controllers.vm.sizing import REFERENCE, ExpandVm, KeepFrozen, Named
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStateChangeRequest
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.plans import Plan

Request = VirtualMachineStateChangeRequest


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One VM and its VMI.

    vmi: its own. stranger: a VMI by the VM's name that belongs to something else. orphan: one that belongs to
    nothing. revisions: the VM's start revisions, as facts. chance: 0 to 1, for the back-off's jitter.
    named: its instance type and preference. policy: how the installation keeps such.
    """

    vm: VirtualMachine
    now: datetime
    chance: float = 0.0
    vmi: VirtualMachineInstance | None = None
    stranger: bool = False
    orphan: VirtualMachineInstance | None = None
    revisions: tuple[ControllerRevision, ...] = ()
    named: tuple[Named, ...] = ()
    policy: str = REFERENCE


@dataclass(frozen=True)
class StartVmi:
    """The start revision and the VMI exist; older start revisions do not."""

    vm: VirtualMachine
    paused: bool


@dataclass(frozen=True)
class DeleteVmi:
    """Just this VMI is asked to end."""

    vmi: VirtualMachineInstance


@dataclass(frozen=True)
class AdoptVmi:
    """The VMI belongs to the VM."""

    vm: VirtualMachine
    vmi: VirtualMachineInstance


@dataclass(frozen=True)
class ReleaseVmi:
    """The VM has recorded the VMI's end: its finalizer no longer holds it."""

    vmi: VirtualMachineInstance


@dataclass(frozen=True)
class SwitchOn:
    """The spec says Always: a Halted VM was started paused."""

    vm: VirtualMachine


@dataclass(frozen=True)
class StampGeneration:
    """The VMI says that it shows this generation of the VM, whose template did not change."""

    vmi: VirtualMachineInstance
    generation: int


@dataclass(frozen=True)
class SyncPlacement:
    """The VMI carries the VM's node selector, affinity and tolerations, for its next placement."""

    vm: VirtualMachine
    vmi: VirtualMachineInstance


Action = (
    StartVmi
    | DeleteVmi
    | AdoptVmi
    | ReleaseVmi
    | SwitchOn
    | StampGeneration
    | SyncPlacement
    | KeepFrozen
    | ExpandVm
)
VmPlan = Plan[Action, VirtualMachine]


def is_live(vmi: VirtualMachineInstance | None) -> bool:
    """True while the VMI is neither over nor on its way out."""
    return vmi is not None and not is_final(vmi) and not is_leaving(vmi)


def is_final(vmi: VirtualMachineInstance) -> bool:
    """True when the guest ended."""
    return vmi.status.phase in names.FINAL


def is_leaving(vmi: VirtualMachineInstance) -> bool:
    """True when the VMI was deleted and still has to end."""
    return vmi.metadata.deletion_timestamp is not None
