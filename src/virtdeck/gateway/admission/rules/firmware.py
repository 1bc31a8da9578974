"""Machine type, boot loader, kernel boot and tables of the firmware (V58–V68, V78)."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from virtdeck.gateway.admission.rule import (
    FORBIDDEN,
    INVALID,
    NOT_FOUND,
    NOT_SUPPORTED,
    REQUIRED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import one_of_words
from virtdeck.gateway.admission.words import is_path_in_image

RULES: Rules[Subject] = Rules("VMI")

_ACPI, _BOOT = "spec.domain.firmware.acpi", "spec.domain.firmware.kernelBoot"
_SERIAL = re.compile(r"[A-Za-z0-9_.+-]*", re.ASCII)
_MOST_SERIAL = 256
_PATH = "must be an absolute path to a file of the image, without '..', as /boot/vmlinuz"


@RULES.rule("V58", "spec.domain.machine.type", NOT_SUPPORTED, "{value!r} is not supported; use {allowed}")
def machine_type_is_emulated(vmi: Subject) -> Iterator[Place]:
    """None of the KubeVirt object's emulatedMachines of the architecture fits."""
    machine = vmi.domain.machine and vmi.domain.machine.type
    patterns = vmi.cluster.emulated_machines.get(vmi.architecture, ())
    if machine and patterns and not any(fnmatchcase(machine, pattern) for pattern in patterns):
        yield at(value=machine, allowed=one_of_words(patterns))


@RULES.rule("V59", "spec.domain.firmware.bootloader", INVALID, "must have either bios or efi, not both")
def one_boot_loader(vmi: Subject) -> Iterator[Place]:
    """Both are given."""
    if vmi.loader.bios is not None and vmi.loader.efi is not None:
        yield at()


@RULES.rule(
    "V60",
    "spec.domain.firmware.bootloader.efi.secureBoot",
    FORBIDDEN,
    "needs domain.features.smm.enabled: true; or set secureBoot to false",
)
def secure_boot_needs_smm(vmi: Subject) -> Iterator[Place]:
    """It is on (as it is unless switched off), SMM is not, and the guest is no trust domain of TDX."""
    efi, features = vmi.loader.efi, vmi.domain.features
    smm = features.smm if features else None
    secure = efi is not None and efi.secure_boot is not False
    tdx = vmi.domain.launch_security and vmi.domain.launch_security.tdx
    if secure and tdx is None and (smm is None or smm.enabled is False):
        yield at()


@RULES.rule("V61", _ACPI, REQUIRED, "must have slicNameRef or msdmNameRef")
def acpi_names_a_table(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    acpi = vmi.firmware.acpi
    if acpi is not None and not acpi.slic_name_ref and not acpi.msdm_name_ref:
        yield at()


@RULES.rule(
    "V62",
    f"{_ACPI}.{{slicNameRef|msdmNameRef}}",
    NOT_FOUND,
    "{name!r} must be the name of one of {base}spec.volumes",
)
def acpi_table_exists(vmi: Subject) -> Iterator[Place]:
    """No volume has this name."""
    for field, name in _tables(vmi):
        if name not in vmi.volumes:
            yield at(field, name=name)


@RULES.rule(
    "V63", f"{_ACPI}.{{slicNameRef|msdmNameRef}}", INVALID, "{name!r} must be a volume of kind secret"
)
def acpi_table_is_secret(vmi: Subject) -> Iterator[Place]:
    """The volume is of another kind."""
    for field, name in _tables(vmi):
        if name in vmi.volumes and vmi.volumes[name].secret is None:
            yield at(field, name=name)


@RULES.rule("", "spec.domain.firmware.serial", INVALID, "must be letters, digits and _ . + -")
def serial_is_plain(vmi: Subject) -> Iterator[Place]:
    """It has characters that the firmware's tables could not tell."""
    if not _SERIAL.fullmatch(vmi.firmware.serial or ""):
        yield at()


@RULES.rule("", "spec.domain.firmware.serial", INVALID, f"must have at most {_MOST_SERIAL} characters")
def serial_is_short(vmi: Subject) -> Iterator[Place]:
    """It is longer."""
    if len(vmi.firmware.serial or "") > _MOST_SERIAL:
        yield at()


@RULES.rule("V64", f"{_BOOT}.container", REQUIRED, "must be given, for kernelArgs need a kernel")
def kernel_arguments_have_a_kernel(vmi: Subject) -> Iterator[Place]:
    """There are kernelArgs and no container."""
    boot = vmi.firmware.kernel_boot
    if boot is not None and boot.container is None and boot.kernel_args:
        yield at()


@RULES.rule("V65", f"{_BOOT}.container.image", REQUIRED, "must name the image that holds the kernel")
def kernel_has_an_image(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    boot = vmi.firmware.kernel_boot
    if boot is not None and boot.container is not None and not boot.container.image:
        yield at()


@RULES.rule("V66", f"{_BOOT}.container", REQUIRED, "must have kernelPath or initrdPath")
def kernel_has_a_path(vmi: Subject) -> Iterator[Place]:
    """It has neither."""
    container = vmi.firmware.kernel_boot.container if vmi.firmware.kernel_boot else None
    if container is not None and not container.kernel_path and not container.initrd_path:
        yield at()


@RULES.rule("V67 V68", f"{_BOOT}.container.{{kernelPath|initrdPath}}", INVALID, _PATH)
def kernel_paths_are_clean(vmi: Subject) -> Iterator[Place]:
    """It is relative, the root, has '.' or '..', or leads to where a running system has its kernel's."""
    container = vmi.firmware.kernel_boot.container if vmi.firmware.kernel_boot else None
    if container is None:
        return
    for name, path in (("kernelPath", container.kernel_path), ("initrdPath", container.initrd_path)):
        if path and not is_path_in_image(path):
            yield at(name)


@RULES.gate("V78", "spec.domain.rebootPolicy", "RebootPolicy")
def reboot_policy_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    if vmi.domain.reboot_policy:
        yield at()


@RULES.choice("", "spec.domain.rebootPolicy", "Reboot", "Terminate")
def reboot_policy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    yield at(value=vmi.domain.reboot_policy)


def _tables(vmi: Subject) -> Iterator[tuple[str, str]]:
    acpi = vmi.firmware.acpi
    if acpi is not None and acpi.slic_name_ref:
        yield "slicNameRef", acpi.slic_name_ref
    if acpi is not None and acpi.msdm_name_ref:
        yield "msdmNameRef", acpi.msdm_name_ref
