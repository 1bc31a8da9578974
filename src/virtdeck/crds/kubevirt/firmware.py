"""Firmware, boot loader and direct kernel boot."""

from typing import Annotated

from virtdeck.crds.model import Model, doc, one_of


class ACPI(Model, frozen=True, kw_only=True):
    """Tables that Windows reads its licence from."""

    msdm_name_ref: Annotated[str | None, doc("Volume (a secret) with the MSDM table.")] = None
    slic_name_ref: Annotated[str | None, doc("Volume (a secret) with the SLIC table.")] = None


class BIOS(Model, frozen=True, kw_only=True):
    """SeaBIOS."""

    use_serial: Annotated[bool | None, doc("It writes to the serial console.")] = None


class EFI(Model, frozen=True, kw_only=True):
    """UEFI."""

    persistent: Annotated[bool | None, doc("Variables outlast a restart of the VM.")] = None
    secure_boot: Annotated[
        bool | None, doc("Only signed code boots; on unless switched off, and needs features.smm.")
    ] = None


class Bootloader(Model, frozen=True, kw_only=True):
    """What starts the guest."""

    bios: Annotated[BIOS | None, doc("SeaBIOS, the default.")] = None
    efi: Annotated[EFI | None, doc("UEFI.")] = None


class KernelBootContainer(Model, frozen=True, kw_only=True):
    """The image that holds kernel and initrd."""

    image: Annotated[str, doc("Reference of the image, as registry.example.com/example/kernel:1.")]
    image_pull_policy: Annotated[
        str | None, one_of("Always", "IfNotPresent", "Never"), doc("When the registry is asked.")
    ] = None
    image_pull_secret: Annotated[
        str | None, doc("Secret of this namespace with the registry's credentials.")
    ] = None
    initrd_path: Annotated[str | None, doc("Path of the initrd in the image.")] = None
    kernel_path: Annotated[str | None, doc("Path of the kernel in the image.")] = None


class KernelBoot(Model, frozen=True, kw_only=True):
    """The guest starts from a kernel without a boot loader."""

    container: Annotated[KernelBootContainer | None, doc("Where kernel and initrd are.")] = None
    kernel_args: Annotated[str | None, doc("Command line of the kernel.")] = None


class Firmware(Model, frozen=True, kw_only=True):
    """What the guest's firmware is and says."""

    acpi: Annotated[ACPI | None, doc("Tables that are shown to the guest.")] = None
    bootloader: Annotated[Bootloader | None, doc("What starts the guest.")] = None
    kernel_boot: Annotated[
        KernelBoot | None, doc("The guest starts from a kernel without a boot loader.")
    ] = None
    serial: Annotated[str | None, doc("Serial number of the system.")] = None
    uuid: Annotated[str | None, doc("Identity of the system; it stays the same over restarts.")] = None
