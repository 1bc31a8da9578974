"""From a replica set to one of its VMIs; pure."""

import hashlib
from collections.abc import Iterator
from itertools import count

from virtdeck.controllers import names
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import ObjectMeta, OwnerReference

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"  # as the API server's: no word comes of them
_SUFFIX = 5
_LONGEST_NAME = 63


def render_vmi(replica_set: VirtualMachineInstanceReplicaSet, name: str) -> VirtualMachineInstance:
    """The VMI as the template says, owned by the set."""
    template = replica_set.spec.template
    return VirtualMachineInstance(
        api_version=kinds.VMI.api_version,
        kind=kinds.VMI.kind,
        metadata=ObjectMeta(
            name=name,
            namespace=replica_set.metadata.namespace,
            labels=template.metadata.labels,
            annotations=template.metadata.annotations,
            owner_references=(owner_reference(replica_set),),
            finalizers=(names.VMI_FINALIZER,),
        ),
        spec=template.spec,
    )


def owner_reference(replica_set: VirtualMachineInstanceReplicaSet) -> OwnerReference:
    """What makes a VMI the set's own."""
    return OwnerReference(
        api_version=kinds.REPLICA_SET.api_version,
        kind=kinds.REPLICA_SET.kind,
        name=replica_set.metadata.name,
        uid=replica_set.metadata.uid,
        controller=True,
        block_owner_deletion=True,
    )


def candidate_names(replica_set: VirtualMachineInstanceReplicaSet) -> Iterator[str]:
    """Names for new VMIs, without end; the same ones until the set is written again.

    A create whose answer was lost is repeated under the same name, and harmless.
    """
    meta, template = replica_set.metadata, replica_set.spec.template.metadata
    base = (template.name or template.generate_name or meta.name).rstrip("-.")
    base = base[: _LONGEST_NAME - _SUFFIX - 1].rstrip("-.")
    for number in count():
        yield f"{base}-{_suffix(f'{meta.uid} {meta.resource_version} {number}')}"


def _suffix(seed: str) -> str:
    digest = hashlib.sha256(seed.encode()).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_SUFFIX])
