"""What virt-handler says of its node in the Node object; pure."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.crds.codec import to_dict
from virtdeck.crds.core.node import Node
from virtdeck.crds.meta import Condition
from virtdeck.node_agent.host.kvm import KvmVerdict

KVM_RESOURCE = "devices.kubevirt.io/kvm"
# KVM can be shared; this is only how many pods of a node may have it, as in KubeVirt.
_KVM_SHARES = "1000"
_VENDORS = {"GenuineIntel": "Intel", "AuthenticAMD": "AMD"}

SCHEDULABLE_LABEL = "kubevirt.io/schedulable"
HEARTBEAT_ANNOTATION = "kubevirt.io/heartbeat"
ENDPOINT_ANNOTATION = "kubevirt.io/handler-endpoint"
KVM_CONDITION = "KVMUsable"


@dataclass(frozen=True)
class NodeFacts:
    """What is published. endpoint: URL of virt-handler's API. cpu_vendor: as /proc/cpuinfo names it."""

    endpoint: str
    kvm: KvmVerdict
    cpu_vendor: str = ""


def metadata_patch(facts: NodeFacts, now: datetime) -> dict[str, Any]:
    """Merge patch of the Node's labels and annotations; repeated as the heartbeat."""
    labels = {SCHEDULABLE_LABEL: "true", "kubevirt.io/kvm": "true" if facts.kvm.usable else "false"}
    vendor = _VENDORS.get(facts.cpu_vendor, facts.cpu_vendor)
    if vendor:
        labels[f"cpu-vendor.node.kubevirt.io/{vendor}"] = "true"
    annotations = {HEARTBEAT_ANNOTATION: rfc3339(now), ENDPOINT_ANNOTATION: facts.endpoint}
    return {"metadata": {"labels": labels, "annotations": annotations}}


def status_patch(facts: NodeFacts, node: Node, now: datetime) -> dict[str, Any] | None:
    """Strategic merge patch of the Node's status: the KVM condition, and the device if it is of use.

    None when the Node says so already.
    """
    shares = _KVM_SHARES if facts.kvm.usable else "0"
    wanted = Condition(
        type=KVM_CONDITION,
        status="True" if facts.kvm.usable else "False",
        reason=facts.kvm.reason,
        message=facts.kvm.message,
    )
    status = node.status
    known = next((c for c in (status and status.conditions) or () if c.type == KVM_CONDITION), None)
    allocatable = ((status and status.allocatable) or {}).get(KVM_RESOURCE)
    if known is not None and str(allocatable) == shares and _same_answer(known, wanted):
        return None
    stamps = {"lastHeartbeatTime": rfc3339(now), "lastTransitionTime": rfc3339(now)}
    devices = {KVM_RESOURCE: shares}
    return {"status": {"conditions": [to_dict(wanted) | stamps], "capacity": devices, "allocatable": devices}}


def _same_answer(one: Condition, other: Condition) -> bool:
    return (one.status, one.reason, one.message) == (other.status, other.reason, other.message)


def read_cpu_vendor() -> str:
    """The processor's vendor, as the kernel names it."""
    return parse_cpu_vendor(Path("/proc/cpuinfo").read_text())


def parse_cpu_vendor(cpuinfo: str) -> str:
    """The first processor's vendor_id in /proc/cpuinfo's text."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "vendor_id":
            return value.strip()
    return ""
