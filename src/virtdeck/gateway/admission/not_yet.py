"""Parts of KubeVirt's API that this release cannot run: said at once, rather than left out in silence.

What a VM cannot do without is refused; what it can run without is warned about. An entry goes when the part
works. Paths are those of the spec; ``[]`` means every item, ``=`` one value.
"""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.verdict import forbidden

_STORAGE = (
    "persistent storage is not available in this release; use containerDisk, or emptyDisk for scratch space"
)
_FILES = "handing files over as a disk is not available in this release; use cloudInitNoCloud"
_POD_ONLY = (
    "only the pod network is available in this release; use masquerade or bridge on a network of kind pod"
)
_PINNING = "processors of its own are not available in this release; leave the placement to the kernel"
_CONFIDENTIAL = "encrypted guests are not available in this release"
_HOST_DEVICES = "devices of the host cannot be handed to guests in this release"
_PROBES = "probes of guests are stored but not asked in this release"

VMI_SPEC: dict[str, str] = {
    "domain.cpu.dedicatedCpuPlacement": _PINNING,
    "domain.cpu.isolateEmulatorThread": _PINNING,
    "domain.cpu.numa": _PINNING,
    "domain.cpu.realtime": _PINNING,
    "domain.memory.hugepages": "huge pages are not available in this release; remove hugepages",
    "domain.launchSecurity": _CONFIDENTIAL,
    "domain.firmware.acpi": "ACPI tables of your own are not available in this release",
    "domain.firmware.bootloader.efi.persistent": "EFI variables are not kept in this release",
    "domain.devices.tpm.persistent": "a TPM's contents are not kept in this release",
    "domain.devices.gpus": _HOST_DEVICES,
    "domain.devices.hostDevices": _HOST_DEVICES,
    "domain.devices.filesystems": "file systems by virtiofs are not available in this release",
    "domain.devices.clientPassthrough": "USB redirection is not available in this release",
    "domain.devices.autoattachVSOCK": "VSOCK is not available in this release",
    "domain.devices.downwardMetrics": "downward metrics are not available in this release",
    "domain.devices.interfaces[].sriov": _POD_ONLY,
    "domain.devices.interfaces[].passtBinding": _POD_ONLY,
    "domain.devices.interfaces[].binding": _POD_ONLY,
    "domain.devices.interfaces[].portRanges": "ranges of ports are not available in this release; use ports",
    "networks[].multus": _POD_ONLY,
    "networks[].resourceClaim": _POD_ONLY,
    "resourceClaims": _HOST_DEVICES,
    "volumes[].persistentVolumeClaim": _STORAGE,
    "volumes[].dataVolume": _STORAGE,
    "volumes[].ephemeral": _STORAGE,
    "volumes[].hostDisk": _STORAGE,
    "volumes[].memoryDump": _STORAGE,
    "volumes[].sysprep": _FILES,
    "volumes[].configMap": _FILES,
    "volumes[].secret": _FILES,
    "volumes[].downwardAPI": _FILES,
    "volumes[].serviceAccount": _FILES,
    "volumes[].containerPath": _FILES,
    "volumes[].downwardMetrics": "downward metrics are not available in this release",
    "accessCredentials": "keys are not put into running guests in this release; use cloud-init",
}

VM_SPEC: dict[str, str] = {
    "dataVolumeTemplates": _STORAGE,
    "runStrategy=WaitAsReceiver": "migrations between clusters are not available in this release",
}

VMI_SPEC_WARNED: dict[str, str] = {
    "livenessProbe": _PROBES,
    "readinessProbe": _PROBES,
    "domain.devices.disks[].changedBlockTracking": "changed blocks are not remembered in this release",
}


def refused(spec: dict[str, Any], path: str, table: dict[str, str]) -> Iterator[Cause]:
    """One cause for each field of the table that is in use; false and empty lists count as unused."""
    for field, sentence in _found(spec, path, table):
        yield forbidden(field, sentence)


def warned(spec: dict[str, Any], path: str, table: dict[str, str]) -> Iterator[str]:
    """One sentence for each field of the table that is in use."""
    for field, sentence in _found(spec, path, table):
        yield f"{field}: {sentence}"


def _found(spec: dict[str, Any], path: str, table: dict[str, str]) -> Iterator[tuple[str, str]]:
    for pattern, sentence in table.items():
        place, _, only = pattern.partition("=")
        for field, value in _uses(spec, place.split("."), path):
            if not only or value == only:
                yield field, sentence


def _uses(value: Any, names: list[str], path: str) -> Iterator[tuple[str, Any]]:
    if not names:
        if value is not None and value is not False and value != []:
            yield path, value
        return
    name, several = names[0].removesuffix("[]"), names[0].endswith("[]")
    inner = value.get(name) if isinstance(value, dict) else None
    if several and isinstance(inner, list):
        for index, item in enumerate(inner):
            yield from _uses(item, names[1:], f"{path}.{name}[{index}]")
    elif not several and inner is not None:
        yield from _uses(inner, names[1:], f"{path}.{name}")
