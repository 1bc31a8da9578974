"""The ControllerRevisions that keep a pool's templates; pure.

A revision is named after the generation in which its template first stood. Scaling a pool changes its
generation and not its template: the revision stays, and no machine has to be written for it.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from virtdeck.controllers.pool.observed import DropRevision, Seen
from virtdeck.crds import kinds
from virtdeck.crds.codec import to_dict
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.meta import ObjectMeta, OwnerReference
from virtdeck.crds.pool.pool import VirtualMachinePool

_SHAPES_MACHINES = ("virtualMachineTemplate", "nameGeneration")
_FINGERPRINT = "fingerprint"


def current_revision(seen: Seen) -> str:
    """The name of the revision with the template as it is now, kept already or not."""
    wanted = fingerprint(to_dict(seen.pool.spec))
    same = [found for found in seen.revisions if kept_fingerprint(found) == wanted]
    newest = max(same, key=lambda found: found.revision, default=None)
    return (
        newest.metadata.name if newest else f"{seen.pool.metadata.name}-{seen.pool.metadata.generation or 0}"
    )


def is_kept(seen: Seen, name: str) -> bool:
    """True when the revision is there."""
    return any(found.metadata.name == name for found in seen.revisions)


def render_revision(pool: VirtualMachinePool, name: str) -> ControllerRevision:
    """The pool's spec as it is now, kept for as long as the pool is."""
    return ControllerRevision(
        api_version=kinds.CONTROLLER_REVISION.api_version,
        kind=kinds.CONTROLLER_REVISION.kind,
        metadata=ObjectMeta(
            name=name, namespace=pool.metadata.namespace, owner_references=(owner_reference(pool),)
        ),
        data={"spec": to_dict(pool.spec)},
        revision=pool.metadata.generation or 0,
    )


def owner_reference(pool: VirtualMachinePool) -> OwnerReference:
    """What makes an object the pool's own."""
    return OwnerReference(
        api_version=kinds.POOL.api_version,
        kind=kinds.POOL.kind,
        name=pool.metadata.name,
        uid=pool.metadata.uid,
        controller=True,
        block_owner_deletion=True,
    )


def fingerprint(spec: Mapping[str, Any]) -> str:
    """Differs when anything differs that a machine is made from. spec: a pool's, as JSON has it."""
    compared = [spec.get(name) for name in _SHAPES_MACHINES]
    return hashlib.sha256(msgspec.json.encode(compared, order="sorted")).hexdigest()


def is_pool_revision(revision: ControllerRevision) -> bool:
    """True when the revision keeps a pool's spec."""
    spec = (revision.data or {}).get("spec")
    return isinstance(spec, dict) and _SHAPES_MACHINES[0] in spec


def pool_revision_facts(revision: ControllerRevision) -> ControllerRevision:
    """The revision with its template's fingerprint in the place of the spec: all that decisions ask of it."""
    spec = (revision.data or {}).get("spec") or {}
    meta = replace(revision.metadata, managed_fields=None)
    return replace(revision, metadata=meta, data={_FINGERPRINT: fingerprint(spec)})


def kept_fingerprint(facts: ControllerRevision) -> str | None:
    """The fingerprint of the template that the revision keeps."""
    found = (facts.data or {}).get(_FINGERPRINT)
    return str(found) if found else None


def unused_revisions(seen: Seen, current: str) -> tuple[DropRevision, ...]:
    """The revisions that neither a machine nor a guest shows."""
    shown = {current}
    for machine in seen.machines:
        shown.update(name for name in (machine.revision, machine.guest_revision) if name)
    return tuple(DropRevision(found) for found in seen.revisions if found.metadata.name not in shown)
