"""Who may change what of a VMI that exists (V300–V306)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.rules.metadata import RESERVED_LABELS
from virtdeck.gateway.admission.verdict import forbidden
from virtdeck.gateway.auth.user import User

HANDLER = "kubevirt-handler"
_NODE_EXTRA = "authentication.kubernetes.io/node-name"


def handler_keeps_to_its_node(
    vmi: VirtualMachineInstance, old: VirtualMachineInstance, user: User, cluster: ClusterConfig
) -> Iterator[Cause]:
    """V300–V302: a node that was broken into must not reach the VMs of others."""
    if not cluster.is_component(user, HANDLER) or not cluster.gate("NodeRestriction"):
        return
    node = dict(user.extra).get(_NODE_EXTRA, ())
    if len(node) != 1:
        yield forbidden("metadata", f"{user.name} must authenticate with a token that is bound to its node")
        return
    if old.status.node_name != node[0] and not _is_target(old, node[0]):
        yield forbidden("status.nodeName", f"virt-handler of {node[0]} may change VMIs of its own node only")
    moved_to = vmi.status.node_name
    if moved_to not in (old.status.node_name, node[0]) and not _is_target(old, moved_to or ""):
        yield forbidden("status.nodeName", "virt-handler may not send a VMI to another node")


def _is_target(vmi: VirtualMachineInstance, node: str) -> bool:
    """The node is where the VMI is migrating to."""
    state = vmi.status.migration_state
    return state is not None and bool(node) and state.target_node == node


def spec_is_fixed(
    vmi: VirtualMachineInstance, old: VirtualMachineInstance, user: User, cluster: ClusterConfig
) -> Iterator[Cause]:
    """V303–V305"""
    # virt-handler reports, it decides nothing: a node that was broken into rewrites no machine.
    may_write = cluster.is_component(user) and not cluster.is_component(user, HANDLER)
    if vmi.spec != old.spec and not may_write:
        yield forbidden(
            "spec", "cannot be changed: change the VirtualMachine, or delete and create the VMI anew"
        )
    before, after = old.spec.domain, vmi.spec.domain
    if (before.cpu and before.cpu.max_sockets) != (after.cpu and after.cpu.max_sockets):
        yield forbidden("spec.domain.cpu.maxSockets", "cannot be changed while the guest runs")
    if (before.memory and before.memory.max_guest) != (after.memory and after.memory.max_guest):
        yield forbidden("spec.domain.memory.maxGuest", "cannot be changed while the guest runs")


def reserved_labels_are_fixed(
    vmi: VirtualMachineInstance, old: VirtualMachineInstance, user: User, cluster: ClusterConfig
) -> Iterator[Cause]:
    """V306"""
    if cluster.is_component(user):
        return
    before, after = old.metadata.labels or {}, vmi.metadata.labels or {}
    for label in RESERVED_LABELS:
        if before.get(label) != after.get(label):
            yield forbidden(f"metadata.labels[{label}]", "is set by virtdeck itself and cannot be changed")


RULES = (handler_keeps_to_its_node, spec_is_fixed, reserved_labels_are_fixed)
