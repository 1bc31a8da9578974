"""What a preference fills in: fields that the template leaves open, and no others."""

from copy import deepcopy
from typing import Any

from virtdeck.crds.codec import to_dict
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.plain import Plain, listed, part
from virtdeck.instancetype.paths import fill, put, reach
from virtdeck.instancetype.preferred_devices import fill_devices

# Field of the preference, field of the template's spec.
_ATTACHED = (
    ("devices.preferredAutoattachGraphicsDevice", "domain.devices.autoattachGraphicsDevice"),
    ("devices.preferredAutoattachInputDevice", "domain.devices.autoattachInputDevice"),
    ("devices.preferredAutoattachMemBalloon", "domain.devices.autoattachMemBalloon"),
    ("devices.preferredAutoattachPodInterface", "domain.devices.autoattachPodInterface"),
    ("devices.preferredAutoattachSerialConsole", "domain.devices.autoattachSerialConsole"),
)
_FILLED = (
    ("preferredArchitecture", "architecture"),
    ("preferredSubdomain", "subdomain"),
    ("preferredTerminationGracePeriodSeconds", "terminationGracePeriodSeconds"),
    ("preferredLaunchSecurity", "domain.launchSecurity"),
    ("machine.preferredMachineType", "domain.machine.type"),
    ("clock.preferredTimer", "domain.clock.timer"),
    ("features.preferredAcpi", "domain.features.acpi"),
    ("features.preferredApic", "domain.features.apic"),
    ("features.preferredKvm", "domain.features.kvm"),
    ("features.preferredPvspinlock", "domain.features.pvspinlock"),
    ("features.preferredSmm", "domain.features.smm"),
)


def attach_as_preferred(spec: Plain, preference: VirtualMachinePreferenceSpec) -> None:
    """The spec says which devices attach unasked; it comes before they are, for they get preferences too."""
    _fill(spec, to_dict(preference), _ATTACHED)


def apply_preference(template: Plain, preference: VirtualMachinePreferenceSpec) -> None:
    """The template's open fields are as the preference likes them."""
    spec, preferred = template["spec"], to_dict(preference)
    _fill(spec, preferred, _FILLED)
    _fill_cpu_features(spec, reach(preferred, "cpu.preferredCPUFeatures") or ())
    _fill_clock(spec, reach(preferred, "clock.preferredClockOffset"))
    _fill_hyperv(spec, reach(preferred, "features.preferredHyperv"))
    _fill_firmware(spec, preferred.get("firmware") or {})
    fill_devices(spec, preferred.get("devices") or {})
    for key, value in (preference.annotations or {}).items():
        part(part(template, "metadata"), "annotations").setdefault(key, value)


def _fill(spec: Plain, preferred: Plain, table: tuple[tuple[str, str], ...]) -> None:
    for source, field in table:
        value = reach(preferred, source)
        if value not in (None, ""):
            fill(spec, field, deepcopy(value))


def _fill_cpu_features(spec: Plain, preferred: Any) -> None:
    if not preferred:
        return
    features = listed(part(spec["domain"], "cpu"), "features")
    named = {feature.get("name") for feature in features}
    features.extend(feature for feature in preferred if feature["name"] not in named)


def _fill_clock(spec: Plain, offset: Plain | None) -> None:
    """Half an offset from here and half from there would be neither."""
    clock = spec["domain"].get("clock") or {}
    if offset and clock.get("utc") is None and not clock.get("timezone"):
        part(spec["domain"], "clock").update(deepcopy(offset))


def _fill_hyperv(spec: Plain, preferred: Plain | None) -> None:
    if preferred is None or reach(spec, "domain.features.hypervPassthrough.enabled"):
        return
    hyperv = part(part(spec["domain"], "features"), "hyperv")
    for name, state in preferred.items():
        fill(hyperv, name, deepcopy(state))


def _fill_firmware(spec: Plain, preferred: Plain) -> None:
    """A boot loader that the template names is kept, with its settings completed."""
    named = reach(spec, "domain.firmware.bootloader") or {}
    if named.get("bios") is None and named.get("efi") is None:
        _choose_boot_loader(spec, preferred)
    loader = reach(spec, "domain.firmware.bootloader") or {}
    if loader.get("bios") is not None and preferred.get("preferredUseBiosSerial") is not None:
        fill(loader["bios"], "useSerial", preferred["preferredUseBiosSerial"])
    older = preferred.get("preferredUseSecureBoot")
    if loader.get("efi") is not None and older is not None and preferred.get("preferredEfi") is None:
        fill(loader["efi"], "secureBoot", older)


def _choose_boot_loader(spec: Plain, preferred: Plain) -> None:
    if preferred.get("preferredUseBios"):
        put(spec, "domain.firmware.bootloader", {"bios": {}})
    elif preferred.get("preferredEfi") is not None:
        put(spec, "domain.firmware.bootloader", {"efi": deepcopy(preferred["preferredEfi"])})
    elif preferred.get("preferredUseEfi"):
        put(spec, "domain.firmware.bootloader", {"efi": {}})
