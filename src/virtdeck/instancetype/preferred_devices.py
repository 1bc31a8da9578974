"""What a preference says of devices: of the machine's own, and of each one that the template lists."""

from copy import deepcopy

from virtdeck.crds.plain import Plain, each, listed, part
from virtdeck.instancetype.paths import fill

# Field of the preference, field of spec.domain.devices.
_DEVICES = (
    ("preferredBlockMultiQueue", "blockMultiQueue"),
    ("preferredDisableHotplug", "disableHotplug"),
    ("preferredNetworkInterfaceMultiQueue", "networkInterfaceMultiqueue"),
    ("preferredRng", "rng"),
    ("preferredTPM", "tpm"),
    ("preferredUseVirtioTransitional", "useVirtioTransitional"),
)
_DISK = (
    ("preferredDiskBlockSize", "blockSize"),
    ("preferredDiskCache", "cache"),
    ("preferredDiskIO", "io"),
)
_BUSES = (("disk", "preferredDiskBus"), ("cdrom", "preferredCdromBus"), ("lun", "preferredLunBus"))
_INPUT = (("preferredInputBus", "bus"), ("preferredInputType", "type"))
_BINDINGS = ("bridge", "masquerade", "sriov", "slirp", "macvtap", "passt", "passtBinding", "binding")


def fill_devices(spec: Plain, preferred: Plain) -> None:
    """Every device is as the preference likes it, where the template does not say."""
    devices = part(spec["domain"], "devices")
    _fill(devices, preferred, _DEVICES)
    for disk in each(devices, "disks"):
        _fill_disk(disk, preferred)
    for interface in each(devices, "interfaces"):
        _fill_interface(interface, preferred, spec)
    for device in each(devices, "inputs"):
        _fill(device, preferred, _INPUT)
    for gpu in each(devices, "gpus"):
        _fill(gpu, preferred, (("preferredVirtualGPUOptions", "virtualGPUOptions"),))
    if devices.get("sound") is not None:
        _fill(devices["sound"], preferred, (("preferredSoundModel", "model"),))
    if devices.get("autoattachGraphicsDevice") is not False:
        _fill(devices, preferred, (("preferredVideoType", "video.type"),))
    _fill_panic_devices(devices, preferred)


def _fill(device: Plain, preferred: Plain, table: tuple[tuple[str, str], ...]) -> None:
    for source, field in table:
        if preferred.get(source) not in (None, ""):
            fill(device, field, deepcopy(preferred[source]))


def _fill_disk(disk: Plain, preferred: Plain) -> None:
    """What says nothing of its target is a disk."""
    if all(disk.get(target) is None for target, _ in _BUSES):
        disk["disk"] = {}
    for target, source in _BUSES:
        if disk.get(target) is not None:
            _fill(disk[target], preferred, ((source, "bus"),))
    if disk.get("disk") is not None:
        _fill(disk, preferred, _DISK)
        if disk["disk"].get("bus") == "virtio":  # others have no thread of their own
            _fill(disk, preferred, (("preferredDiskDedicatedIoThread", "dedicatedIOThread"),))


def _fill_interface(interface: Plain, preferred: Plain, spec: Plain) -> None:
    _fill(interface, preferred, (("preferredInterfaceModel", "model"),))
    masquerade = preferred.get("preferredInterfaceMasquerade")
    bound = any(interface.get(binding) is not None for binding in _BINDINGS)
    if masquerade is not None and not bound and _is_on_pod_network(interface, spec):
        interface["masquerade"] = dict(masquerade)


def _is_on_pod_network(interface: Plain, spec: Plain) -> bool:
    return any(
        network.get("pod") is not None
        for network in each(spec, "networks")
        if network.get("name") == interface.get("name")
    )


def _fill_panic_devices(devices: Plain, preferred: Plain) -> None:
    model = preferred.get("preferredPanicDeviceModel")
    if not model:
        return
    panic_devices = listed(devices, "panicDevices")
    if not panic_devices:
        panic_devices.append({})
    for device in panic_devices:
        fill(device, "model", model)
