"""How an instance type or preference is frozen for a virtual machine, so that later changes leave it alone.

Source: ControllerRevisions by KubeVirt's names and labels, which ``status.instancetypeRef`` and
``status.preferenceRef`` of the virtual machine point to.
"""

import hashlib
from typing import Any, TypeVar

from msgspec.structs import replace

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetype, VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreference, VirtualMachinePreferenceSpec
from virtdeck.crds.kinds import CONTROLLER_REVISION, VM, Kind
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import ControllerRevisionRef, InstancetypeStatusRef
from virtdeck.crds.meta import ObjectMeta, OwnerReference
from virtdeck.instancetype.matchers import Matcher

T = TypeVar("T", VirtualMachineInstancetype, VirtualMachinePreference)

_LABEL = "instancetype.kubevirt.io/object-"
_LONGEST_NAME = 253
_LONGEST_LABEL = 63
_HASH_DIGITS = 8


def render_revision(vm: VirtualMachine, kind: Kind[Any], obj: Any) -> ControllerRevision:
    """The object as it is now, kept for as long as the virtual machine is."""
    meta, version = obj.metadata, kind.version
    name = f"{vm.metadata.name}-{meta.name}-{version}-{meta.uid}-{meta.generation or 0}"
    labels = {
        "generation": str(meta.generation or 0),
        "kind": kind.kind,
        "name": meta.name,
        "uid": meta.uid,
        "version": version,
    }
    kept = ObjectMeta(
        name=meta.name,
        namespace=meta.namespace,
        uid=meta.uid,
        resource_version=meta.resource_version,
        generation=meta.generation,
        creation_timestamp=meta.creation_timestamp,
    )
    frozen = replace(obj, api_version=kind.api_version, kind=kind.kind, metadata=kept)
    return ControllerRevision(
        api_version=CONTROLLER_REVISION.api_version,
        kind=CONTROLLER_REVISION.kind,
        metadata=ObjectMeta(
            name=_cut(name, _LONGEST_NAME),
            namespace=vm.metadata.namespace,
            labels={_LABEL + key: _cut(value, _LONGEST_LABEL) for key, value in labels.items()},
            owner_references=(_owner(vm),),
        ),
        data=to_dict(frozen),
    )


def frozen_instancetype(revision: ControllerRevision) -> VirtualMachineInstancetypeSpec:
    """The instance type that a revision keeps. Raises: Invalid when it keeps something else."""
    return _frozen(revision, VirtualMachineInstancetype).spec


def frozen_preference(revision: ControllerRevision) -> VirtualMachinePreferenceSpec:
    """The preference that a revision keeps. Raises: Invalid when it keeps something else."""
    return _frozen(revision, VirtualMachinePreference).spec


def _frozen(revision: ControllerRevision, type_: type[T]) -> T:
    try:
        return decode(revision.data or {}, type_)
    except Invalid as fault:
        name = revision.metadata.name
        raise Invalid(f"the ControllerRevision {name} keeps no {type_.__name__}: {fault.message}") from fault


def keeps(revision: ControllerRevision, matcher: Matcher) -> bool:
    """True when the revision is of the object that the matcher names; one without labels says nothing."""
    label = (revision.metadata.labels or {}).get(f"{_LABEL}name")
    return label is None or label == _cut(matcher.name or "", _LONGEST_LABEL)


def kept_name(revision: ControllerRevision) -> str:
    """The name of the object that the revision keeps, as its label has it."""
    return (revision.metadata.labels or {}).get(f"{_LABEL}name", "")


def revision_in_use(matcher: Matcher | None, ref: InstancetypeStatusRef | None) -> str | None:
    """The revision that the machine starts from: the one its author names, else the one that was stored.

    None while nothing was stored for what the matcher names now.
    """
    if matcher is None:
        return None
    if matcher.revision_name:
        return matcher.revision_name
    current = reference(matcher, ref)
    return current.controller_revision_ref.name if current.controller_revision_ref else None


def reference(matcher: Matcher, former: InstancetypeStatusRef | None) -> InstancetypeStatusRef:
    """What the status says of the matcher; without a revision when one has to be stored first."""
    former = former or InstancetypeStatusRef()
    named = {
        "name": matcher.name or former.name,
        "kind": matcher.kind or former.kind,
        "infer_from_volume": matcher.infer_from_volume or former.infer_from_volume,
    }
    same = all(getattr(former, key) == value for key, value in named.items())
    policy = matcher.infer_from_volume_failure_policy or former.infer_from_volume_failure_policy
    kept = former.controller_revision_ref if same else None
    told = ControllerRevisionRef(name=matcher.revision_name) if matcher.revision_name else kept
    return InstancetypeStatusRef(
        **named, infer_from_volume_failure_policy=policy, controller_revision_ref=told
    )


def _owner(vm: VirtualMachine) -> OwnerReference:
    return OwnerReference(
        api_version=VM.api_version,
        kind=VM.kind,
        name=vm.metadata.name,
        uid=vm.metadata.uid,
        controller=True,
        block_owner_deletion=True,
    )


def _cut(text: str, longest: int) -> str:
    """The text, or its beginning and a hash of the whole when it is too long."""
    if len(text) <= longest:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:_HASH_DIGITS]
    return f"{text[: longest - _HASH_DIGITS - 1]}-{digest}"
