"""What the replica set's controller sees before it decides, and what it can do; values only."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from virtdeck.controllers import names
from virtdeck.controllers.vm.observed import is_final, is_leaving
from virtdeck.crds import conditions as types
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.conditions import holds
from virtdeck.kube.plans import Plan


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One set and the VMIs that it keeps or could keep.

    members: those that it owns and that match. loose: those that match and that nothing owns. strays: those
    that it owns and that match no more. free: names that no VMI of the namespace has, enough for what is
    missing.
    """

    replica_set: VirtualMachineInstanceReplicaSet
    now: datetime
    members: tuple[VirtualMachineInstance, ...] = ()
    loose: tuple[VirtualMachineInstance, ...] = ()
    strays: tuple[VirtualMachineInstance, ...] = ()
    free: tuple[str, ...] = ()

    @cached_property
    def living(self) -> tuple[VirtualMachineInstance, ...]:
        """The members that run or will, and that nobody has deleted."""
        return tuple(vmi for vmi in self.members if not is_over(vmi) and not is_leaving(vmi))

    @cached_property
    def over(self) -> tuple[VirtualMachineInstance, ...]:
        """The members that have ended, or that nobody knows about, and that are still there."""
        return tuple(vmi for vmi in self.members if is_over(vmi) and not is_leaving(vmi))


def is_over(vmi: VirtualMachineInstance) -> bool:
    """True when the guest has ended, or is out of sight."""
    return is_final(vmi) or vmi.status.phase == names.UNKNOWN


def is_ready(vmi: VirtualMachineInstance) -> bool:
    """True while the guest serves."""
    return holds(vmi.status.conditions, types.READY)


@dataclass(frozen=True)
class CreateVmi:
    """A VMI of this name exists, made from the template."""

    replica_set: VirtualMachineInstanceReplicaSet
    name: str


@dataclass(frozen=True)
class DeleteVmi:
    """Just this VMI is asked to end."""

    vmi: VirtualMachineInstance


@dataclass(frozen=True)
class AdoptVmi:
    """The VMI belongs to the set."""

    replica_set: VirtualMachineInstanceReplicaSet
    vmi: VirtualMachineInstance


@dataclass(frozen=True)
class ReleaseVmi:
    """The VMI no longer belongs to the set."""

    replica_set: VirtualMachineInstanceReplicaSet
    vmi: VirtualMachineInstance


Action = CreateVmi | DeleteVmi | AdoptVmi | ReleaseVmi
ReplicaSetPlan = Plan[Action, VirtualMachineInstanceReplicaSet]
