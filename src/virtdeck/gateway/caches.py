"""The gateway's list-watch caches: one a kind, cut to what pages and streams read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import msgspec
from anyio.abc import TaskGroup

from virtdeck.crds import kinds
from virtdeck.crds.core.config import ConfigMap
from virtdeck.crds.core.event import Event
from virtdeck.crds.core.node import Namespace, Node
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kinds.instancetype import KINDS as INSTANCETYPES
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw

T = TypeVar("T", bound=Any)

BY_OBJECT = "by_object"
BY_VMI = "by_vmi"
CREATED_BY = "kubevirt.io/created-by"


@dataclass(frozen=True)
class GatewayCaches:
    """Read-only views of the API; every use of them on a person's behalf is filtered by that person's rights.

    events: index ``by_object`` of ``namespace/kind/name``.
    pods: launchers only, index ``by_vmi`` of the VMI's uid.
    front_proxy: how aggregated requests identify their users, published by the API server.
    instancetypes: instance types and preferences, those of namespaces and those of the cluster, by kind.
    presets: as JSON has them, for what they hold is merged into VMIs unread.
    """

    vms: Cache[VirtualMachine]
    vmis: Cache[VirtualMachineInstance]
    pods: Cache[Pod]
    nodes: Cache[Node]
    events: Cache[Event]
    namespaces: Cache[Namespace]
    kubevirts: Cache[KubeVirt]
    front_proxy: Cache[ConfigMap]
    instancetypes: Mapping[kinds.Kind[Any], Cache[Any]]
    presets: Cache[dict[str, Any]]

    def all(self) -> tuple[Cache[Any], ...]:
        return (
            self.vms,
            self.vmis,
            self.pods,
            self.nodes,
            self.events,
            self.namespaces,
            self.kubevirts,
            self.front_proxy,
            *self.instancetypes.values(),
            self.presets,
        )

    @property
    def synced(self) -> bool:
        """Everything has been listed once."""
        return all(cache.synced for cache in self.all())

    def start(self, group: TaskGroup, client: Client) -> None:
        """All caches are kept current for as long as the group lives."""
        for cache in self.all():
            group.start_soon(cache.run, client)

    async def wait_synced(self) -> None:
        """Everything has been listed once. Cancel: safe; deadlines are the caller's."""
        async with anyio.create_task_group() as group:
            for cache in self.all():
                group.start_soon(cache.wait_synced)


def make_caches() -> GatewayCaches:
    """Caches that know nothing yet."""
    return GatewayCaches(
        vms=Cache(kinds.VM, keep=without_managed_fields),
        vmis=Cache(kinds.VMI, keep=without_managed_fields),
        pods=Cache(
            kinds.POD,
            label_selector="kubevirt.io=virt-launcher",
            indexes={BY_VMI: _creator},
            keep=without_managed_fields,
        ),
        nodes=Cache(kinds.NODE, keep=without_managed_fields),
        events=Cache(kinds.EVENT, indexes={BY_OBJECT: _subject}, keep=without_managed_fields),
        namespaces=Cache(kinds.NAMESPACE, keep=without_managed_fields),
        kubevirts=Cache(kinds.KUBEVIRT, keep=without_managed_fields),
        front_proxy=Cache(
            kinds.CONFIG_MAP,
            namespace="kube-system",
            field_selector="metadata.name=extension-apiserver-authentication",
        ),
        instancetypes={kind: Cache(kind, keep=without_managed_fields) for kind in INSTANCETYPES},
        presets=Cache(raw(kinds.PRESET)),
    )


def without_managed_fields(obj: T) -> T:
    """The object without the record of who owns which field, often half of its size."""
    if obj.metadata is None or not obj.metadata.managed_fields:
        return obj
    metadata = msgspec.structs.replace(obj.metadata, managed_fields=None)
    cut: T = msgspec.structs.replace(obj, metadata=metadata)
    return cut


def _creator(pod: Pod) -> Iterator[str]:
    uid = (pod.metadata.labels or {}).get(CREATED_BY)
    if uid:
        yield uid


def _subject(event: Event) -> Iterator[str]:
    subject = event.involved_object
    yield f"{subject.namespace or ''}/{subject.kind or ''}/{subject.name or ''}"
