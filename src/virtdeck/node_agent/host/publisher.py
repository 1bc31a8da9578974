"""Keeps the Node object saying what this node can do, and that virt-handler lives."""

from datetime import datetime

import anyio
import structlog

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, Refused, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.kube.backoff import Backoff
from virtdeck.kube.client import Client
from virtdeck.node_agent.host.facts import NodeFacts, metadata_patch, status_patch

# Source: KubeVirt's heartbeat; a node silent for five of these counts as unresponsive.
HEARTBEAT_SECONDS = 60.0
# The kubelet or pod runner may not have made the Node yet.
_RETRY = Backoff(base_seconds=0.1, cap_seconds=10.0)
_PATIENCE = 8  # failures, about 15 s

log = structlog.get_logger()


async def publish_node(client: Client, node_name: str, facts: NodeFacts, clock: Clock) -> None:
    """The Node shows ``facts`` and a fresh heartbeat, until cancelled."""
    failures = 0
    while True:
        try:
            await _publish(client, node_name, facts, clock.now())
        except VirtdeckError as fault:
            failures += 1
            if not isinstance(fault, Absent) or failures == _PATIENCE:
                log.warning("heartbeat_failed", node=node_name, reason=fault.reason, problem=fault.message)
            await anyio.sleep(_RETRY.seconds(failures, 0.0))
        else:
            failures = 0
            await anyio.sleep(HEARTBEAT_SECONDS)


async def _publish(client: Client, node_name: str, facts: NodeFacts, now: datetime) -> None:
    node = await client.merge_patch(kinds.NODE, node_name, None, metadata_patch(facts, now))
    patch = status_patch(facts, node, now)
    if patch is None:
        return
    try:
        await client.strategic_patch(kinds.NODE, node_name, None, patch, "status")
    except Refused as fault:
        # The heartbeat matters more: without it the node counts as dead.
        log.warning("node_status_refused", node=node_name, problem=fault.message)
