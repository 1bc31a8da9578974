"""Nodes and namespaces."""

from msgspec import field

from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.meta import Condition
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Quantity, Time


class Taint(Model, frozen=True, kw_only=True):
    """What keeps pods away from a node unless they tolerate it."""

    key: str
    effect: str
    value: str | None = None
    time_added: Time | None = None


class NodeSpec(Model, frozen=True, kw_only=True):
    """Whether pods may come here."""

    pod_cidr: str | None = field(default=None, name="podCIDR")
    unschedulable: bool | None = None
    taints: tuple[Taint, ...] | None = None
    provider_id: str | None = field(default=None, name="providerID")


class NodeAddress(Model, frozen=True, kw_only=True):
    """type: InternalIP, Hostname …"""

    type: str
    address: str


class NodeSystemInfo(Model, frozen=True, kw_only=True):
    """The node's machine and software."""

    architecture: str | None = None
    operating_system: str | None = None
    os_image: str | None = None
    kernel_version: str | None = None
    kubelet_version: str | None = None
    container_runtime_version: str | None = None


class NodeCondition(Condition, frozen=True, kw_only=True):
    """One question about a node."""

    last_heartbeat_time: Time | None = None


class NodeStatus(Model, frozen=True, kw_only=True):
    """What a node has and how it is."""

    capacity: dict[str, Quantity] | None = None
    allocatable: dict[str, Quantity] | None = None
    conditions: tuple[NodeCondition, ...] | None = None
    addresses: tuple[NodeAddress, ...] | None = None
    node_info: NodeSystemInfo | None = None


class Node(Plain, frozen=True, kw_only=True):
    """One machine that pods run on."""

    spec: NodeSpec | None = None
    status: NodeStatus | None = None


class NamespaceStatus(Model, frozen=True, kw_only=True):
    """phase: Active or Terminating."""

    phase: str | None = None


class Namespace(Plain, frozen=True, kw_only=True):
    """A room with its own names and rights."""

    status: NamespaceStatus | None = None
