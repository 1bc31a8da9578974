"""Firmware, boot loader and direct kernel boot."""

from typing import Annotated

from virtdeck.crds.model import Model, doc, one_of


class ACPI(Model, frozen=True, kw_only=True):
    """Tables that Windows reads its licence from."""

    msdm_name_ref: Annotated[
        str | None, doc("Volume (a secret) with the MSDM table, in which Windows finds its licence key.")
    ] = None
    slic_name_ref: Annotated[
        str | None, doc("Volume (a secret) with the SLIC table, in which older Windows finds its licence.")
    ] = None


class BIOS(Model, frozen=True, kw_only=True):
    """SeaBIOS."""

    use_serial: Annotated[
        bool | None, doc("true: SeaBIOS writes to the serial console as well. false when absent.")
    ] = None


class EFI(Model, frozen=True, kw_only=True):
    """UEFI."""

    persistent: Annotated[
        bool | None,
        doc(
            "true: variables, as the boot order, outlast a restart, in a claim of the cluster's "
            "vmStateStorageClass. false when absent."
        ),
    ] = None
    secure_boot: Annotated[
        bool | None,
        doc("Whether only signed code boots; true when absent, and then features.smm must be on."),
    ] = None


class Bootloader(Model, frozen=True, kw_only=True):
    """What starts the guest."""

    bios: Annotated[
        BIOS | None, doc("SeaBIOS, the default on amd64; no other architecture has it. Excludes efi.")
    ] = None
    efi: Annotated[EFI | None, doc("UEFI, the default on arm64. Excludes bios.")] = None


class KernelBootContainer(Model, frozen=True, kw_only=True):
    """The image that holds kernel and initrd."""

    image: Annotated[str, doc("Reference of the image, as registry.example.com/example/kernel:1.")]
    image_pull_policy: Annotated[
        str | None,
        one_of("Always", "IfNotPresent", "Never"),
        doc(
            "When the registry is asked: Always, IfNotPresent or Never. Always for the tag latest, else "
            "IfNotPresent."
        ),
    ] = None
    image_pull_secret: Annotated[
        str | None, doc("Secret of this namespace with the registry's credentials; none when absent.")
    ] = None
    initrd_path: Annotated[
        str | None, doc("Path of the initrd in the image; one of initrdPath and kernelPath must be there.")
    ] = None
    kernel_path: Annotated[str | None, doc("Path of the kernel in the image.")] = None


class KernelBoot(Model, frozen=True, kw_only=True):
    """The guest starts from a kernel without a boot loader."""

    container: Annotated[KernelBootContainer | None, doc("Image with kernel and initrd.")] = None
    kernel_args: Annotated[
        str | None, doc("Command line of the kernel, as console=ttyS0; only with container.")
    ] = None


class Firmware(Model, frozen=True, kw_only=True):
    """What the guest's firmware is and says."""

    acpi: Annotated[ACPI | None, doc("Tables that are shown to the guest, for licences.")] = None
    bootloader: Annotated[Bootloader | None, doc("What starts the guest: BIOS or UEFI.")] = None
    kernel_boot: Annotated[
        KernelBoot | None, doc("The guest starts from a kernel directly, without a boot loader.")
    ] = None
    serial: Annotated[
        str | None,
        doc(
            "Serial number of the system in the guest's DMI table, at most 256 characters of letters, "
            "digits, _ . +; empty when absent."
        ),
    ] = None
    uuid: Annotated[
        str | None,
        doc(
            "Identity of the system in the guest's DMI table; derived from the machine's name and kept "
            "over restarts when absent."
        ),
    ] = None
