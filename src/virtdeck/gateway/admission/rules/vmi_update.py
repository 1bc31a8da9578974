"""Who may change what of a VMI that exists (V300–V306)."""

from collections.abc import Iterator

from virtdeck.crds.codec import to_dict
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission.changed import changed
from virtdeck.gateway.admission.instance import HANDLER, Change
from virtdeck.gateway.admission.rule import FORBIDDEN, Place, Rules, at
from virtdeck.gateway.admission.rules.metadata import RESERVED_LABELS

RULES: Rules[Change] = Rules("VMI, changed")

_NODE_EXTRA = "authentication.kubernetes.io/node-name"
_FIXED = "cannot be changed while the guest runs"


@RULES.rule("V302", "metadata", FORBIDDEN, "{user} must authenticate with a token that is bound to its node")
def handler_is_of_one_node(change: Change) -> Iterator[Place]:
    """The author is virt-handler and its token names no node (gate NodeRestriction)."""
    if _is_restricted(change) and len(_nodes(change)) != 1:
        yield at(user=change.user.name)


@RULES.rule(
    "V300", "status.nodeName", FORBIDDEN, "virt-handler of {node} may change VMIs of its own node only"
)
def handler_keeps_to_its_node(change: Change) -> Iterator[Place]:
    """The author is virt-handler of a node that the VMI neither runs on nor moves to."""
    if _is_restricted(change) and len(_nodes(change)) == 1:
        (node,) = _nodes(change)
        if change.old.status.node_name != node and not _is_target(change.old, node):
            yield at(node=node)


@RULES.rule("V301", "status.nodeName", FORBIDDEN, "virt-handler may not send a VMI to another node")
def handler_sends_nothing_away(change: Change) -> Iterator[Place]:
    """The author is virt-handler and names a node that the VMI does not move to."""
    moved_to = change.vmi.status.node_name
    if moved_to == change.old.status.node_name or not _is_restricted(change):
        return
    if (
        len(_nodes(change)) == 1
        and moved_to not in _nodes(change)
        and (not _is_target(change.old, moved_to or ""))
    ):
        yield at()


@RULES.rule(
    "V303",
    "spec{…}",
    FORBIDDEN,
    "cannot be changed: change the VirtualMachine, or delete and create the VMI anew",
)
def spec_is_fixed(change: Change) -> Iterator[Place]:
    """The author is none of virtdeck's accounts, or virt-handler."""
    if change.spec_changes and not change.may_write_spec:
        for path in list(changed(to_dict(change.old.spec), to_dict(change.vmi.spec))) or [""]:
            yield at(path)


@RULES.rule("V304", "spec.domain.cpu.maxSockets", FORBIDDEN, _FIXED)
def most_sockets_are_fixed(change: Change) -> Iterator[Place]:
    """It changes."""
    before, after = change.old.spec.domain.cpu, change.vmi.spec.domain.cpu
    if (before and before.max_sockets) != (after and after.max_sockets):
        yield at()


@RULES.rule("V305", "spec.domain.memory.maxGuest", FORBIDDEN, _FIXED)
def most_memory_is_fixed(change: Change) -> Iterator[Place]:
    """It changes."""
    before, after = change.old.spec.domain.memory, change.vmi.spec.domain.memory
    if (before and before.max_guest) != (after and after.max_guest):
        yield at()


@RULES.rule("V306", "metadata.labels[]", FORBIDDEN, "is set by virtdeck itself and cannot be changed")
def reserved_labels_are_fixed(change: Change) -> Iterator[Place]:
    """It changes, and the author is none of virtdeck's accounts."""
    before, after = change.old.metadata.labels or {}, change.vmi.metadata.labels or {}
    if before == after or change.cluster.is_component(change.user):
        return
    for label in RESERVED_LABELS:
        if before.get(label) != after.get(label):
            yield at(label)


def _is_restricted(change: Change) -> bool:
    return change.cluster.is_component(change.user, HANDLER) and change.gate("NodeRestriction")


def _nodes(change: Change) -> tuple[str, ...]:
    return dict(change.user.extra).get(_NODE_EXTRA, ())


def _is_target(vmi: VirtualMachineInstance, node: str) -> bool:
    """The node is where the VMI is migrating to."""
    state = vmi.status.migration_state
    return state is not None and bool(node) and state.target_node == node
