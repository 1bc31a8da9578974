"""Evictions of pods that hold a guest: the guest moves, or the pod stays."""

from collections.abc import Iterator
from dataclasses import dataclass

from virtdeck.crds.conditions import LIVE_MIGRATABLE
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.rule import FORBIDDEN, Place, Rules, at

LAUNCHER, ATTACHMENT = "virt-launcher", "hotplug-disk"
_FINAL = ("Succeeded", "Failed")
_MOVES_IF_IT_CAN = ("LiveMigrate", "LiveMigrateIfPossible")
_FREE = "no condition says that it can"


@dataclass(frozen=True)
class Eviction:
    """One pod that somebody wants gone. vmi: whose pod it is, None when there is none any more."""

    pod: Pod
    vmi: VirtualMachineInstance | None
    cluster: ClusterConfig

    @property
    def role(self) -> str:
        """What the pod is for, as its label says."""
        return (self.pod.metadata.labels or {}).get("kubevirt.io", "")

    @property
    def guest(self) -> VirtualMachineInstance | None:
        """The VMI whose guest the pod holds and that has not ended."""
        if self.vmi is None or self.role != LAUNCHER or self.vmi.status.phase in _FINAL:
            return None
        return self.vmi

    @property
    def strategy(self) -> str | None:
        """What is to become of the guest."""
        return (self.vmi.spec.eviction_strategy if self.vmi else None) or self.cluster.eviction_strategy

    @property
    def why_not(self) -> str | None:
        """Why the guest cannot move, None when it can."""
        for condition in (self.vmi.status.conditions if self.vmi else None) or ():
            if condition.type == LIVE_MIGRATABLE:
                said = condition.message or condition.reason or "LiveMigratable is False"
                return None if condition.status == "True" else said
        return _FREE

    @property
    def is_moved(self) -> bool:
        """The guest is to leave the node by a move, its own or somebody else's."""
        if self.guest is None:
            return False
        return self.strategy == "External" or (self.strategy in _MOVES_IF_IT_CAN and self.why_not is None)

    @property
    def is_here(self) -> bool:
        """The guest runs in this pod, rather than in one that it left or is going to."""
        guest = self.guest
        return guest is not None and bool(self.node) and guest.status.node_name == self.node

    @property
    def is_marked(self) -> bool:
        """It is known that the guest is to leave its node."""
        return self.guest is not None and bool(self.guest.status.evacuation_node_name)

    @property
    def node(self) -> str:
        return self.pod.spec.node_name or ""

    @property
    def to_be_marked(self) -> bool:
        """The VMI is to say that its guest leaves the node."""
        return self.is_moved and self.is_here and not self.is_marked


RULES: Rules[Eviction] = Rules("Eviction")


@RULES.rule("V440", "metadata.name", FORBIDDEN, "the pod holds a guest that is to move, and cannot: {why}")
def guest_can_move(eviction: Eviction) -> Iterator[Place]:
    """The strategy is LiveMigrate, and the VMI's condition LiveMigratable is not True."""
    if eviction.guest is not None and eviction.strategy == "LiveMigrate" and eviction.why_not:
        yield at(why=eviction.why_not)


@RULES.rule(
    "V441", "metadata.name", FORBIDDEN, "the pod holds a guest that is leaving {node}; try again later"
)
def guest_has_moved(eviction: Eviction) -> Iterator[Place]:
    """The guest is to leave by a move, and has not done so."""
    if eviction.is_moved and (eviction.is_marked or eviction.is_here):
        yield at(node=eviction.node)


@RULES.rule(
    "V442", "metadata.name", FORBIDDEN, "the pod holds disks of the running {name}; evict its launcher"
)
def disks_stay_with_their_guest(eviction: Eviction) -> Iterator[Place]:
    """The pod keeps disks attached to a guest that exists."""
    if eviction.role == ATTACHMENT and eviction.vmi is not None:
        yield at(name=eviction.vmi.metadata.name)
