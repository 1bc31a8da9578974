"""A guest that was to leave its node stays after all."""

from virtdeck.basis.errors import Invalid
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.options import EvacuateCancelOptions
from virtdeck.gateway.subresources.calls import DONE, Call, Reply, require_vmi
from virtdeck.gateway.subresources.options import is_dry_run, read_options

_DRAIN_TAINT = "kubevirt.io/drain"  # unless the configuration's migrations.nodeDrainTaintKey names another
_MARK = "/status/evacuationNodeName"


async def cancel_evacuation(call: Call) -> Reply:
    """The instance is not marked for leaving its node any more; nothing happens to one that was not.

    Raises: Absent; Invalid without a body, or while the node drives its guests out; Conflict when the mark
    changed meanwhile.
    """
    if not call.body.strip():
        raise Invalid("say in the body which node's evacuation is cancelled", reason="BadRequest")
    options = read_options(call.body, EvacuateCancelOptions)
    vmi = await require_vmi(call)
    marked = vmi.status.evacuation_node_name
    if not marked or marked != options.evacuation_node_name:
        return DONE
    _require_staying(call, marked)
    ops = [{"op": "test", "path": _MARK, "value": marked}, {"op": "remove", "path": _MARK}]
    dry_run = is_dry_run(options.dry_run)
    await call.context.client.json_patch(
        kinds.VMI, call.match.name, call.match.namespace, ops, dry_run=dry_run
    )
    return DONE


def _require_staying(call: Call, node_name: str) -> None:
    """Raises: Invalid when the node has the taint that drives guests out: they would be marked again."""
    node = call.context.caches.nodes.get("", node_name)
    taint = _drain_taint(call)
    if node is not None and node.spec is not None and any(t.key == taint for t in node.spec.taints or ()):
        raise Invalid(
            f"node {node_name} is being drained: take the taint {taint} off it first", reason="BadRequest"
        )


def _drain_taint(call: Call) -> str:
    for found in call.context.caches.kubevirts.all():
        migrations = found.spec.configuration.migrations if found.spec.configuration else None
        if migrations is not None and migrations.node_drain_taint_key:
            return migrations.node_drain_taint_key
    return _DRAIN_TAINT
