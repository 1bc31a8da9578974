"""Observes VMs and their VMIs in caches, and carries out what was decided about them."""

import random
from typing import Any

import structlog

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, Conflict, VirtdeckError
from virtdeck.controllers import names
from virtdeck.controllers.caches import BY_NAMED, BY_OWNER, Caches
from virtdeck.controllers.cluster import default_interface
from virtdeck.controllers.vm.decide import decide, decide_failure
from virtdeck.controllers.vm.expanding import Expander
from virtdeck.controllers.vm.generation import is_selector_given
from virtdeck.controllers.vm.instance import render_vmi
from virtdeck.controllers.vm.observed import (
    Action,
    AdoptVmi,
    DeleteVmi,
    ReleaseVmi,
    Seen,
    StampGeneration,
    StartVmi,
    SwitchOn,
    SyncPlacement,
    VmPlan,
)
from virtdeck.controllers.vm.revision import is_start_revision, owner_reference, render_revision
from virtdeck.controllers.vm.sizing import ExpandVm, KeepFrozen, Named, Which, matchers, reference_policy
from virtdeck.controllers.vm.strategy import ALWAYS
from virtdeck.crds import kinds
from virtdeck.crds.codec import to_dict
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import InstancetypeStatusRef
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.instancetype.matchers import Matcher, named_kind
from virtdeck.instancetype.revisions import revision_in_use
from virtdeck.kube.client import Client
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change

_log = structlog.get_logger()


class VmReconciler:
    """The VM controller's eyes and hands."""

    def __init__(self, client: Client, caches: Caches, queue: WorkQueue[Key], clock: Clock) -> None:
        self._client = client
        self._caches = caches
        self._queue = queue
        self._clock = clock
        self._expander = Expander(
            client, caches.revisions, self._live, lambda: default_interface(caches.installation)
        )

    # ---- what wakes it

    def vm_changed(self, change: Change[VirtualMachine]) -> None:
        self._queue.add(change.key)

    def vmi_changed(self, change: Change[VirtualMachineInstance]) -> None:
        """A VM and its VMI have one name."""
        if self._caches.vms.get(change.key.namespace, change.key.name) is not None:
            self._queue.add(change.key)

    def instancetype_changed(self, change: Change[Any]) -> None:
        """VMs that wait for an instance type or a preference by this name look again."""
        for vm in self._caches.vms.find(BY_NAMED, change.key.name):
            self._queue.add(Key(vm.metadata.namespace, vm.metadata.name))

    def installation_changed(self, change: Change[KubeVirt]) -> None:
        """Another reference policy counts for VMs that are there already."""
        if reference_policy(change.old) != reference_policy(change.new):
            for vm in self._caches.vms.all():
                if any(matchers(vm)):
                    self._queue.add(Key(vm.metadata.namespace, vm.metadata.name))

    # ---- observe, decide

    def observe(self, key: Key) -> Seen | None:
        vm = self._caches.vms.get(key.namespace, key.name)
        if vm is None:
            return None
        vmi = self._caches.vmis.get(key.namespace, key.name)
        owner = _controller_uid(vmi) if vmi else None
        mine = vmi is not None and owner == vm.metadata.uid
        lost = vmi is not None and owner is None and _came_from_vm(vmi)
        revisions = self._caches.revisions.find(BY_OWNER, vm.metadata.uid or "")
        return Seen(
            vm=vm,
            now=self._clock.now(),
            chance=random.random(),  # noqa: S311 (spreads starts, guards nothing)
            vmi=vmi if mine else None,
            orphan=vmi if lost else None,
            stranger=vmi is not None and not mine and not lost,
            revisions=tuple(found for found in revisions if is_start_revision(found.metadata.name, vm)),
            named=tuple(self._named(vm, *found) for found in matchers(vm)),
            policy=reference_policy(self._caches.installation),
        )

    def _named(
        self, vm: VirtualMachine, which: Which, matcher: Matcher, ref: InstancetypeStatusRef | None
    ) -> Named:
        revision = revision_in_use(matcher, ref)
        kept = self._caches.revisions.get(vm.metadata.namespace, revision) if revision else None
        live = self._live(vm, matcher) if kept is None else None
        return Named(which, matcher, revision, frozen=kept is not None, live=live)

    def _live(self, vm: VirtualMachine, matcher: Matcher) -> Any:
        """The instance type or preference as it is now, None when there is none."""
        kind = named_kind(matcher)
        if kind is None:
            return None
        namespace = vm.metadata.namespace if kind.namespaced else None
        return self._caches.instancetypes[kind].get(namespace, matcher.name or "")

    def subject(self, seen: Seen) -> VirtualMachine:
        return seen.vm

    def decide(self, seen: Seen) -> VmPlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: Action, error: VirtdeckError) -> VmPlan:
        return decide_failure(seen, action, error)

    # ---- act

    async def act(self, action: Action) -> None:
        match action:
            case StartVmi():
                await self._start(action)
            case DeleteVmi():
                await self._delete(action.vmi)
            case AdoptVmi():
                await self._patch_vmi(action.vmi, {"ownerReferences": [to_dict(owner_reference(action.vm))]})
            case ReleaseVmi():
                kept = [name for name in action.vmi.metadata.finalizers or () if name != names.VM_FINALIZER]
                await self._patch_vmi(action.vmi, {"finalizers": kept or None})
            case SwitchOn():
                await self._switch_on(action.vm)
            case StampGeneration():
                stamp = {names.VM_GENERATION: str(action.generation)}
                await self._patch_vmi(action.vmi, {"annotations": stamp})
            case SyncPlacement():
                await self._sync_placement(action)
            case KeepFrozen():
                await self._expander.keep(action)
            case ExpandVm():
                self._caches.vms.absorb(await self._expander.write_expanded(action))

    async def _start(self, action: StartVmi) -> None:
        """The revision first: a VMI must never name one that is not there."""
        vm = action.vm
        await self._keep_revision(vm)
        vmi = render_vmi(await self._expander.expanded(vm), paused=action.paused)
        self._caches.vmis.absorb(await self._client.create(kinds.VMI, vmi, vm.metadata.namespace))
        await self._prune_revisions(vm)

    async def _keep_revision(self, vm: VirtualMachine) -> None:
        wanted = render_revision(vm)
        if self._caches.revisions.get(vm.metadata.namespace, wanted.metadata.name or ""):
            return
        try:
            made = await self._client.create(kinds.CONTROLLER_REVISION, wanted, vm.metadata.namespace)
            self._caches.revisions.absorb(made)
        except Conflict:
            _log.debug("revision_exists", revision=wanted.metadata.name)

    async def _prune_revisions(self, vm: VirtualMachine) -> None:
        """Only the newest start counts; what cannot be deleted now is the next start's to delete."""
        current = render_revision(vm).metadata.name
        for found in self._caches.revisions.find(BY_OWNER, vm.metadata.uid or ""):
            name = found.metadata.name or ""
            if name != current and is_start_revision(name, vm):
                try:
                    await self._client.delete(kinds.CONTROLLER_REVISION, name, vm.metadata.namespace)
                except VirtdeckError as problem:
                    _log.info("revision_kept", revision=name, problem=problem.message)

    async def _delete(self, vmi: VirtualMachineInstance) -> None:
        meta = vmi.metadata
        try:
            left = await self._client.delete(kinds.VMI, meta.name or "", meta.namespace, uid=meta.uid)
        except Absent:
            return
        if left is not None:
            self._caches.vmis.absorb(left)

    async def _switch_on(self, vm: VirtualMachine) -> None:
        spec = {"runStrategy": ALWAYS} if vm.spec.run_strategy else {"running": True}
        patch = {"metadata": {"resourceVersion": vm.metadata.resource_version}, "spec": spec}
        self._caches.vms.absorb(
            await self._client.merge_patch(kinds.VM, vm.metadata.name or "", vm.metadata.namespace, patch)
        )

    async def _sync_placement(self, action: SyncPlacement) -> None:
        wanted = action.vm.spec.template.spec
        selector = {"nodeSelector": _replaced(action.vmi.spec.node_selector, wanted.node_selector)}
        spec = {
            **({} if is_selector_given(action.vm) else selector),
            "affinity": to_dict(wanted.affinity) if wanted.affinity else None,
            "tolerations": [to_dict(found) for found in wanted.tolerations or ()] or None,
        }
        await self._patch_vmi(action.vmi, {}, {"spec": spec})

    async def _patch_vmi(
        self, vmi: VirtualMachineInstance, metadata: dict[str, object], rest: dict[str, object] | None = None
    ) -> None:
        """The version is named: a list in the patch must not undo somebody else's change."""
        meta = vmi.metadata
        patch = {"metadata": {**metadata, "resourceVersion": meta.resource_version}, **(rest or {})}
        self._caches.vmis.absorb(
            await self._client.merge_patch(kinds.VMI, meta.name or "", meta.namespace, patch)
        )


def _replaced(old: dict[str, str] | None, new: dict[str, str] | None) -> dict[str, str | None] | None:
    """A merge patch only adds to a map: what is no longer wanted is named with null."""
    if not new:
        return None
    return {**dict.fromkeys(old or {}), **new}


def _controller_uid(vmi: VirtualMachineInstance) -> str | None:
    return next((found.uid for found in vmi.metadata.owner_references or () if found.controller), None)


def _came_from_vm(vmi: VirtualMachineInstance) -> bool:
    """Only a VMI that some VM once made may be adopted; what a user made alone stays the user's."""
    return names.VM_GENERATION in (vmi.metadata.annotations or {})
