"""Reads what a VM's instance type and preference were frozen in, and makes of it what starts."""

from collections.abc import Callable
from typing import Any

import structlog
from msgspec.structs import replace

from virtdeck.basis.errors import Conflict, VirtdeckError
from virtdeck.controllers.vm.sizing import ExpandVm, KeepFrozen, Which, matchers
from virtdeck.crds import kinds
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine, VirtualMachineInstanceTemplateSpec
from virtdeck.instancetype.expansion import Chosen, expand
from virtdeck.instancetype.matchers import Matcher
from virtdeck.instancetype.revisions import frozen_instancetype, frozen_preference, revision_in_use
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw

_log = structlog.get_logger()

Live = Callable[[VirtualMachine, Matcher], Any]


class Expander:
    """live: the object that a matcher names now, None when there is none."""

    def __init__(
        self,
        client: Client,
        revisions: Cache[ControllerRevision],
        live: Live,
        default_interface: Callable[[], str],
    ) -> None:
        self._client = client
        self._revisions = revisions
        self._live = live
        self._default_interface = default_interface

    async def keep(self, action: KeepFrozen) -> None:
        """The revision exists. Its name holds the object's uid and generation, so one by it is the same.

        Raises: Conflict while one of an earlier VM of this name waits to be collected.
        """
        wanted, meta = action.revision, action.revision.metadata
        try:
            kept = await self._client.create(kinds.CONTROLLER_REVISION, wanted, meta.namespace)
        except Conflict:
            kept = await self._client.require(kinds.CONTROLLER_REVISION, meta.name, meta.namespace)
            if _goes_with_another(kept, wanted):
                raise
            _log.debug("revision_exists", revision=meta.name)
        self._revisions.absorb(kept)

    async def expanded(self, vm: VirtualMachine) -> VirtualMachine:
        """The VM with the template that starts. Raises: Invalid with each conflict; Absent."""
        if vm.spec.instancetype is None and vm.spec.preference is None:
            return vm
        chosen = await self._choose(vm)
        template = expand(to_dict(vm.spec.template), chosen, self._default_interface())
        typed = decode(template, VirtualMachineInstanceTemplateSpec)
        return replace(vm, spec=replace(vm.spec, template=typed))

    async def write_expanded(self, action: ExpandVm) -> VirtualMachine:
        """The VM as it was stored with all its size in its own template; what froze it goes.

        Raises: Invalid with each conflict; Conflict when it changed.
        """
        vm, meta = action.vm, action.vm.metadata
        chosen = await self._choose(vm)
        found = await self._client.require(raw(kinds.VM), meta.name, meta.namespace)
        template = expand(found["spec"]["template"], chosen, self._default_interface())
        patch = {
            "metadata": {"resourceVersion": meta.resource_version},
            "spec": {"template": template, "instancetype": None, "preference": None},
        }
        written = await self._client.merge_patch(kinds.VM, meta.name, meta.namespace, patch)
        for _, _, ref in matchers(vm):
            if ref and ref.controller_revision_ref and ref.controller_revision_ref.name:
                await self._drop(ref.controller_revision_ref.name, meta.namespace)
        return written

    async def _choose(self, vm: VirtualMachine) -> Chosen:
        found: dict[Which, Any] = {}
        for which, matcher, ref in matchers(vm):
            name = revision_in_use(matcher, ref)
            if name is None:
                live = self._live(vm, matcher)
                found[which] = live.spec if live is not None else None
            else:
                found[which] = await self._frozen(which, name, vm.metadata.namespace)
        name = vm.spec.instancetype.name if vm.spec.instancetype else None
        return Chosen(found.get("instancetype"), found.get("preference"), name or "")

    async def _frozen(self, which: Which, name: str, namespace: str) -> Any:
        revision = await self._client.require(kinds.CONTROLLER_REVISION, name, namespace)
        return frozen_instancetype(revision) if which == "instancetype" else frozen_preference(revision)

    async def _drop(self, name: str, namespace: str) -> None:
        """What cannot be deleted now goes with the VM, which owns it."""
        try:
            await self._client.delete(kinds.CONTROLLER_REVISION, name, namespace)
        except VirtdeckError as problem:
            _log.info("revision_kept", revision=name, problem=problem.message)


def _goes_with_another(kept: ControllerRevision, wanted: ControllerRevision) -> bool:
    """True when the revision belongs to a VM of the same name that is no more, and will follow it."""
    (owner,) = wanted.metadata.owner_references or ()
    others = kept.metadata.owner_references or ()
    return any(
        (other.kind, other.name) == (owner.kind, owner.name) and other.uid != owner.uid for other in others
    )
