"""Observes pools and their machines in caches, and carries out what was decided about them."""

import zlib
from collections.abc import Iterator
from itertools import count, islice

import structlog

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, Conflict, VirtdeckError
from virtdeck.controllers.caches import BY_OWNER, Caches
from virtdeck.controllers.pool.decide import decide, decide_failure
from virtdeck.controllers.pool.observed import (
    Action,
    CreateVm,
    DeleteVm,
    DropRevision,
    KeepRevision,
    Machine,
    PoolPlan,
    ReleaseVm,
    RestartGuest,
    Seen,
    UpdateVm,
)
from virtdeck.controllers.pool.render import machine_index, machine_name, render_machine, update_operations
from virtdeck.controllers.pool.revision import render_revision
from virtdeck.controllers.pool.scaling import wanted_replicas
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.crds.selectors import matches, requirements
from virtdeck.kube.client import Client
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change

_log = structlog.get_logger()


class PoolReconciler:
    """The pool controller's eyes and hands."""

    def __init__(self, client: Client, caches: Caches, queue: WorkQueue[Key], clock: Clock) -> None:
        self._client = client
        self._caches = caches
        self._queue = queue
        self._clock = clock

    # ---- what wakes it

    def pool_changed(self, change: Change[VirtualMachinePool]) -> None:
        self._queue.add(change.key)

    def vm_changed(self, change: Change[VirtualMachine]) -> None:
        """The pool that owns the VM, or owned it, is looked at."""
        for vm in (change.old, change.new):
            if vm is not None and (name := _pool_name(vm.metadata)):
                self._queue.add(Key(vm.metadata.namespace, name))

    def vmi_changed(self, change: Change[VirtualMachineInstance]) -> None:
        """A VM and its VMI have one name."""
        vm = self._caches.vms.get(change.key.namespace, change.key.name)
        if vm is not None and (name := _pool_name(vm.metadata)):
            self._queue.add(Key(vm.metadata.namespace, name))

    # ---- observe, decide

    def observe(self, key: Key) -> Seen | None:
        pool = self._caches.pools.get(key.namespace, key.name)
        if pool is None:
            return None
        tests = requirements(pool.spec.selector)
        owned = self._caches.vms.find(BY_OWNER, pool.metadata.uid)
        machines, strays = [], []
        for vm in owned:
            index = machine_index(pool, vm.metadata.name)
            if index is not None and matches(tests, vm.metadata.labels):
                machines.append(Machine(vm=vm, index=index, vmi=self._guest(vm)))
            else:
                strays.append(vm)
        return Seen(
            pool=pool,
            now=self._clock.now(),
            machines=tuple(sorted(machines, key=lambda found: found.index)),
            strays=tuple(strays),
            free=tuple(islice(self._free(pool), wanted_replicas(pool))),
            revisions=tuple(self._caches.revisions.find(BY_OWNER, pool.metadata.uid)),
            seed=zlib.crc32(pool.metadata.resource_version.encode()),
        )

    def subject(self, seen: Seen) -> VirtualMachinePool:
        return seen.pool

    def decide(self, seen: Seen) -> PoolPlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: Action, error: VirtdeckError) -> PoolPlan:
        return decide_failure(seen, action, error)

    # ---- act

    async def act(self, action: Action) -> None:
        match action:
            case KeepRevision():
                await self._keep_revision(action)
            case CreateVm():
                made = render_machine(action.pool, action.index, action.revision)
                namespace = action.pool.metadata.namespace
                self._caches.vms.absorb(await self._client.create(kinds.VM, made, namespace))
            case UpdateVm():
                await self._update(action)
            case DeleteVm():
                await self._delete_vm(action.vm.metadata)
            case RestartGuest():
                await self._delete_vmi(action.vmi.metadata)
            case ReleaseVm():
                await self._release(action)
            case DropRevision():
                await self._drop_revision(action.revision.metadata)

    async def _keep_revision(self, action: KeepRevision) -> None:
        wanted = render_revision(action.pool, action.name)
        try:
            made = await self._client.create(kinds.CONTROLLER_REVISION, wanted, wanted.metadata.namespace)
            self._caches.revisions.absorb(made)
        except Conflict:
            _log.debug("revision_exists", revision=action.name)

    async def _update(self, action: UpdateVm) -> None:
        meta = action.machine.vm.metadata
        patch = update_operations(action.pool, action.machine, action.revision)
        self._caches.vms.absorb(await self._client.json_patch(kinds.VM, meta.name, meta.namespace, patch))

    async def _release(self, action: ReleaseVm) -> None:
        """The version is named: nobody else's owner reference is to be lost."""
        meta = action.vm.metadata
        left = [owner for owner in meta.owner_references or () if owner.uid != action.pool.metadata.uid]
        changed = {"resourceVersion": meta.resource_version, "ownerReferences": left or None}
        self._caches.vms.absorb(
            await self._client.merge_patch(kinds.VM, meta.name, meta.namespace, {"metadata": changed})
        )

    async def _delete_vm(self, meta: ObjectMeta) -> None:
        try:
            left = await self._client.delete(kinds.VM, meta.name, meta.namespace, uid=meta.uid)
        except Absent:
            return
        if left is not None:
            self._caches.vms.absorb(left)

    async def _delete_vmi(self, meta: ObjectMeta) -> None:
        try:
            left = await self._client.delete(kinds.VMI, meta.name, meta.namespace, uid=meta.uid)
        except Absent:
            return
        if left is not None:
            self._caches.vmis.absorb(left)

    async def _drop_revision(self, meta: ObjectMeta) -> None:
        try:
            await self._client.delete(kinds.CONTROLLER_REVISION, meta.name, meta.namespace, uid=meta.uid)
        except Absent:
            _log.debug("revision_gone", revision=meta.name)

    # ---- what it sees

    def _guest(self, vm: VirtualMachine) -> VirtualMachineInstance | None:
        """The VM's own guest; a stranger by the same name is none."""
        vmi = self._caches.vmis.get(vm.metadata.namespace, vm.metadata.name)
        owners = (vmi.metadata.owner_references or ()) if vmi else ()
        return vmi if any(owner.uid == vm.metadata.uid for owner in owners) else None

    def _free(self, pool: VirtualMachinePool) -> Iterator[int]:
        """Whoever has a name, a machine on its way out included, has it until it is gone."""
        for index in count():
            if self._caches.vms.get(pool.metadata.namespace, machine_name(pool, index)) is None:
                yield index


def _pool_name(meta: ObjectMeta) -> str | None:
    owners = meta.owner_references or ()
    return next((owner.name for owner in owners if owner.controller and owner.kind == kinds.POOL.kind), None)
