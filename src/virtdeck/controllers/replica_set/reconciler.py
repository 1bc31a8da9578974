"""Observes replica sets and VMIs in caches, and carries out what was decided about them."""

from itertools import islice

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.controllers.caches import BY_OWNER, LOOSE_IN, Caches
from virtdeck.controllers.replica_set.decide import decide, decide_failure, wanted_replicas
from virtdeck.controllers.replica_set.observed import (
    Action,
    AdoptVmi,
    CreateVmi,
    DeleteVmi,
    ReleaseVmi,
    ReplicaSetPlan,
    Seen,
)
from virtdeck.controllers.replica_set.render import candidate_names, owner_reference, render_vmi
from virtdeck.controllers.vm.observed import is_leaving
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import OwnerReference
from virtdeck.crds.selectors import matches, requirements
from virtdeck.kube.client import Client
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change


class ReplicaSetReconciler:
    """The replica set controller's eyes and hands."""

    def __init__(self, client: Client, caches: Caches, queue: WorkQueue[Key], clock: Clock) -> None:
        self._client = client
        self._caches = caches
        self._queue = queue
        self._clock = clock

    # ---- what wakes it

    def replica_set_changed(self, change: Change[VirtualMachineInstanceReplicaSet]) -> None:
        self._queue.add(change.key)

    def vmi_changed(self, change: Change[VirtualMachineInstance]) -> None:
        """The set that owns the VMI, or owned it, is looked at; of a loose one, every set around."""
        for vmi in (change.old, change.new):
            owner = _controller(vmi) if vmi is not None else None
            if owner is not None and owner.kind == kinds.REPLICA_SET.kind:
                self._queue.add(Key(change.key.namespace, owner.name))
        if change.new is not None and _controller(change.new) is None:
            self._wake_takers(change.new)

    def _wake_takers(self, vmi: VirtualMachineInstance) -> None:
        for found in self._caches.replica_sets.all():
            meta = found.metadata
            if meta.namespace == vmi.metadata.namespace and _selects(found, vmi):
                self._queue.add(Key(meta.namespace, meta.name))

    # ---- observe, decide

    def observe(self, key: Key) -> Seen | None:
        found = self._caches.replica_sets.get(key.namespace, key.name)
        if found is None:
            return None
        owned = self._caches.vmis.find(BY_OWNER, found.metadata.uid)
        loose = self._caches.vmis.find(LOOSE_IN, key.namespace or "")
        members = [vmi for vmi in owned if _selects(found, vmi)]
        return Seen(
            replica_set=found,
            now=self._clock.now(),
            members=tuple(sorted(members, key=lambda vmi: vmi.metadata.name)),
            loose=tuple(vmi for vmi in loose if _selects(found, vmi) and not is_leaving(vmi)),
            strays=tuple(vmi for vmi in owned if not _selects(found, vmi) and not is_leaving(vmi)),
            free=self._free(found),
        )

    def subject(self, seen: Seen) -> VirtualMachineInstanceReplicaSet:
        return seen.replica_set

    def decide(self, seen: Seen) -> ReplicaSetPlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: Action, error: VirtdeckError) -> ReplicaSetPlan:
        return decide_failure(seen, action, error)

    # ---- act

    async def act(self, action: Action) -> None:
        match action:
            case CreateVmi():
                made, namespace = (
                    render_vmi(action.replica_set, action.name),
                    action.replica_set.metadata.namespace,
                )
                self._caches.vmis.absorb(await self._client.create(kinds.VMI, made, namespace))
            case DeleteVmi():
                await self._delete(action.vmi)
            case AdoptVmi():
                await self._adopt(action)
            case ReleaseVmi():
                uid = action.replica_set.metadata.uid
                await self._own(action.vmi, [owner for owner in _owners(action.vmi) if owner.uid != uid])

    async def _delete(self, vmi: VirtualMachineInstance) -> None:
        meta = vmi.metadata
        try:
            left = await self._client.delete(kinds.VMI, meta.name, meta.namespace, uid=meta.uid)
        except Absent:
            return
        if left is not None:
            self._caches.vmis.absorb(left)

    async def _adopt(self, action: AdoptVmi) -> None:
        """A set that is gone meanwhile adopts nobody: the VMI would be collected with it. Raises: Absent."""
        meta = action.replica_set.metadata
        now = await self._client.require(kinds.REPLICA_SET, meta.name, meta.namespace)
        if now.metadata.uid != meta.uid or now.metadata.deletion_timestamp:
            raise Absent(f"the replica set {meta.name} is gone")
        await self._own(action.vmi, [*_owners(action.vmi), owner_reference(action.replica_set)])

    async def _own(self, vmi: VirtualMachineInstance, owners: list[OwnerReference]) -> None:
        """The version is named: nobody else's owner reference is to be lost."""
        meta = vmi.metadata
        patch = {"metadata": {"resourceVersion": meta.resource_version, "ownerReferences": owners or None}}
        self._caches.vmis.absorb(await self._client.merge_patch(kinds.VMI, meta.name, meta.namespace, patch))

    # ---- what it sees

    def _free(self, found: VirtualMachineInstanceReplicaSet) -> tuple[str, ...]:
        """Whoever has a name has it until it is gone, a VMI on its way out included."""
        namespace = found.metadata.namespace
        free = (name for name in candidate_names(found) if self._caches.vmis.get(namespace, name) is None)
        return tuple(islice(free, wanted_replicas(found)))


def _selects(found: VirtualMachineInstanceReplicaSet, vmi: VirtualMachineInstance) -> bool:
    """An empty selector selects nothing, or the set would take every VMI."""
    tests = requirements(found.spec.selector)
    return bool(tests) and matches(tests, vmi.metadata.labels)


def _owners(vmi: VirtualMachineInstance) -> tuple[OwnerReference, ...]:
    return vmi.metadata.owner_references or ()


def _controller(vmi: VirtualMachineInstance) -> OwnerReference | None:
    return next((owner for owner in _owners(vmi) if owner.controller), None)
