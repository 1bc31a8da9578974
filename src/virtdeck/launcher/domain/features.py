"""ACPI, APIC, Hyper-V and friends. Source: spec.domain.features."""

from virtdeck.crds.kubevirt.features import FeatureHyperv, FeatureSpinlocks, FeatureState
from virtdeck.crds.kubevirt.features import Features as FeaturesSpec
from virtdeck.launcher.domain.elements.base import Empty
from virtdeck.launcher.domain.elements.machine import (
    Apic,
    Features,
    Hyperv,
    KvmFeatures,
    Spinlocks,
    State,
    SyntheticTimer,
    VendorId,
)
from virtdeck.launcher.domain.firmware import is_secure_boot
from virtdeck.launcher.domain.request import Request, is_on, on_off

DEFAULT_SPINLOCK_RETRIES = 4096


def features(request: Request) -> Features:
    """ACPI and APIC are there unless refused: without them q35's virtio interrupts never arrive."""
    said = request.domain.features or FeaturesSpec()
    return Features(
        acpi=Empty() if said.acpi is None or is_on(said.acpi) else None,
        apic=_apic(said),
        # Without KVM nobody is there to enlighten the guest: QEMU refuses some of these, and ignores others.
        hyperv=None if request.emulated else _hyperv(said),
        kvm=KvmFeatures(hidden=State(state="on")) if said.kvm and said.kvm.hidden else None,
        pvspinlock=_state(said.pvspinlock),
        vmport=State(state="off"),
        # Secure boot is only safe when the guest cannot write to the flash past SMM.
        smm=State(state="on") if is_secure_boot(request) else _state(said.smm),
    )


def _apic(said: FeaturesSpec) -> Apic | None:
    if said.apic is None:
        return Apic()
    if said.apic.enabled is False:
        return None
    return Apic(eoi="on" if said.apic.end_of_interrupt else None)


def _hyperv(said: FeaturesSpec) -> Hyperv | None:
    if said.hyperv_passthrough and said.hyperv_passthrough.enabled is not False:
        return Hyperv(mode="passthrough")
    return _enlightenments(said.hyperv) if said.hyperv else None


def _enlightenments(said: FeatureHyperv) -> Hyperv:
    timer, vendor = said.synictimer, said.vendorid
    return Hyperv(
        mode="custom",
        relaxed=_state(said.relaxed),
        vapic=_state(said.vapic),
        spinlocks=_spinlocks(said.spinlocks),
        vpindex=_state(said.vpindex),
        runtime=_state(said.runtime),
        synic=_state(said.synic),
        stimer=SyntheticTimer(state=on_off(timer.enabled is not False), direct=_state(timer.direct))
        if timer
        else None,
        reset=_state(said.reset),
        vendor_id=VendorId(state=on_off(vendor.enabled is not False), value=vendor.vendorid)
        if vendor
        else None,
        frequencies=_state(said.frequencies),
        reenlightenment=_state(said.reenlightenment),
        tlbflush=State(state=on_off(said.tlbflush.enabled is not False)) if said.tlbflush else None,
        ipi=_state(said.ipi),
        evmcs=_state(said.evmcs),
    )


def _spinlocks(said: FeatureSpinlocks | None) -> Spinlocks | None:
    if said is None:
        return None
    if said.enabled is False:
        return Spinlocks(state="off")
    return Spinlocks(state="on", retries=said.spinlocks or DEFAULT_SPINLOCK_RETRIES)


def _state(said: FeatureState | None) -> State | None:
    return None if said is None else State(state=on_off(is_on(said)))
