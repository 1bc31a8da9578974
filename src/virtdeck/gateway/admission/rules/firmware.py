"""Machine type, boot loader and kernel boot (V58–V68, V78–V82)."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.features import FeatureHyperv
from virtdeck.crds.kubevirt.firmware import Bootloader, Firmware
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import (
    forbidden,
    invalid,
    needs_gate,
    not_found,
    required,
    unsupported,
)
from virtdeck.gateway.admission.words import is_path_in_image

_REBOOT = ("Reboot", "Terminate")
_FIRMWARE = "domain.firmware"
_BOOT = "domain.firmware.kernelBoot"
# upper enlightenment → what it builds on
_BUILDS_ON = {
    "synic": "vpindex",
    "synictimer": "synic",
    "tlbflush": "vpindex",
    "ipi": "vpindex",
    "evmcs": "vapic",
}


def machine_type_is_emulated(subject: Subject) -> Iterator[Cause]:
    """V58"""
    machine = subject.domain.machine and subject.domain.machine.type
    patterns = subject.cluster.emulated_machines.get(subject.architecture, ())
    if machine and patterns and not any(fnmatchcase(machine, pattern) for pattern in patterns):
        yield unsupported(subject.at("domain.machine.type"), machine, patterns)


def one_boot_loader(subject: Subject) -> Iterator[Cause]:
    """V59"""
    loader = _loader(subject)
    if loader.bios is not None and loader.efi is not None:
        yield invalid(subject.at(f"{_FIRMWARE}.bootloader"), "must have either bios or efi, not both")


def secure_boot_needs_smm(subject: Subject) -> Iterator[Cause]:
    """V60: secureBoot is on unless it is switched off."""
    efi = _loader(subject).efi
    secure = efi is not None and efi.secure_boot is not False
    smm = subject.domain.features.smm if subject.domain.features else None
    tdx = subject.domain.launch_security and subject.domain.launch_security.tdx
    if secure and not tdx and (smm is None or smm.enabled is False):
        field = subject.at(f"{_FIRMWARE}.bootloader.efi.secureBoot")
        yield forbidden(field, "needs domain.features.smm.enabled: true; or set secureBoot to false")


def acpi_tables_come_from_secrets(subject: Subject) -> Iterator[Cause]:
    """V61–V63"""
    acpi = _firmware(subject).acpi
    if acpi is None:
        return
    references = (("slicNameRef", acpi.slic_name_ref), ("msdmNameRef", acpi.msdm_name_ref))
    if not any(name for _, name in references):
        yield required(subject.at(f"{_FIRMWARE}.acpi"), "must have slicNameRef or msdmNameRef")
    for field, name in references:
        volume = subject.volumes.get(name or "")
        path = subject.at(f"{_FIRMWARE}.acpi.{field}")
        if name and volume is None:
            yield not_found(path, f"names the volume {name!r}, which is not in spec.volumes")
        elif name and volume and volume.secret is None:
            yield invalid(path, f"names the volume {name!r}, which must be a secret")


def kernel_boot_names_an_image(subject: Subject) -> Iterator[Cause]:
    """V64–V66"""
    boot = _firmware(subject).kernel_boot
    if boot is None:
        return
    if boot.container is None:
        if boot.kernel_args:
            yield required(subject.at(f"{_BOOT}.container"), "must be given, for kernelArgs need a kernel")
        return
    if not boot.container.image:
        yield required(subject.at(f"{_BOOT}.container.image"), "must name the image that holds the kernel")
    if not boot.container.kernel_path and not boot.container.initrd_path:
        yield required(subject.at(f"{_BOOT}.container"), "must have kernelPath or initrdPath")


def kernel_paths_are_clean(subject: Subject) -> Iterator[Cause]:
    """V67, V68"""
    boot = _firmware(subject).kernel_boot
    container = boot.container if boot else None
    if container is None:
        return
    for name, path in (("kernelPath", container.kernel_path), ("initrdPath", container.initrd_path)):
        if path and not is_path_in_image(path):
            field = subject.at(f"{_BOOT}.container.{name}")
            yield invalid(
                field, "must be an absolute path to a file of the image, without '..', as /boot/vmlinuz"
            )


def reboot_policy_is_known(subject: Subject) -> Iterator[Cause]:
    """V78"""
    policy, field = subject.domain.reboot_policy, subject.at("domain.rebootPolicy")
    if policy and not subject.cluster.gate("RebootPolicy"):
        yield needs_gate(field, "RebootPolicy")
    elif policy and policy not in _REBOOT:
        yield unsupported(field, policy, _REBOOT)


def hyperv_is_listed_or_passed_through(subject: Subject) -> Iterator[Cause]:
    """V79"""
    features = subject.domain.features
    through = features and features.hyperv_passthrough
    if features and features.hyperv is not None and through and through.enabled is not False:
        yield invalid(subject.at("domain.features.hypervPassthrough"), "cannot be used together with hyperv")


def hyperv_foundations_are_on(subject: Subject) -> Iterator[Cause]:
    """V80"""
    hyperv = subject.domain.features and subject.domain.features.hyperv
    for upper, lower in _BUILDS_ON.items():
        if hyperv and _on(hyperv, upper) and not _on(hyperv, lower):
            yield invalid(
                subject.at(f"domain.features.hyperv.{lower}"), f"must be enabled, for {upper} builds on it"
            )


def evmcs_needs_vmx(subject: Subject) -> Iterator[Cause]:
    """V81, V82"""
    hyperv = subject.domain.features and subject.domain.features.hyperv
    if not hyperv or not _on(hyperv, "evmcs"):
        return
    features = {feature.name: feature.policy for feature in subject.cpu.features or ()}
    if features.get("vmx") not in ("require",):
        field = subject.at("domain.cpu.features")
        yield required(
            field, "must have vmx with policy require, for domain.features.hyperv.evmcs builds on it"
        )


def _on(hyperv: FeatureHyperv, name: str) -> bool:
    state = getattr(hyperv, name)
    return state is not None and state.enabled is not False


def _firmware(subject: Subject) -> Firmware:
    return subject.domain.firmware or Firmware()


def _loader(subject: Subject) -> Bootloader:
    return _firmware(subject).bootloader or Bootloader()


RULES: tuple[Rule, ...] = (
    machine_type_is_emulated,
    one_boot_loader,
    secure_boot_needs_smm,
    acpi_tables_come_from_secrets,
    kernel_boot_names_an_image,
    kernel_paths_are_clean,
    reboot_policy_is_known,
    hyperv_is_listed_or_passed_through,
    hyperv_foundations_are_on,
    evmcs_needs_vmx,
)
