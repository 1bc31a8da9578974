"""Firmware, boot loader and direct kernel boot."""

from typing import Annotated

from virtdeck.crds.model import Model, one_of


class ACPI(Model, frozen=True, kw_only=True):
    """TBD"""

    msdm_name_ref: str | None = None
    slic_name_ref: str | None = None


class BIOS(Model, frozen=True, kw_only=True):
    """TBD"""

    use_serial: bool | None = None


class EFI(Model, frozen=True, kw_only=True):
    """TBD"""

    persistent: bool | None = None
    secure_boot: bool | None = None


class Bootloader(Model, frozen=True, kw_only=True):
    """TBD"""

    bios: BIOS | None = None
    efi: EFI | None = None


class KernelBootContainer(Model, frozen=True, kw_only=True):
    """TBD"""

    image: str
    image_pull_policy: Annotated[str | None, one_of("Always", "IfNotPresent", "Never")] = None
    image_pull_secret: str | None = None
    initrd_path: str | None = None
    kernel_path: str | None = None


class KernelBoot(Model, frozen=True, kw_only=True):
    """TBD"""

    container: KernelBootContainer | None = None
    kernel_args: str | None = None


class Firmware(Model, frozen=True, kw_only=True):
    """TBD"""

    acpi: ACPI | None = None
    bootloader: Bootloader | None = None
    kernel_boot: KernelBoot | None = None
    serial: str | None = None
    uuid: str | None = None
