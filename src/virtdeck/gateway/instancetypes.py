"""Reads what virtual machines' matchers lead to: from the caches, from the API what these do not know yet."""

from collections.abc import Mapping
from typing import Any

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.kinds import CONTROLLER_REVISION, Kind
from virtdeck.crds.kubevirt.vm import VirtualMachine, VirtualMachineSpec
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.choice import BOTH, NO_CHOICE, Choice, Which
from virtdeck.gateway.admission.decoding import vm_or_causes
from virtdeck.instancetype.expansion import Chosen
from virtdeck.instancetype.matchers import Matcher, named_kind
from virtdeck.instancetype.revisions import (
    frozen_instancetype,
    frozen_preference,
    keeps,
    kept_name,
    revision_in_use,
)
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client

_FROZEN = {"instancetype": frozen_instancetype, "preference": frozen_preference}


class _OfAnother(Exception):
    """The revision keeps another object. Its argument: that object's name."""


class Instancetypes:
    """What is named, as virt-api sees it: whoever may write a machine may use every instance type."""

    def __init__(self, client: Client, caches: Mapping[Kind[Any], Cache[Any]]) -> None:
        self._client = client
        self._caches = caches

    async def choose(self, vm: VirtualMachine, namespace: str) -> Choice:
        """The specs that this machine would start with, and what is in the way of finding them."""
        found: dict[Which, Any] = {}
        missing: dict[Which, str] = {}
        kept: dict[Which, str] = {}
        for which in BOTH:
            matcher = _matcher(vm.spec, which)
            if matcher is None or not matcher.name:
                continue
            try:
                found[which] = await self._spec(vm, which, matcher, namespace)
            except (Absent, Invalid) as fault:
                missing[which] = fault.message
            except _OfAnother as other:
                kept[which] = str(other)
        name = vm.spec.instancetype.name if vm.spec.instancetype else None
        return Choice(Chosen(found.get("instancetype"), found.get("preference"), name or ""), missing, kept)

    async def choose_for(self, obj: Plain, namespace: str) -> Choice:
        """As ``choose``; of what is no machine, or names nothing, nothing is read."""
        vm = vm_or_causes(obj)
        if isinstance(vm, tuple) or not (vm.spec.instancetype or vm.spec.preference):
            return NO_CHOICE
        return await self.choose(vm, namespace)

    async def preference(self, vm: VirtualMachine, namespace: str) -> VirtualMachinePreferenceSpec | None:
        """The preference that this machine names, None when it names none or none is there."""
        matcher = vm.spec.preference
        if matcher is None or not matcher.name:
            return None
        try:
            found: VirtualMachinePreferenceSpec = await self._spec(vm, "preference", matcher, namespace)
        except (Absent, Invalid, _OfAnother):
            return None
        return found

    async def _spec(self, vm: VirtualMachine, which: Which, matcher: Matcher, namespace: str) -> Any:
        """Raises: Absent; Invalid; _OfAnother."""
        ref = vm.status.instancetype_ref if which == "instancetype" else vm.status.preference_ref
        revision_name = revision_in_use(matcher, ref)
        if revision_name is None:
            return (await self._live(matcher, namespace)).spec
        revision = await self._client.get(CONTROLLER_REVISION, revision_name, namespace)
        if revision is None:
            raise Absent(f"its ControllerRevision {revision_name} is not there")
        if not keeps(revision, matcher):
            raise _OfAnother(kept_name(revision))
        return _FROZEN[which](revision)

    async def _live(self, matcher: Matcher, namespace: str) -> Any:
        kind = named_kind(matcher)
        if kind is None:
            raise Absent(f"nothing of kind {matcher.kind} can be named here")
        place, name = namespace if kind.namespaced else None, matcher.name or ""
        found = self._caches[kind].get(place, name)
        if found is None:
            found = await self._client.get(kind, name, place)
        if found is None:
            where = f" in namespace {namespace}" if kind.namespaced else ""
            raise Absent(f"there is no {kind.kind} {name}{where}")
        return found


def _matcher(spec: VirtualMachineSpec, which: Which) -> Matcher | None:
    return spec.instancetype if which == "instancetype" else spec.preference
