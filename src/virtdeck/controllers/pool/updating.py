"""Which machines take over a changed template now, and which guests are restarted for it; pure."""

from virtdeck.controllers.pool.choosing import in_order
from virtdeck.controllers.pool.observed import Action, DeleteVm, Machine, RestartGuest, Seen, UpdateVm
from virtdeck.controllers.pool.render import render_spec
from virtdeck.controllers.pool.scaling import BURST, wanted_replicas
from virtdeck.crds.codec import to_dict
from virtdeck.crds.pool.strategies import VirtualMachinePoolUpdateStrategy


def decide_updates(seen: Seen, revision: str) -> tuple[Action, ...]:
    """Every machine is written anew; then guests are restarted, as many at once as may be missed.

    A guest whose VM would not start another by itself shows the template at its next start.
    """
    strategy = seen.pool.spec.update_strategy or VirtualMachinePoolUpdateStrategy()
    if strategy.unmanaged is not None:
        return ()
    outdated = [machine for machine in seen.staying if machine.revision != revision]
    if outdated:
        return _rewrites(seen, outdated, revision, proactive=strategy.opportunistic is None)
    if strategy.opportunistic is not None:
        return ()
    policy = strategy.proactive.selection_policy if strategy.proactive else None
    running = [
        machine
        for machine in seen.staying
        if machine.comes_back and machine.guest_revision not in (None, revision)
    ]
    ordered = in_order(running, policy, seen.seed)
    chosen = _within_budget(seen, sorted(ordered, key=lambda machine: not machine.is_missed))
    return tuple(RestartGuest(machine.vmi) for machine in chosen if machine.vmi is not None)


def max_unavailable(seen: Seen) -> int:
    """How many machines may be missed at once; at least one, or no update could ever happen."""
    wanted, limit = wanted_replicas(seen.pool), seen.pool.spec.max_unavailable
    if limit is None:
        return max(wanted, 1)
    if isinstance(limit, str) and limit.endswith("%"):
        return max(wanted * int(limit[:-1]) // 100, 1)
    return max(int(limit), 1)


def _rewrites(
    seen: Seen, outdated: list[Machine], revision: str, *, proactive: bool
) -> tuple[UpdateVm | DeleteVm, ...]:
    """A machine whose disks' templates changed cannot be written anew: it is made anew, disks and all."""
    other_disks = [machine for machine in outdated if proactive and _disks_changed(seen, machine, revision)]
    gone = {machine.name for machine in other_disks}
    updates = [UpdateVm(seen.pool, found, revision) for found in outdated if found.name not in gone]
    deletions = [DeleteVm(machine.vm) for machine in _within_budget(seen, other_disks)]
    return (*updates[:BURST], *deletions)


def _disks_changed(seen: Seen, machine: Machine, revision: str) -> bool:
    known = [to_dict(found) for found in machine.vm.spec.data_volume_templates or ()]
    wanted = render_spec(seen.pool, machine.index, revision).get("dataVolumeTemplates", [])
    return [_disk(found) for found in known] != [_disk(found) for found in wanted]


def _disk(template: dict[str, object]) -> tuple[object, object]:
    meta = template.get("metadata")
    return (meta.get("name") if isinstance(meta, dict) else None, template.get("spec"))


def _within_budget(seen: Seen, machines: list[Machine]) -> list[Machine]:
    """Those that may go now: one that is missed already costs nothing."""
    left = max_unavailable(seen) - sum(machine.is_missed for machine in seen.staying)
    chosen = []
    for machine in machines:
        if not machine.is_missed:
            if left <= 0:
                continue
            left -= 1
        chosen.append(machine)
    return chosen
