"""Parts of KubeVirt's API that this release cannot run: said at once, rather than left out in silence.

What a VM cannot do without is refused; what it can run without is warned about. An entry goes when the part
works. Paths are those of the spec; ``[]`` means every item, ``=`` one value.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.verdict import forbidden

# A field to what is below it; the items of a list are below the empty name.
Tree = dict[str, Any]
_ONLY = "\0"  # between a sentence and the one value that it is about


class Table(dict[str, str]):
    """Fields and what is said of them."""

    @cached_property
    def tree(self) -> Tree:
        """The same by name, so that a spec is walked once."""
        tree: Tree = {}
        for pattern, sentence in self.items():
            place, _, only = pattern.partition("=")
            *above, last = place.replace("[]", ".").split(".")
            level = tree
            for name in above:
                level = level.setdefault(name, {})
            level[last] = f"{sentence}{_ONLY}{only}"
        return tree


_STORAGE = (
    "persistent storage is not available in this release; use containerDisk, or emptyDisk for scratch space"
)
_AGENT_CREDENTIALS = "nothing is put into running guests in this release; use noCloud or configDrive"
_POD_ONLY = (
    "only the pod network is available in this release; use masquerade or bridge on a network of kind pod"
)
_RANGES = "ranges of ports are not available in this release; use ports"
_PINNING = "processors of its own are not available in this release; leave the placement to the kernel"
_CONFIDENTIAL = "encrypted guests are not available in this release"
_HOST_DEVICES = "devices of the host cannot be handed to guests in this release"
_PROBES = "probes of guests are stored but not asked in this release"

VMI_SPEC = Table(
    {
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
        "domain.devices.interfaces[].portRanges": _RANGES,
        "networks[].multus": _POD_ONLY,
        "networks[].resourceClaim": _POD_ONLY,
        "resourceClaims": _HOST_DEVICES,
        "volumes[].persistentVolumeClaim": _STORAGE,
        "volumes[].dataVolume": _STORAGE,
        "volumes[].ephemeral": _STORAGE,
        "volumes[].hostDisk": _STORAGE,
        "volumes[].memoryDump": _STORAGE,
        "volumes[].containerPath": "folders of the launcher are not shared with guests in this release",
        "volumes[].downwardMetrics": "downward metrics are not available in this release",
        "accessCredentials[].userPassword": _AGENT_CREDENTIALS,
        "accessCredentials[].sshPublicKey.propagationMethod.qemuGuestAgent": _AGENT_CREDENTIALS,
    }
)

VM_SPEC = Table(
    {
        "dataVolumeTemplates": _STORAGE,
        "runStrategy=WaitAsReceiver": "migrations between clusters are not available in this release",
    }
)

VMI_SPEC_WARNED = Table(
    {
        "livenessProbe": _PROBES,
        "readinessProbe": _PROBES,
        "domain.devices.disks[].changedBlockTracking": "changed blocks are not remembered in this release",
    }
)


def refused(spec: dict[str, Any], path: str, table: Table) -> Iterator[Cause]:
    """One cause for each field of the table that is in use; false and empty lists count as unused."""
    for field, sentence in _found(spec, path, table.tree):
        yield forbidden(field, sentence)


def warned(spec: dict[str, Any], path: str, table: Table) -> Iterator[str]:
    """One sentence for each field of the table that is in use."""
    for field, sentence in _found(spec, path, table.tree):
        yield f"{field}: {sentence}"


def _found(value: Any, path: str, tree: Tree) -> Iterator[tuple[str, str]]:
    for name, below in tree.items() if isinstance(value, dict) else ():
        inner = value.get(name)
        if inner is not None and inner is not False and inner != []:
            yield from _used(inner, f"{path}.{name}", below)


def _used(value: Any, path: str, below: Tree | str) -> Iterator[tuple[str, str]]:
    if isinstance(below, str):
        sentence, _, only = below.partition(_ONLY)
        if not only or value == only:
            yield path, sentence
    elif "" not in below:
        yield from _found(value, path, below)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _used(item, f"{path}[{index}]", below[""])
