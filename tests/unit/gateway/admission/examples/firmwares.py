"""Examples for the rules of firmware, launch security and Hyper-V."""

from typing import Any

from tests.unit.gateway.admission.build import Plain, nic, vmi
from tests.unit.gateway.admission.examples.example import Example, gates, subject, without

_OFF, _TDX = {"enabled": False}, "WorkloadEncryptionTDX"
_TABLE = {"volumes": [*vmi()["spec"]["volumes"], {"name": "t", "secret": {"secretName": "s"}}]}


def _firmware(**firmware: Any) -> Plain:
    return {"domain": {"firmware": firmware}}


def _efi(**efi: Any) -> Plain:
    return _firmware(bootloader={"efi": efi})


def _boot(**container: Any) -> Plain:
    return _firmware(kernelBoot={"container": {"image": "i", **container}})


def _hyperv(**hyperv: Any) -> Plain:
    return {"domain": {"features": {"hyperv": hyperv}}}


def _vmx(policy: str) -> Plain:
    return {"domain": {"cpu": {"features": [{"name": "vmx", "policy": policy}]}}}


def _secure(**kinds: Any) -> Plain:
    return {"domain": {"launchSecurity": kinds}}


_PLAIN_EFI = _efi(secureBoot=False)
_FIRMWARE = {
    "V58": Example(
        subject({"domain": {"machine": {"type": "i440fx"}}}),
        subject({"domain": {"machine": {"type": "pc-q35-rhel9.4.0"}}}),
    ),
    "V59": Example(
        subject(_firmware(bootloader={"bios": {}, "efi": {"secureBoot": False}})), subject(_PLAIN_EFI)
    ),
    "V60": Example(
        (subject(_efi()), subject(_efi(), {"domain": {"features": {"smm": _OFF}}})),
        (
            subject(_efi(), {"domain": {"features": {"smm": {}}}}),
            subject(_efi(), _secure(tdx={}), cluster=gates(_TDX)),
        ),
        "spec.domain.firmware.bootloader.efi.secureBoot",
    ),
    "V61": Example(subject(_firmware(acpi={})), subject(_firmware(acpi={"slicNameRef": "t"}), _TABLE)),
    "V62": Example(
        subject(_firmware(acpi={"slicNameRef": "gone"})),
        subject(_firmware(acpi={"msdmNameRef": "t"}), _TABLE),
    ),
    "V63": Example(
        subject(_firmware(acpi={"msdmNameRef": "root"})),
        subject(_firmware(acpi={"msdmNameRef": "t"}), _TABLE),
    ),
    "serial_is_plain": Example(
        subject(_firmware(serial="a b")), subject(_firmware(serial="e4686d2c-6e8d.+_"))
    ),
    "serial_is_short": Example(subject(_firmware(serial="s" * 257)), subject(_firmware(serial="s" * 256))),
    "V64": Example(
        subject(_firmware(kernelBoot={"kernelArgs": "quiet"})),
        subject(_firmware(kernelBoot={"kernelArgs": "q", "container": {"image": "i", "kernelPath": "/k"}})),
    ),
    "V65": Example(subject(_boot(image="", kernelPath="/k")), subject(_boot(kernelPath="/k"))),
    "V66": Example(subject(_boot()), subject(_boot(initrdPath="/i"))),
    "V67": Example(
        (
            subject(_boot(kernelPath="boot/k")),
            subject(_boot(kernelPath="/boot/../etc/shadow")),
            subject(_boot(initrdPath="/proc/1/root/etc/shadow")),
        ),
        subject(_boot(kernelPath="/boot/vmlinuz", initrdPath="/boot/initrd")),
        "spec.domain.firmware.kernelBoot.container.kernelPath",
    ),
    "V68": Example(subject(_boot(initrdPath="/")), subject(_boot(initrdPath="/initrd"))),
    "V78": Example(
        subject({"domain": {"rebootPolicy": "Reboot"}}, cluster=without("RebootPolicy")),
        subject({"domain": {"rebootPolicy": "Terminate"}}),
    ),
    "reboot_policy_is_known": Example(
        subject({"domain": {"rebootPolicy": "Sleep"}}), subject({"domain": {"rebootPolicy": "Reboot"}})
    ),
}
_SECURITY = {
    "V69": Example(
        (
            subject(_secure(sev={}), {"architecture": "arm64"}),
            subject(_secure(snp={}), {"architecture": "s390x"}),
        ),
        subject(_secure(), {"architecture": "s390x"}),
        beside=("V74",),
    ),
    "V70": Example(
        (subject(_secure(), _PLAIN_EFI), subject(_secure(sev={}, snp={}), _PLAIN_EFI)),
        subject(_secure(sev={}), _PLAIN_EFI),
    ),
    "V71a": Example(
        subject(_secure(sev={}), _PLAIN_EFI, cluster=without("WorkloadEncryptionSEV")),
        subject(_secure(snp={}), _PLAIN_EFI),
        "spec.domain.launchSecurity.sev",
    ),
    "V71b": Example(
        subject(_secure(tdx={}), _PLAIN_EFI), subject(_secure(tdx={}), _PLAIN_EFI, cluster=gates(_TDX))
    ),
    "V72": Example(
        subject(_secure(tdx={}), _PLAIN_EFI, {"domain": {"features": {"smm": {}}}}, cluster=gates(_TDX)),
        subject(_secure(tdx={}), _PLAIN_EFI, {"domain": {"features": {"smm": _OFF}}}, cluster=gates(_TDX)),
    ),
    "V73": Example(subject(_secure(sev={})), subject(_secure(sev={}), _PLAIN_EFI)),
    "V74": Example(
        subject(_secure(snp={}), _efi(), {"domain": {"features": {"smm": {}}}}),
        subject(_secure(snp={}), _PLAIN_EFI),
    ),
    "V75": Example(
        subject(_secure(snp={}), _efi(secureBoot=False, persistent=True)),
        subject(_secure(sev={}), _efi(secureBoot=False, persistent=True)),
    ),
    "V76": Example(
        subject(_secure(sev={"attestation": {}}), _PLAIN_EFI),
        subject(_secure(sev={"attestation": {}}), _PLAIN_EFI, {"startStrategy": "Paused"}),
    ),
    "V77": Example(
        subject(_secure(sev={}), _PLAIN_EFI, nic(bootOrder=1)), subject(_PLAIN_EFI, nic(bootOrder=1))
    ),
}
_HYPERV = {
    "V79": Example(
        subject({"domain": {"features": {"hyperv": {}, "hypervPassthrough": {}}}}),
        subject({"domain": {"features": {"hyperv": {}, "hypervPassthrough": _OFF}}}),
    ),
    "V80": Example(
        (
            subject(_hyperv(synic={}, vpindex=_OFF)),
            subject(_hyperv(synictimer={}, synic=_OFF)),
            subject(_hyperv(synictimer={}, vpindex=_OFF)),
            subject(_hyperv(tlbflush={}, vpindex=_OFF)),
            subject(_hyperv(ipi={}, vpindex=_OFF)),
            subject(_hyperv(evmcs={}, vapic=_OFF)),
        ),
        subject(_hyperv(synictimer={}, ipi={}, evmcs={}, tlbflush={})),
        "spec.domain.features.hyperv.vpindex",
    ),
    "V81": Example(subject(_hyperv(evmcs={}, vapic={}), bare=True), subject(_hyperv(evmcs={}))),
    "V82": Example(
        subject(_hyperv(evmcs={}), _vmx("forbid")),
        subject(_hyperv(evmcs={}), _vmx("require")),
        "spec.domain.cpu.features[0].policy",
    ),
}
EXAMPLES: dict[str, Example] = {**_FIRMWARE, **_SECURITY, **_HYPERV}
