"""Devices that nobody has to name: a disk for each volume, the pod network, a tablet (D17, D18)."""

from virtdeck.crds.plain import Plain, each, listed, part, unset

AUTOATTACHED_INPUT = "default-0"
_NETWORK = "default"


def attach_disks(spec: Plain) -> None:
    """Every volume is seen by the guest, as a disk unless it is a file system."""
    devices = part(spec["domain"], "devices")
    seen = {device.get("name") for kind in ("disks", "filesystems") for device in each(devices, kind)}
    missing = [volume["name"] for volume in each(spec, "volumes") if volume["name"] not in seen]
    if missing:
        listed(devices, "disks").extend({"name": name} for name in missing)


def attach_network(spec: Plain, default_interface: str) -> None:
    """A guest that names no network is on its pod's, unless it says that it wants none.

    default_interface: ``masquerade``, or anything else for a bridge.
    """
    devices = part(spec["domain"], "devices")
    if devices.get("autoattachPodInterface") is False:
        return
    if any(each(devices, "interfaces")) or any(each(spec, "networks")):
        return
    binding = "masquerade" if default_interface == "masquerade" else "bridge"
    devices["interfaces"] = [{"name": _NETWORK, binding: {}}]
    spec["networks"] = [{"name": _NETWORK, "pod": {}}]


def attach_input(spec: Plain) -> None:
    """A guest that asked for a pointing device has one; which one, the preference says."""
    devices = part(spec["domain"], "devices")
    if devices.get("autoattachInputDevice") and not any(each(devices, "inputs")):
        devices["inputs"] = [{"name": AUTOATTACHED_INPUT}]


def complete_inputs(spec: Plain) -> None:
    """Pointing devices that nobody said anything of are tablets, whose pointer is where the viewer's is."""
    for device in each(spec["domain"].get("devices"), "inputs"):
        unset(device, "type", "tablet")
