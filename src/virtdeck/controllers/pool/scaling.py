"""Whether there are as many machines as there should be; pure."""

from virtdeck.controllers.pool.choosing import in_order
from virtdeck.controllers.pool.observed import CreateVm, DeleteVm, Seen
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.crds.pool.strategies import VirtualMachinePoolScaleInStrategy

BURST = 100  # machines made or deleted at one look; the rest follows at the next, which shows what came of it


def wanted_replicas(pool: VirtualMachinePool) -> int:
    """How many machines there should be; one when the spec says nothing."""
    return 1 if pool.spec.replicas is None else max(pool.spec.replicas, 0)


def decide_scaling(seen: Seen, revision: str) -> tuple[CreateVm | DeleteVm, ...]:
    """Machines to make, from the lowest free index on, or to delete, as the strategy says."""
    missing = wanted_replicas(seen.pool) - len(seen.staying)
    if missing > 0:
        return tuple(CreateVm(seen.pool, index, revision) for index in seen.free[: min(missing, BURST)])
    return _deletions(seen, min(-missing, BURST))


def _deletions(seen: Seen, count: int) -> tuple[DeleteVm, ...]:
    strategy = seen.pool.spec.scale_in_strategy or VirtualMachinePoolScaleInStrategy()
    if strategy.opportunistic is not None or strategy.unmanaged is not None:
        return ()
    policy = strategy.proactive.selection_policy if strategy.proactive else None
    return tuple(DeleteVm(machine.vm) for machine in in_order(seen.staying, policy, seen.seed)[:count])
