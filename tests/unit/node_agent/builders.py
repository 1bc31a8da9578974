"""Values for the node agent's tests; no logic."""

from datetime import UTC, datetime
from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.objects import Key
from virtdeck.node_agent.host.kvm import KvmVerdict
from virtdeck.node_agent.launchers.link import LauncherView
from virtdeck.node_agent.vmi.seen import HostView, Seen
from virtdeck.wire.launcher import AgentFacts, DomainFacts, LauncherState

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
KEY = Key("default", "demo")
UID = "6a1c1f6e-0000-4000-8000-000000000001"
POD_UID = "6a1c1f6e-0000-4000-8000-000000000002"
NO_KVM = KvmVerdict(usable=False, reason="MachineFailed", message="a machine started with KVM failed")
KVM = KvmVerdict(usable=True, reason="Probed", message="a machine ran with KVM")
EMULATED = HostView(NO_KVM, emulation_allowed=True)


def vmi(
    phase: str = "Scheduled", *, spec: dict[str, Any] | None = None, **extra: Any
) -> VirtualMachineInstance:
    metadata = {"name": "demo", "namespace": "default", "uid": UID, "resourceVersion": "7"}
    domain = {
        "devices": {"interfaces": [{"name": "default", "masquerade": {}}]},
        "memory": {"guest": "128Mi"},
    }
    base = {"domain": domain, "networks": [{"name": "default", "pod": {}}]}
    status = {"phase": phase, "nodeName": "node1", "activePods": {POD_UID: "node1"}} | extra.pop("status", {})
    return decode(
        {"metadata": metadata | extra.pop("metadata", {}), "spec": base | (spec or {}), "status": status},
        VirtualMachineInstance,
    )


def pod(phase: str = "Running", **status: Any) -> Pod:
    owner = {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "name": "demo", "uid": UID,
             "controller": True}  # fmt: skip
    metadata = {
        "name": "virt-launcher-demo",
        "namespace": "default",
        "uid": POD_UID,
        "ownerReferences": [owner],
    }
    shown = {"phase": phase, "podIP": "10.88.0.5", "podIPs": [{"ip": "10.88.0.5"}]} | status
    return decode({"metadata": metadata, "status": shown}, Pod)


def state(phase: str = "Running", **fields: Any) -> LauncherState:
    domain = DomainFacts(
        uuid="u", machine="pc-q35-7.2", memory_bytes=128 << 20, vcpus=1, disk_targets={"root": "vda"},
        macs={"default": "02:00:00:00:00:07"},
    )  # fmt: skip
    known = {"serial": 3, "since": "2026-11-30T11:59:58Z", "domain": None if phase == "NoDomain" else domain}
    return LauncherState(phase=phase, **(known | fields))  # type: ignore[arg-type]


def agent(**fields: Any) -> AgentFacts:
    return AgentFacts(connected=True, **fields)


def connected(phase: str = "Running", **fields: Any) -> LauncherView:
    return LauncherView("Connected", state(phase, **fields))


def seen(
    obj: VirtualMachineInstance | None = None, launcher: LauncherView | None = None, **fields: Any
) -> Seen:
    known: dict[str, Any] = {
        "pod": pod(), "host": EMULATED, "now": NOW, "connected_pod": POD_UID if launcher else None,
    }  # fmt: skip
    return Seen(key=KEY, vmi=obj or vmi(), launcher=launcher, **(known | fields))
