"""Machine type, boot loader, kernel boot and SMBIOS. Source: spec.domain.firmware, machine, chassis."""

from typing import Final

from virtdeck.crds.kubevirt.firmware import EFI
from virtdeck.launcher.domain.elements.machine import (
    Bios,
    BootMenu,
    Entries,
    Entry,
    Loader,
    Nvram,
    Os,
    OsType,
    Smbios,
    Sysinfo,
)
from virtdeck.launcher.domain.request import Request

DEFAULT_MACHINE: Final = "q35"
PAUSED_BOOT_MENU_MILLISECONDS: Final = 10_000

# Debian's package ovmf. The second has Microsoft's keys enrolled and enforces them.
_OVMF: Final = "/usr/share/OVMF"
_PLAIN: Final = (f"{_OVMF}/OVMF_CODE_4M.fd", f"{_OVMF}/OVMF_VARS_4M.fd")
_SECURE: Final = (f"{_OVMF}/OVMF_CODE_4M.ms.fd", f"{_OVMF}/OVMF_VARS_4M.ms.fd")


def efi(request: Request) -> EFI | None:
    """The EFI boot loader when the VMI asks for it."""
    firmware = request.domain.firmware
    return firmware.bootloader.efi if firmware and firmware.bootloader else None


def is_secure_boot(request: Request) -> bool:
    """EFI boots only what is signed, unless it is told not to."""
    loader = efi(request)
    return loader is not None and loader.secure_boot is not False


def machine_type(request: Request) -> str:
    """Source: spec.domain.machine.type."""
    machine = request.domain.machine
    return (machine.type if machine else None) or DEFAULT_MACHINE


def os(request: Request) -> Os:
    """What the machine is and what it boots first."""
    firmware = request.domain.firmware
    kernel_boot = firmware.kernel_boot if firmware else None
    bios = firmware.bootloader.bios if firmware and firmware.bootloader else None
    loader, nvram = _pflash(request)
    return Os(
        type=OsType(arch="x86_64", machine=machine_type(request), value="hvm"),
        loader=loader,
        nvram=nvram,
        kernel=request.kernel,
        initrd=request.initrd,
        cmdline=kernel_boot.kernel_args if kernel_boot and request.kernel else None,
        bootmenu=BootMenu(enable="yes", timeout=PAUSED_BOOT_MENU_MILLISECONDS)
        if request.starts_paused
        else None,
        smbios=Smbios(mode="sysinfo"),
        bios=Bios(useserial="yes") if bios and bios.use_serial else None,
    )


def sysinfo(request: Request) -> Sysinfo:
    """What the guest's firmware tables say of the machine."""
    firmware, chassis = request.domain.firmware, request.domain.chassis
    system = {
        "manufacturer": "KubeVirt",
        "product": "None",
        "serial": firmware.serial if firmware else None,
        "uuid": system_uuid(request),
        "family": "KubeVirt",
    }
    case = chassis and {
        "manufacturer": chassis.manufacturer,
        "version": chassis.version,
        "serial": chassis.serial,
        "asset": chassis.asset,
        "sku": chassis.sku,
    }
    return Sysinfo(type="smbios", system=_entries(system), chassis=_entries(case) if case else None)


def system_uuid(request: Request) -> str:
    """The machine's identity: given by the user, else the VMI's own."""
    firmware = request.domain.firmware
    metadata = request.vmi.metadata
    return (firmware.uuid if firmware else None) or (metadata.uid if metadata else None) or ""


def _pflash(request: Request) -> tuple[Loader | None, Nvram | None]:
    if efi(request) is None:
        return None, None
    secure = is_secure_boot(request)
    code, variables = _SECURE if secure else _PLAIN
    return (
        Loader(readonly="yes", secure="yes" if secure else "no", type="pflash", value=code),
        Nvram(template=variables, value=request.nvram),
    )


def _entries(values: dict[str, str | None]) -> Entries:
    return Entries(entry=tuple(Entry(name=name, value=value) for name, value in values.items() if value))
