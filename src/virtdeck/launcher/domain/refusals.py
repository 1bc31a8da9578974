"""What a VMI may ask for and this product cannot carry yet, each with its field path and the way out."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.launcher.domain.disks import bus_of, pci_address, wanted_disks
from virtdeck.launcher.domain.firmware import efi, machine_type
from virtdeck.launcher.domain.memory import guest_bytes
from virtdeck.launcher.domain.request import Request

Question = Callable[[Request], Any]

_BUSES: Final = ("virtio", "sata", "scsi", "usb")
_MODELS: Final = ("virtio", "e1000", "e1000e", "igb", "ne2k_pci", "pcnet", "rtl8139")
_MACHINE: Final = re.compile(r"q35|pc-q35-[0-9.]+")
_SMALLEST_GUEST_BYTES: Final = 1024 * 1024
_DEVICES: Final = "spec.domain.devices"
_NOT_YET: Final = "is not supported by this release of virtdeck; leave it out"


def _by_agent(request: Request) -> bool:
    return any(
        item.user_password
        or (item.ssh_public_key and item.ssh_public_key.propagation_method.qemu_guest_agent)
        for item in request.spec.access_credentials or ()
    )


# One line a field: where, what to say, and whether the VMI uses it.
_TABLE: Final[tuple[tuple[str, str, Question], ...]] = (
    ("spec.accessCredentials", "needs noCloud or configDrive in this release", _by_agent),
    ("spec.domain.launchSecurity", _NOT_YET, lambda r: r.domain.launch_security),
    ("spec.domain.cpu.dedicatedCpuPlacement", _NOT_YET, lambda r: _cpu(r, "dedicated_cpu_placement")),
    ("spec.domain.cpu.isolateEmulatorThread", _NOT_YET, lambda r: _cpu(r, "isolate_emulator_thread")),
    ("spec.domain.cpu.numa", _NOT_YET, lambda r: _cpu(r, "numa")),
    ("spec.domain.cpu.realtime", _NOT_YET, lambda r: _cpu(r, "realtime")),
    ("spec.domain.memory.hugepages", _NOT_YET, lambda r: r.domain.memory and r.domain.memory.hugepages),
    ("spec.domain.firmware.acpi", _NOT_YET, lambda r: r.domain.firmware and r.domain.firmware.acpi),
    (f"{_DEVICES}.autoattachVSOCK", _NOT_YET, lambda r: r.devices.autoattach_vsock),
    (f"{_DEVICES}.clientPassthrough", _NOT_YET, lambda r: r.devices.client_passthrough),
    (f"{_DEVICES}.downwardMetrics", _NOT_YET, lambda r: r.devices.downward_metrics),
    (f"{_DEVICES}.filesystems", _NOT_YET, lambda r: r.devices.filesystems),
    (f"{_DEVICES}.gpus", _NOT_YET, lambda r: r.devices.gpus),
    (f"{_DEVICES}.hostDevices", _NOT_YET, lambda r: r.devices.host_devices),
    (
        f"{_DEVICES}.watchdog.diag288",
        "exists on s390x only; use i6300esb",
        lambda r: r.devices.watchdog and r.devices.watchdog.diag288,
    ),
    (
        f"{_DEVICES}.tpm",
        "needs the package swtpm on the node",
        lambda r: r.devices.tpm and r.devices.tpm.enabled is not False and not r.has_swtpm,
    ),
    (f"{_DEVICES}.tpm.persistent", _NOT_YET, lambda r: r.devices.tpm and r.devices.tpm.persistent),
    ("spec.domain.firmware.bootloader.efi.persistent", _NOT_YET, lambda r: (e := efi(r)) and e.persistent),
    (
        "spec.architecture",
        "must be amd64 on this node",
        lambda r: r.spec.architecture not in (None, "", "amd64"),
    ),
    (
        "spec.domain.machine.type",
        "must be q35 or pc-q35-<version>",
        lambda r: not _MACHINE.fullmatch(machine_type(r)),
    ),
    (
        "spec.domain.memory.guest",
        "must be at least 1Mi",
        lambda r: (guest_bytes(r) or 0) < _SMALLEST_GUEST_BYTES,
    ),
    (
        "spec.domain.firmware.kernelBoot.container",
        "has no kernel that this node could read",
        lambda r: _kernel_boot(r) and not r.kernel,
    ),
)


def require_carried(request: Request) -> None:
    """Nothing in the VMI is beyond this node. Raises: Invalid with every cause."""
    causes = tuple(_causes(request))
    if causes:
        raise Invalid("; ".join(f"{cause.field}: {cause.message}" for cause in causes), causes=causes)


def _causes(request: Request) -> Iterator[Cause]:
    for field, message, asks in _TABLE:
        if asks(request):
            yield Cause(field, message)
    yield from _disk_causes(request)
    yield from _interface_causes(request)
    for index, panic in enumerate(request.devices.panic_devices or ()):
        if panic.model not in (None, "isa", "hyperv"):
            yield Cause(f"{_DEVICES}.panicDevices[{index}].model", "must be isa or hyperv")


def _disk_causes(request: Request) -> Iterator[Cause]:
    volumes = {volume.name for volume in request.spec.volumes or ()}
    for index, disk in enumerate(wanted_disks(request)):
        field = f"{_DEVICES}.disks[{index}]"
        if bus_of(disk) not in _BUSES:
            yield Cause(f"{field}.bus", f"must be one of {', '.join(_BUSES)}")
        if disk.lun:
            yield Cause(f"{field}.lun", _NOT_YET)
        if disk.disk and disk.disk.pci_address and not pci_address(disk.disk.pci_address):
            yield Cause(f"{field}.disk.pciAddress", "must be like 0000:81:01.0")
        if disk.name not in volumes and not disk.cdrom:
            yield Cause(f"{field}.name", f"there is no volume {disk.name!r}", "FieldValueNotFound")
        elif disk.name not in request.disks and disk.name in volumes:
            yield Cause(
                f"spec.volumes[{_position(request, disk.name)}]",
                "has no disk image that this node could read",
            )
    if len({disk.name for disk in wanted_disks(request)}) != len(wanted_disks(request)):
        yield Cause(f"{_DEVICES}.disks", "two disks have the same name", "FieldValueDuplicate")


def _interface_causes(request: Request) -> Iterator[Cause]:
    facts = {fact.name for fact in request.interfaces}
    for index, spec in enumerate(request.devices.interfaces or ()):
        field = f"{_DEVICES}.interfaces[{index}]"
        if spec.model not in (None, "", *_MODELS):
            yield Cause(f"{field}.model", f"must be one of {', '.join(_MODELS)}")
        if spec.pci_address and not pci_address(spec.pci_address):
            yield Cause(f"{field}.pciAddress", "must be like 0000:81:01.0")
        if spec.name not in facts and spec.state != "absent":
            yield Cause(field, "this node has not prepared its network")


def _position(request: Request, name: str) -> int:
    return [volume.name for volume in request.spec.volumes or ()].index(name)


def _cpu(request: Request, field: str) -> Any:
    return getattr(request.domain.cpu, field, None)


def _kernel_boot(request: Request) -> Any:
    firmware = request.domain.firmware
    return firmware and firmware.kernel_boot and firmware.kernel_boot.container
