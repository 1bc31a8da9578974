"""Features, timers, watchdog, inputs and probes (D22, D23, D25–D27, D30)."""

from typing import Any

from virtdeck.crds.plain import Plain, each, listed, part, unset

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


def fill_features(spec: Plain) -> None:
    """ACPI is on (a guest without it ignores the power button), and what is named is meant to be on."""
    features = part(spec["domain"], "features")
    if features.get("acpi") is None:
        features["acpi"] = {"enabled": spec["architecture"] != "s390x"}
    for name in ("acpi", "apic", "pvspinlock", "smm", "hypervPassthrough"):
        _enable(features.get(name))
    if features.get("hyperv") is not None:
        _fill_hyperv(spec, features["hyperv"])


def _enable(state: Any) -> None:
    if isinstance(state, dict):
        unset(state, "enabled", True)


def _fill_hyperv(spec: Plain, hyperv: Plain) -> None:
    for upper, lower in _BUILDS_ON:
        if _is_on(hyperv.get(upper)) and hyperv.get(lower) is None:
            hyperv[lower] = {}
    for state in hyperv.values():
        _enable(state)
        for inner in ("direct", "extended"):
            _enable((state or {}).get(inner))
    if _is_on(hyperv.get("spinlocks")):
        unset(hyperv["spinlocks"], "spinlocks", _SPINLOCK_RETRIES)
    if _is_on(hyperv.get("evmcs")):
        _require_vmx(spec)


def _is_on(state: Any) -> bool:
    return isinstance(state, dict) and state.get("enabled") is not False


def _require_vmx(spec: Plain) -> None:
    features = listed(part(spec["domain"], "cpu"), "features")
    if all(feature.get("name") != "vmx" for feature in features):
        features.append({"name": "vmx", "policy": "require"})


def fill_timers(spec: Plain) -> None:
    timer = (spec["domain"].get("clock") or {}).get("timer") or {}
    for name in _TIMERS:
        if timer.get(name) is not None:
            unset(timer[name], "present", True)


def fill_watchdog(spec: Plain) -> None:
    watchdog = (spec["domain"].get("devices") or {}).get("watchdog")
    if watchdog is None:
        return
    model = "diag288" if spec["architecture"] == "s390x" else "i6300esb"
    if watchdog.get("i6300esb") is None and watchdog.get("diag288") is None:
        watchdog[model] = {}
    for name in ("i6300esb", "diag288"):
        if watchdog.get(name) is not None:
            unset(watchdog[name], "action", "reset")


def fill_inputs(spec: Plain) -> None:
    for device in each(spec["domain"].get("devices"), "inputs"):
        unset(device, "bus", "usb")
        unset(device, "type", "tablet")


def fill_probes(spec: Plain) -> None:
    for name in ("livenessProbe", "readinessProbe"):
        probe = spec.get(name)
        if probe is not None:
            for key, value in _PROBE.items():
                if not probe.get(key):
                    probe[key] = value
