"""The ControllerRevision that keeps the spec a VM was started with; pure."""

import hashlib
from typing import Any

import msgspec

from virtdeck.crds import kinds
from virtdeck.crds.codec import to_dict
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.meta import ObjectMeta, OwnerReference

_PREFIX = "revision-start-vm-"
_FINGERPRINT = "fingerprint"
# What a running guest can take over without a restart: it counts at the next placement.
LIVE_FIELDS = ("nodeSelector", "affinity", "tolerations")


def revision_name(vm: VirtualMachine) -> str:
    """The name of the revision of this generation."""
    return f"{_PREFIX}{vm.metadata.uid}-{vm.metadata.generation or 0}"


def is_start_revision(name: str | None, vm: VirtualMachine) -> bool:
    """True for the name of any start revision of this VM."""
    return (name or "").startswith(f"{_PREFIX}{vm.metadata.uid}-")


def render_revision(vm: VirtualMachine) -> ControllerRevision:
    """The VM's spec as it is now, kept for as long as the VM is."""
    return ControllerRevision(
        api_version=kinds.CONTROLLER_REVISION.api_version,
        kind=kinds.CONTROLLER_REVISION.kind,
        metadata=ObjectMeta(
            name=revision_name(vm),
            namespace=vm.metadata.namespace,
            owner_references=(owner_reference(vm),),
        ),
        data={"spec": to_dict(vm.spec)},
        revision=vm.metadata.generation or 0,
    )


def owner_reference(vm: VirtualMachine) -> OwnerReference:
    """What makes an object the VM's own."""
    return OwnerReference(
        api_version=kinds.VM.api_version,
        kind=kinds.VM.kind,
        name=vm.metadata.name or "",
        uid=vm.metadata.uid or "",
        controller=True,
        block_owner_deletion=True,
    )


def fingerprint(vm: VirtualMachine) -> str:
    """Differs when anything in the template differs that a running guest cannot take over."""
    return _fingerprint_of(to_dict(vm.spec))


def revision_facts(revision: ControllerRevision) -> ControllerRevision:
    """The revision with its spec's fingerprint in the place of the spec: all that decisions ask of it."""
    spec = (revision.data or {}).get("spec")
    found = {_FINGERPRINT: _fingerprint_of(spec)} if isinstance(spec, dict) else None
    meta = ObjectMeta(
        name=revision.metadata.name,
        namespace=revision.metadata.namespace,
        uid=revision.metadata.uid,
        resource_version=revision.metadata.resource_version,
        owner_references=revision.metadata.owner_references,
    )
    return ControllerRevision(metadata=meta, data=found, revision=revision.revision)


def kept_fingerprint(facts: ControllerRevision | None) -> str | None:
    """The fingerprint that ``revision_facts`` kept."""
    found = (facts.data or {}).get(_FINGERPRINT) if facts else None
    return str(found) if found else None


def _fingerprint_of(spec: dict[str, Any]) -> str:
    template = dict(spec.get("template") or {})
    inner = {name: value for name, value in (template.get("spec") or {}).items() if name not in LIVE_FIELDS}
    compared = [template.get("metadata"), inner, spec.get("instancetype"), spec.get("preference")]
    return hashlib.sha256(msgspec.json.encode(compared, order="sorted")).hexdigest()
