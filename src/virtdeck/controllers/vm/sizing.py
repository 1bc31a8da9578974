"""The instance type and the preference of a VM: frozen before the first start, or written into the VM; pure.

Source: KubeVirt's ``spec.configuration.instancetype.referencePolicy``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kinds import Kind
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import ControllerRevisionRef, InstancetypeStatusRef
from virtdeck.instancetype.matchers import Matcher, named_kind
from virtdeck.instancetype.revisions import reference, render_revision

Which = Literal["instancetype", "preference"]
BOTH: tuple[Which, ...] = ("instancetype", "preference")
REFERENCE, EXPAND, EXPAND_ALL = "reference", "expand", "expandAll"
_REASONS: dict[Which, str] = {"instancetype": "FailedFindInstancetype", "preference": "FailedFindPreference"}


@dataclass(frozen=True)
class Named:
    """A matcher and what it leads to.

    revision: the one that the VM starts from, None before it was made. frozen: it is there.
    live: the object that is named, as it is now.
    """

    which: Which
    matcher: Matcher
    revision: str | None = None
    frozen: bool = False
    live: Any = None

    @property
    def kind(self) -> Kind[Any] | None:
        return named_kind(self.matcher)


@dataclass(frozen=True)
class KeepFrozen:
    """The revision exists."""

    revision: ControllerRevision


@dataclass(frozen=True)
class ExpandVm:
    """The VM says itself what its instance type and preference gave, and names them no more."""

    vm: VirtualMachine


@dataclass(frozen=True)
class Sized:
    """vm: its status names the revisions to start from. problem: why it cannot start; with its reason."""

    vm: VirtualMachine
    actions: tuple[KeepFrozen | ExpandVm, ...] = ()
    reason: str = ""
    problem: str = ""

    @property
    def expands(self) -> bool:
        """True when the VM becomes another before anything else is decided."""
        return any(isinstance(action, ExpandVm) for action in self.actions)


def reference_policy(installation: KubeVirt | None) -> str:
    """How VMs keep what they name; by reference unless the installation says otherwise."""
    config = installation.spec.configuration if installation else None
    return (config.instancetype.reference_policy if config and config.instancetype else None) or REFERENCE


def matchers(vm: VirtualMachine) -> Iterator[tuple[Which, Matcher, InstancetypeStatusRef | None]]:
    """What the VM names, and what its status says of it."""
    if vm.spec.instancetype is not None:
        yield "instancetype", vm.spec.instancetype, vm.status.instancetype_ref
    if vm.spec.preference is not None:
        yield "preference", vm.spec.preference, vm.status.preference_ref


def decide_size(vm: VirtualMachine, named: tuple[Named, ...], policy: str) -> Sized:
    """What has to be kept before this VM can start, whatever it names."""
    for found in named:
        if not found.frozen and not _can_freeze(vm, found):
            return Sized(_with_refs(vm, {}), (), _REASONS[found.which], _why_missing(vm, found))
    stored = any(ref and ref.controller_revision_ref for _, _, ref in matchers(vm))
    if named and (policy == EXPAND_ALL or (policy == EXPAND and not stored)):
        return Sized(vm, (ExpandVm(vm),))
    kept = {
        found.which: render_revision(vm, found.kind, found.live)
        for found in named
        if not found.frozen and found.kind is not None
    }
    names = {which: revision.metadata.name for which, revision in kept.items()}
    return Sized(_with_refs(vm, names), tuple(KeepFrozen(revision) for revision in kept.values()))


def _can_freeze(vm: VirtualMachine, found: Named) -> bool:
    """True when the object is there, and is still what a revision that was lost would keep."""
    if found.kind is None or found.live is None or found.matcher.revision_name:
        return False
    return found.revision in (None, render_revision(vm, found.kind, found.live).metadata.name)


def _with_refs(vm: VirtualMachine, kept: dict[Which, str]) -> VirtualMachine:
    """The status says what the matchers name; of what is no longer named it says nothing."""
    refs: dict[Which, InstancetypeStatusRef] = {}
    for which, matcher, former in matchers(vm):
        refs[which] = reference(matcher, former)
        if which in kept:
            refs[which] = replace(
                refs[which], controller_revision_ref=ControllerRevisionRef(name=kept[which])
            )
    status = replace(
        vm.status, instancetype_ref=refs.get("instancetype"), preference_ref=refs.get("preference")
    )
    return vm if status == vm.status else replace(vm, status=status)


def _why_missing(vm: VirtualMachine, found: Named) -> str:
    matcher, kind = found.matcher, found.kind
    if found.revision:
        return (
            f"The ControllerRevision {found.revision} that keeps the {found.which} {matcher.name} is "
            f"not there; let spec.{found.which} name another"
        )
    if kind is None:
        return f"spec.{found.which}.kind is {matcher.kind!r}, which nothing can be named of"
    where = f" in namespace {vm.metadata.namespace}" if kind.namespaced else ""
    return (
        f"There is no {kind.kind} {matcher.name}{where}; the virtual machine starts once it is there, or "
        f"spec.{found.which} names another"
    )
