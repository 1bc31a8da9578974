"""What the pool's controller sees before it decides, and what it can do; values only."""

from dataclasses import dataclass
from datetime import datetime

from virtdeck.controllers import names
from virtdeck.controllers.vm.observed import is_final, is_live
from virtdeck.controllers.vm.strategy import ALWAYS, RERUN_ON_FAILURE, run_strategy
from virtdeck.crds import conditions as types
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.kube.conditions import holds
from virtdeck.kube.plans import Plan


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One VM of the pool with its VMI, if it has one. index: the number behind the pool's name."""

    vm: VirtualMachine
    index: int
    vmi: VirtualMachineInstance | None = None

    @property
    def name(self) -> str:
        return self.vm.metadata.name

    @property
    def revision(self) -> str | None:
        """The pool's revision that the VM was last written from."""
        return (self.vm.metadata.labels or {}).get(names.POOL_REVISION)

    @property
    def guest_revision(self) -> str | None:
        """The pool's revision that the guest was started from; None without a living guest."""
        if self.vmi is None or not self.is_on:
            return None
        return (self.vmi.metadata.labels or {}).get(names.POOL_REVISION)

    @property
    def is_leaving(self) -> bool:
        return self.vm.metadata.deletion_timestamp is not None

    @property
    def is_on(self) -> bool:
        """True while a guest lives that nobody has asked to end."""
        return is_live(self.vmi)

    @property
    def is_ready(self) -> bool:
        return self.vmi is not None and self.is_on and holds(self.vmi.status.conditions, types.READY)

    @property
    def comes_back(self) -> bool:
        """True when the VM starts a new guest by itself once its guest is deleted."""
        return run_strategy(self.vm) in (ALWAYS, RERUN_ON_FAILURE)

    @property
    def is_missed(self) -> bool:
        """True when a guest should serve here and does not."""
        ended = self.vmi is not None and is_final(self.vmi)
        return not self.is_ready and (self.comes_back or (self.vmi is not None and not ended))


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One pool and what belongs to it.

    machines: its VMs, by index. strays: VMs that it owns and whose labels no longer match, or whose names are
    none of its own. free: the lowest indices that no VM of the namespace has, enough for what is missing.
    revisions: its ControllerRevisions, as facts. seed: orders machines where the order is left to chance.
    """

    pool: VirtualMachinePool
    now: datetime
    machines: tuple[Machine, ...] = ()
    strays: tuple[VirtualMachine, ...] = ()
    free: tuple[int, ...] = ()
    revisions: tuple[ControllerRevision, ...] = ()
    seed: int = 0

    @property
    def staying(self) -> tuple[Machine, ...]:
        """The machines that nobody has deleted."""
        return tuple(found for found in self.machines if not found.is_leaving)


@dataclass(frozen=True)
class KeepRevision:
    """The pool's template as it is now is kept under this name."""

    pool: VirtualMachinePool
    name: str


@dataclass(frozen=True)
class CreateVm:
    """The machine of this index exists, written from this revision."""

    pool: VirtualMachinePool
    index: int
    revision: str


@dataclass(frozen=True)
class UpdateVm:
    """The machine is as the template says; its firmware's UUID and serial stay."""

    pool: VirtualMachinePool
    machine: Machine
    revision: str


@dataclass(frozen=True)
class DeleteVm:
    """Just this VM is asked to go."""

    vm: VirtualMachine


@dataclass(frozen=True)
class RestartGuest:
    """Just this guest is asked to end; its VM starts the next one from the new template."""

    vmi: VirtualMachineInstance


@dataclass(frozen=True)
class ReleaseVm:
    """The VM no longer belongs to the pool."""

    pool: VirtualMachinePool
    vm: VirtualMachine


@dataclass(frozen=True)
class DropRevision:
    """The revision that nothing shows any more is gone."""

    revision: ControllerRevision


Action = KeepRevision | CreateVm | UpdateVm | DeleteVm | RestartGuest | ReleaseVm | DropRevision
PoolPlan = Plan[Action, VirtualMachinePool]
