"""The caches that all controllers of this process share, each cut to what decisions need."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import replace

from virtdeck.controllers import names
from virtdeck.controllers.pool.revision import is_pool_revision, pool_revision_facts
from virtdeck.controllers.vm.revision import revision_facts
from virtdeck.controllers.vmi.pod_name import claims_vmi
from virtdeck.crds import kinds
from virtdeck.crds.core.node import Node
from virtdeck.crds.core.pod import Pod, PodSpec
from virtdeck.crds.core.pod_containers import Container
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kinds.instancetype import KINDS as INSTANCETYPES
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.kube.cache import Cache

BY_UID = "uid"
BY_VMI = "vmi"
BY_OWNER = "owner"
BY_NAMED = "named"
LOOSE_IN = "loose"

T = TypeVar(
    "T",
    VirtualMachine,
    VirtualMachineInstance,
    Pod,
    KubeVirt,
    VirtualMachinePool,
    VirtualMachineInstanceReplicaSet,
)


@dataclass(frozen=True)
class Caches:
    """What the controllers see of the cluster.

    vmis: also by the uids of their owners, and those that no controller owns by their namespace.
    """

    vms: Cache[VirtualMachine]
    vmis: Cache[VirtualMachineInstance]
    pods: Cache[Pod]
    nodes: Cache[Node]
    revisions: Cache[ControllerRevision]
    installations: Cache[KubeVirt]
    pools: Cache[VirtualMachinePool]
    replica_sets: Cache[VirtualMachineInstanceReplicaSet]
    instancetypes: Mapping[kinds.Kind[Any], Cache[Any]]

    @property
    def installation(self) -> KubeVirt | None:
        """The KubeVirt object, None before there is one."""
        return next(iter(self.installations.all()), None)

    def each(self) -> Iterator[Cache[Any]]:
        yield from (
            self.vms,
            self.vmis,
            self.pods,
            self.nodes,
            self.revisions,
            self.installations,
            self.pools,
            self.replica_sets,
        )
        yield from self.instancetypes.values()


def build_caches(namespace: str) -> Caches:
    """Empty caches. namespace: the installation's, where the KubeVirt object stands."""
    return Caches(
        vms=Cache(kinds.VM, keep=_without_managed_fields, indexes={BY_OWNER: _owners, BY_NAMED: _named}),
        vmis=Cache(
            kinds.VMI,
            keep=_without_managed_fields,
            indexes={
                BY_UID: lambda vmi: [vmi.metadata.uid or ""],
                BY_OWNER: _owners,
                LOOSE_IN: _loose,
            },
        ),
        pods=Cache(
            kinds.POD,
            label_selector=f"{names.APP}=virt-launcher",
            keep=_pod_outline,
            indexes={BY_VMI: lambda pod: [claims_vmi(pod) or ""]},
        ),
        nodes=Cache(kinds.NODE, keep=_node_outline),
        revisions=Cache(kinds.CONTROLLER_REVISION, keep=_revision_facts, indexes={BY_OWNER: _owners}),
        installations=Cache(kinds.KUBEVIRT, namespace=namespace, keep=_without_managed_fields),
        pools=Cache(kinds.POOL, keep=_without_managed_fields),
        replica_sets=Cache(kinds.REPLICA_SET, keep=_without_managed_fields),
        instancetypes={kind: Cache(kind, keep=_without_managed_fields) for kind in INSTANCETYPES},
    )


def _without_managed_fields(obj: T) -> T:
    return replace(obj, metadata=replace(obj.metadata, managed_fields=None))


def _pod_outline(pod: Pod) -> Pod:
    containers = tuple(Container(name=found.name, image=found.image) for found in pod.spec.containers)
    spec = PodSpec(node_name=pod.spec.node_name, containers=containers)
    return replace(_without_managed_fields(pod), spec=spec)


def _node_outline(node: Node) -> Node:
    return Node(
        api_version=node.api_version,
        kind=node.kind,
        metadata=replace(node.metadata, managed_fields=None),
    )


def _revision_facts(revision: ControllerRevision) -> ControllerRevision:
    return pool_revision_facts(revision) if is_pool_revision(revision) else revision_facts(revision)


def _named(vm: VirtualMachine) -> list[str]:
    """Names of the instance type and the preference."""
    both = (vm.spec.instancetype, vm.spec.preference)
    return [matcher.name for matcher in both if matcher and matcher.name]


def _owners(owned: ControllerRevision | VirtualMachine | VirtualMachineInstance) -> list[str]:
    return [owner.uid for owner in owned.metadata.owner_references or ()]


def _loose(vmi: VirtualMachineInstance) -> list[str]:
    """Its namespace, when no controller owns the VMI."""
    owned = any(owner.controller for owner in vmi.metadata.owner_references or ())
    return [] if owned else [vmi.metadata.namespace]
