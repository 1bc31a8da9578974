"""Guests whose memory the node cannot read (V69–V77)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.security import LaunchSecurity
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_FIELD = "spec.domain.launchSecurity"
_EFI = "spec.domain.firmware.bootloader.efi"
_NONE = LaunchSecurity()


@RULES.rule(
    "V69",
    _FIELD,
    FORBIDDEN,
    "is there on amd64, and empty on s390x for Secure Execution; it is not on {architecture}",
)
def encryption_is_there(vmi: Subject) -> Iterator[Place]:
    """The architecture is another, or a type of amd64 is asked for on s390x."""
    if vmi.domain.launch_security is None or vmi.architecture == "amd64":
        return
    if vmi.architecture != "s390x" or vmi.domain.launch_security != _NONE:
        yield at(architecture=vmi.architecture)


@RULES.rule("V70", _FIELD, INVALID, "must have exactly one of sev, snp, tdx")
def one_type_of_encryption(vmi: Subject) -> Iterator[Place]:
    """On amd64 there is none, or more than one."""
    security = vmi.domain.launch_security
    if (
        security is not None
        and vmi.architecture == "amd64"
        and sum(kind is not None for kind in (security.sev, security.snp, security.tdx)) != 1
    ):
        yield at()


@RULES.gate("V71a", f"{_FIELD}.{{sev|snp}}", "WorkloadEncryptionSEV")
def sev_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    security = vmi.domain.launch_security or _NONE
    if security.sev is not None:
        yield at("sev")
    if security.snp is not None:
        yield at("snp")


@RULES.gate("V71b", f"{_FIELD}.tdx", "WorkloadEncryptionTDX")
def tdx_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    if (vmi.domain.launch_security or _NONE).tdx is not None:
        yield at()


@RULES.rule(
    "V72", "spec.domain.features.smm", FORBIDDEN, "cannot be used with launchSecurity.tdx; disable it"
)
def tdx_has_no_smm(vmi: Subject) -> Iterator[Place]:
    """The guest is a trust domain of TDX, which knows no system management mode."""
    smm = vmi.domain.features.smm if vmi.domain.features else None
    if (vmi.domain.launch_security or _NONE).tdx is not None and smm and smm.enabled is not False:
        yield at()


@RULES.rule("V73", _EFI, REQUIRED, "must be given with launchSecurity")
def encryption_needs_efi(vmi: Subject) -> Iterator[Place]:
    """On amd64 the guest boots otherwise."""
    if vmi.domain.launch_security is not None and vmi.architecture == "amd64" and vmi.loader.efi is None:
        yield at()


@RULES.rule("V74", f"{_EFI}.secureBoot", FORBIDDEN, "must be false with launchSecurity.sev and snp")
def sev_has_no_secure_boot(vmi: Subject) -> Iterator[Place]:
    """It is on, as it is unless switched off."""
    security, efi = vmi.domain.launch_security or _NONE, vmi.loader.efi
    encrypted = security.sev is not None or security.snp is not None
    if encrypted and efi is not None and efi.secure_boot is not False:
        yield at()


@RULES.rule("V75", f"{_EFI}.persistent", FORBIDDEN, "cannot be used with launchSecurity.snp and tdx")
def measured_guests_keep_no_variables(vmi: Subject) -> Iterator[Place]:
    """What is kept would change what is measured."""
    security, efi = vmi.domain.launch_security or _NONE, vmi.loader.efi
    measured = security.snp is not None or security.tdx is not None
    if measured and efi is not None and efi.persistent:
        yield at()


@RULES.rule("V76", f"{_FIELD}.sev.attestation", FORBIDDEN, "needs startStrategy: Paused")
def attestation_starts_paused(vmi: Subject) -> Iterator[Place]:
    """The guest would run before anybody has measured it."""
    sev = (vmi.domain.launch_security or _NONE).sev
    if sev is not None and sev.attestation is not None and vmi.spec.start_strategy != "Paused":
        yield at()


@RULES.rule(
    "V77", "spec.domain.devices.interfaces[].bootOrder", FORBIDDEN, "cannot be used with launchSecurity"
)
def encrypted_guests_boot_from_disks(vmi: Subject) -> Iterator[Place]:
    """On amd64 an encrypted guest cannot load a network card's boot code."""
    if vmi.domain.launch_security is None or vmi.architecture != "amd64":
        return
    for index, interface in enumerate(vmi.interfaces):
        if interface.boot_order is not None:
            yield at(index)
