"""Features of the machine: ACPI, APIC, Hyper-V enlightenments."""

from typing import Annotated

from virtdeck.crds.model import Model, doc


class FeatureState(Model, frozen=True, kw_only=True):
    """Something that is on or off; on when it is named."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None


class FeatureAPIC(Model, frozen=True, kw_only=True):
    """Interrupt controller."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    end_of_interrupt: Annotated[
        bool | None,
        doc("true: the guest reports ends of interrupts faster (Hyper-V's way). false when absent."),
    ] = None


class FeatureKVM(Model, frozen=True, kw_only=True):
    """How KVM shows itself."""

    hidden: Annotated[
        bool | None,
        doc(
            "true: the guest cannot tell that it runs under KVM, as some drivers of graphics cards want "
            "it. false when absent."
        ),
    ] = None


class FeatureSpinlocks(Model, frozen=True, kw_only=True):
    """Waiting processors give way."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    spinlocks: Annotated[
        int | None, doc("How often the guest tries before it gives way; at least 4096, which is the default.")
    ] = None


class FeatureVendorID(Model, frozen=True, kw_only=True):
    """The hypervisor's name."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    vendorid: Annotated[str | None, doc("Name that the hypervisor tells, at most twelve characters.")] = None


class SyNICTimer(Model, frozen=True, kw_only=True):
    """Timers of the synthetic interrupt controller."""

    direct: Annotated[FeatureState | None, doc("Timers interrupt directly.")] = None
    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None


class TLBFlush(Model, frozen=True, kw_only=True):
    """The guest has the hypervisor flush translation caches."""

    direct: Annotated[FeatureState | None, doc("Nested guests may as well.")] = None
    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    extended: Annotated[FeatureState | None, doc("Single addresses as well.")] = None


class FeatureHyperv(Model, frozen=True, kw_only=True):
    """What makes Windows run better: enlightenments of Hyper-V."""

    evmcs: Annotated[
        FeatureState | None, doc("Faster nested virtualisation on Intel processors. Needs vapic.")
    ] = None
    frequencies: Annotated[FeatureState | None, doc("The guest may read the clocks' frequencies.")] = None
    ipi: Annotated[FeatureState | None, doc("Interrupts between processors by hypercall. Needs vpindex.")] = (
        None
    )
    reenlightenment: Annotated[
        FeatureState | None,
        doc(
            "The guest is told when its clock changes by migration. Needs a time stamp counter with a "
            "known frequency."
        ),
    ] = None
    relaxed: Annotated[FeatureState | None, doc("Windows does not take a slow timer for a crash.")] = None
    reset: Annotated[FeatureState | None, doc("The guest resets itself by Hyper-V's way.")] = None
    runtime: Annotated[FeatureState | None, doc("The guest may read how long its processors ran.")] = None
    spinlocks: Annotated[FeatureSpinlocks | None, doc("Waiting processors give way.")] = None
    synic: Annotated[FeatureState | None, doc("Synthetic interrupt controller. Needs vpindex.")] = None
    synictimer: Annotated[SyNICTimer | None, doc("Synthetic timers. Needs vpindex and synic.")] = None
    tlbflush: Annotated[
        TLBFlush | None, doc("Translation caches are flushed by the hypervisor. Needs vpindex.")
    ] = None
    vapic: Annotated[FeatureState | None, doc("Virtual interrupt controller.")] = None
    vendorid: Annotated[FeatureVendorID | None, doc("The hypervisor's name.")] = None
    vpindex: Annotated[FeatureState | None, doc("Processors know their number.")] = None


class HyperVPassthrough(Model, frozen=True, kw_only=True):
    """Every enlightenment that the host has."""

    enabled: Annotated[
        bool | None, doc("Whether every enlightenment that the host has is shown; true when it is named.")
    ] = None


class Features(Model, frozen=True, kw_only=True):
    """Features of the machine."""

    acpi: Annotated[
        FeatureState | None, doc("ACPI, on when absent; without it a guest ignores the power button.")
    ] = None
    apic: Annotated[FeatureAPIC | None, doc("The interrupt controller of amd64; on when absent.")] = None
    hyperv: Annotated[
        FeatureHyperv | None,
        doc("Enlightenments of Hyper-V, by which Windows runs faster. Excludes hypervPassthrough."),
    ] = None
    hyperv_passthrough: Annotated[
        HyperVPassthrough | None,
        doc("Every enlightenment that the host has; the guest cannot migrate then. Excludes hyperv."),
    ] = None
    kvm: Annotated[FeatureKVM | None, doc("How KVM shows itself.")] = None
    pvspinlock: Annotated[
        FeatureState | None, doc("Waiting processors give way (KVM's own way); on when absent.")
    ] = None
    smm: Annotated[
        FeatureState | None, doc("System management mode, which secure boot needs; off when absent.")
    ] = None
