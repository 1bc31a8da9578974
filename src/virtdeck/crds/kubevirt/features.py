"""Features of the machine: ACPI, APIC, Hyper-V enlightenments."""

from virtdeck.crds.model import Model


class FeatureState(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None


class FeatureAPIC(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
    end_of_interrupt: bool | None = None


class FeatureKVM(Model, frozen=True, kw_only=True):
    """TBD"""

    hidden: bool | None = None


class FeatureSpinlocks(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
    spinlocks: int | None = None


class FeatureVendorID(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
    vendorid: str | None = None


class SyNICTimer(Model, frozen=True, kw_only=True):
    """TBD"""

    direct: FeatureState | None = None
    enabled: bool | None = None


class TLBFlush(Model, frozen=True, kw_only=True):
    """TBD"""

    direct: FeatureState | None = None
    enabled: bool | None = None
    extended: FeatureState | None = None


class FeatureHyperv(Model, frozen=True, kw_only=True):
    """TBD"""

    evmcs: FeatureState | None = None
    frequencies: FeatureState | None = None
    ipi: FeatureState | None = None
    reenlightenment: FeatureState | None = None
    relaxed: FeatureState | None = None
    reset: FeatureState | None = None
    runtime: FeatureState | None = None
    spinlocks: FeatureSpinlocks | None = None
    synic: FeatureState | None = None
    synictimer: SyNICTimer | None = None
    tlbflush: TLBFlush | None = None
    vapic: FeatureState | None = None
    vendorid: FeatureVendorID | None = None
    vpindex: FeatureState | None = None


class HyperVPassthrough(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None


class Features(Model, frozen=True, kw_only=True):
    """TBD"""

    acpi: FeatureState | None = None
    apic: FeatureAPIC | None = None
    hyperv: FeatureHyperv | None = None
    hyperv_passthrough: HyperVPassthrough | None = None
    kvm: FeatureKVM | None = None
    pvspinlock: FeatureState | None = None
    smm: FeatureState | None = None
