"""Examples for ``kinds.eviction``."""

from typing import Any

from tests.unit.gateway.admission.build import CLUSTER, Plain, vmi
from tests.unit.gateway.admission.examples.example import Example

from virtdeck.crds.codec import decode
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission.kinds.eviction import Eviction


def eviction(
    strategy: str | None, can_move: bool | None = None, *, role: str = "virt-launcher", **status: Any
) -> Eviction:
    """A pod on the node a, and the VMI whose pod it is."""
    found: Plain = {"phase": "Running", "nodeName": "a", **status}
    if can_move is not None:
        found["conditions"] = [{"type": "LiveMigratable", "status": str(can_move), "reason": "Because"}]
    pod = {
        "metadata": {"name": "p", "labels": {"kubevirt.io": role}},
        "spec": {"nodeName": "a", "containers": []},
    }
    guest = decode(vmi({"evictionStrategy": strategy}) | {"status": found}, VirtualMachineInstance)
    return Eviction(decode(pod, Pod), guest, CLUSTER)


def _without_vmi(role: str) -> Eviction:
    found = eviction(None, role=role)
    return Eviction(found.pod, None, CLUSTER)


EXAMPLES: dict[str, Example] = {
    "V440": Example(
        (eviction("LiveMigrate", False), eviction("LiveMigrate")),
        (
            eviction("LiveMigrate", True),
            eviction("LiveMigrateIfPossible", False),
            eviction("None", False),
            eviction("LiveMigrate", False, phase="Succeeded"),
            _without_vmi("virt-launcher"),
        ),
    ),
    "V441": Example(
        (
            eviction("LiveMigrate", True),
            eviction("LiveMigrateIfPossible", True),
            eviction("External"),
            eviction("External", nodeName="b", evacuationNodeName="a"),
        ),
        (eviction("LiveMigrateIfPossible", False), eviction("External", nodeName="b"), eviction(None, True)),
    ),
    "V442": Example(
        eviction(None, role="hotplug-disk"),
        (_without_vmi("hotplug-disk"), eviction(None, role="virt-launcher")),
    ),
}
