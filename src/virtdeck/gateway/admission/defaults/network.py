"""The network that a VMI gets when it says nothing (D17)."""

from virtdeck.crds.plain import Plain, each, part
from virtdeck.gateway.admission.cluster import ClusterConfig

_NAME = "default"


def fill_network(spec: Plain, cluster: ClusterConfig) -> None:
    devices = part(spec["domain"], "devices")
    if devices.get("autoattachPodInterface") is False:
        return
    if any(each(devices, "interfaces")) or any(each(spec, "networks")):
        return
    binding = "masquerade" if cluster.default_interface == "masquerade" else "bridge"
    devices["interfaces"] = [{"name": _NAME, binding: {}}]
    spec["networks"] = [{"name": _NAME, "pod": {}}]
