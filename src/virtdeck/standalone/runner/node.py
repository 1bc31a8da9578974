"""The Node object and its heartbeat, as a kubelet keeps them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import anyio
import structlog

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.basis.errors import Absent, Conflict, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.core.node import Node
from virtdeck.kube.client import Client
from virtdeck.standalone.runner.node_facts import NodeFacts

_NAMESPACE = "kube-node-lease"
_LEASE_SECONDS = 40
_RENEW_SECONDS = 10.0
_RETRY_SECONDS = 2.0
_STATUS_SECONDS = 300.0

_log = structlog.get_logger()


@dataclass(frozen=True)
class NodeKeeper:
    """Registers the node and says every ten seconds that it is there."""

    client: Client
    clock: Clock
    name: str
    facts: NodeFacts

    async def register(self) -> Node:
        """The Node exists, with today's facts. Raises: Unready, Refused."""
        metadata = {"name": self.name, "labels": labels(self.name, self.facts)}
        try:
            await self.client.create(kinds.NODE, {"apiVersion": "v1", "kind": "Node", "metadata": metadata})
        except Conflict:
            await self.client.merge_patch(kinds.NODE, self.name, None, {"metadata": metadata})
        return await self.write_status()

    async def write_status(self) -> Node:
        """The Node's status has today's facts; what others keep in it (devices) is left alone."""
        status = node_status(self.name, self.facts, self.clock.now())
        return await self.client.strategic_patch(kinds.NODE, self.name, None, {"status": status}, "status")

    async def run(self) -> None:
        """Renews the lease until cancelled."""
        written = self.clock.monotonic()
        while True:
            pause = _RENEW_SECONDS
            try:
                await self._renew()
                if self.clock.monotonic() - written > _STATUS_SECONDS:
                    await self.write_status()
                    written = self.clock.monotonic()
            except VirtdeckError as fault:
                _log.warning("heartbeat_missed", reason=fault.reason, problem=fault.message)
                pause = _RETRY_SECONDS
            await anyio.sleep(pause)

    async def _renew(self) -> None:
        now = self.clock.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        try:
            await self.client.merge_patch(
                kinds.LEASE, self.name, _NAMESPACE, {"spec": {"holderIdentity": self.name, "renewTime": now}}
            )
        except Absent:
            spec = {"holderIdentity": self.name, "leaseDurationSeconds": _LEASE_SECONDS, "renewTime": now}
            lease = {
                "apiVersion": "coordination.k8s.io/v1",
                "kind": "Lease",
                "metadata": {"name": self.name, "namespace": _NAMESPACE},
                "spec": spec,
            }
            await self.client.create(kinds.LEASE, lease, _NAMESPACE)


def labels(name: str, facts: NodeFacts) -> dict[str, str]:
    """The labels that every kubelet gives its node; pure."""
    return {
        "kubernetes.io/hostname": name,
        "kubernetes.io/arch": facts.architecture,
        "kubernetes.io/os": "linux",
        "node-role.kubernetes.io/control-plane": "",
    }


def node_status(name: str, facts: NodeFacts, now: datetime) -> dict[str, Any]:
    """What the Node says of the machine; pure."""
    capacity = {"cpu": str(facts.cpus), "memory": _kibi(facts.memory), "pods": str(facts.max_pods)}
    allocatable = capacity | {"memory": _kibi(facts.allocatable_memory)}
    return {
        "capacity": capacity,
        "allocatable": allocatable,
        "addresses": [
            {"type": "InternalIP", "address": facts.address},
            {"type": "Hostname", "address": name},
        ],
        "nodeInfo": facts.node_info(),
        "conditions": [
            _condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "", now),
            _condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "", now),
            _condition("PIDPressure", "False", "KubeletHasSufficientPID", "", now),
            _condition("Ready", "True", "KubeletReady", "virtdeck's pod runner takes pods", now),
        ],
    }


def _kibi(amount: int) -> str:
    return f"{amount // 1024}Ki"


def _condition(kind: str, status: str, reason: str, message: str, now: datetime) -> dict[str, str]:
    moment = rfc3339(now)
    times = {"lastHeartbeatTime": moment, "lastTransitionTime": moment}
    return {"type": kind, "status": status, "reason": reason, "message": message or reason} | times
