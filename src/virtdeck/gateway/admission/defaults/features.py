"""Features, timers, watchdog, inputs and probes (D22, D23, D25–D27, D30)."""

from typing import Any

from virtdeck.crds.plain import Plain, each, listed, part, unset
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults.draft import Draft

DEFAULTS: Defaults[Draft] = Defaults("VMI")

_HYPERV = "spec.domain.features.hyperv"
_SPINLOCK_RETRIES = 4096
_TIMERS = ("hpet", "hyperv", "kvm", "pit", "rtc")
_PROBE = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
# One enlightenment builds on another; synictimer is listed before synic so that the chain closes in one pass.
_BUILDS_ON = (
    ("evmcs", "vapic"),
    ("ipi", "vpindex"),
    ("tlbflush", "vpindex"),
    ("synictimer", "synic"),
    ("synic", "vpindex"),
)


@DEFAULTS.fills("D26a", "spec.domain.features.acpi", "enabled; disabled on s390x")
def acpi(draft: Draft) -> None:
    """It is absent: a guest without it ignores the power button."""
    features = part(draft.domain, "features")
    if features.get("acpi") is None:
        features["acpi"] = {"enabled": draft.architecture != "s390x"}


@DEFAULTS.fills("D27a", f"{_HYPERV}.{{vapic|vpindex|synic}}", "{}, so that it is enabled")
def hyperv_foundations(draft: Draft) -> None:
    """It is absent and evmcs, ipi, tlbflush, synictimer or synic, which builds on it, is on."""
    hyperv = _hyperv(draft)
    for upper, lower in _BUILDS_ON if hyperv else ():
        if _is_on(hyperv.get(upper)) and hyperv.get(lower) is None:
            hyperv[lower] = {}


@DEFAULTS.fills("D27b", "spec.domain.cpu.features", "vmx with policy require")
def vmx_for_evmcs(draft: Draft) -> None:
    """hyperv.evmcs is on and vmx is not among them."""
    if not _is_on(_hyperv(draft).get("evmcs")):
        return
    features = listed(part(draft.domain, "cpu"), "features")
    if all(feature.get("name") != "vmx" for feature in features):
        features.append({"name": "vmx", "policy": "require"})


@DEFAULTS.fills("D26b", "spec.domain.features.….enabled", "true")
def states(draft: Draft) -> None:
    """A feature is named and does not say whether it is on."""
    features = draft.domain.get("features") or {}
    for name in ("acpi", "apic", "pvspinlock", "smm", "hypervPassthrough"):
        _enable(features.get(name))
    for state in _hyperv(draft).values():
        _enable(state)
        for inner in ("direct", "extended"):
            _enable((state or {}).get(inner))


@DEFAULTS.fills("D26c", f"{_HYPERV}.spinlocks.spinlocks", str(_SPINLOCK_RETRIES))
def spinlocks(draft: Draft) -> None:
    """It is absent and spinlocks are on."""
    hyperv = _hyperv(draft)
    if _is_on(hyperv.get("spinlocks")):
        unset(hyperv["spinlocks"], "spinlocks", _SPINLOCK_RETRIES)


@DEFAULTS.fills("D25", "spec.domain.clock.timer.{hpet|hyperv|kvm|pit|rtc}.present", "true")
def timers(draft: Draft) -> None:
    """The timer is named and does not say whether it is there."""
    timer = (draft.domain.get("clock") or {}).get("timer") or {}
    for name in _TIMERS:
        if timer.get(name) is not None:
            unset(timer[name], "present", True)


@DEFAULTS.fills("D22a", "spec.domain.devices.watchdog.{i6300esb|diag288}", "i6300esb; diag288 on s390x")
def watchdog(draft: Draft) -> None:
    """The watchdog is declared and has neither."""
    found = draft.devices.get("watchdog")
    if found is not None and found.get("i6300esb") is None and found.get("diag288") is None:
        found["diag288" if draft.architecture == "s390x" else "i6300esb"] = {}


@DEFAULTS.fills("D22b", "spec.domain.devices.watchdog.{i6300esb|diag288}.action", "reset")
def watchdog_action(draft: Draft) -> None:
    """It is absent."""
    found = draft.devices.get("watchdog") or {}
    for name in ("i6300esb", "diag288"):
        if found.get(name) is not None:
            unset(found[name], "action", "reset")


@DEFAULTS.fills("D23a", "spec.domain.devices.inputs[].bus", "usb")
def input_bus(draft: Draft) -> None:
    """It is absent."""
    for device in each(draft.devices, "inputs"):
        unset(device, "bus", "usb")


@DEFAULTS.fills("D23b", "spec.domain.devices.inputs[].type", "tablet")
def input_type(draft: Draft) -> None:
    """It is empty."""
    for device in each(draft.devices, "inputs"):
        unset(device, "type", "tablet")


@DEFAULTS.fills(
    "D30",
    "spec.{livenessProbe|readinessProbe}.{timeoutSeconds|periodSeconds|successThreshold|failureThreshold}",
    "1, 10, 1 and 3",
)
def probes(draft: Draft) -> None:
    """It is absent."""
    for name in ("livenessProbe", "readinessProbe"):
        probe = draft.spec.get(name)
        if probe is not None:
            probe |= {key: value for key, value in _PROBE.items() if not probe.get(key)}


def _hyperv(draft: Draft) -> Plain:
    return (draft.domain.get("features") or {}).get("hyperv") or {}


def _enable(state: Any) -> None:
    if isinstance(state, dict):
        unset(state, "enabled", True)


def _is_on(state: Any) -> bool:
    return isinstance(state, dict) and state.get("enabled") is not False
