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
        bool | None, doc("The guest reports ends of interrupts faster (Hyper-V's way).")
    ] = None


class FeatureKVM(Model, frozen=True, kw_only=True):
    """How KVM shows itself."""

    hidden: Annotated[bool | None, doc("The guest cannot tell that it runs under KVM.")] = None


class FeatureSpinlocks(Model, frozen=True, kw_only=True):
    """Waiting processors give way."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    spinlocks: Annotated[int | None, doc("How often the guest tries before it gives way; at least 4096.")] = (
        None
    )


class FeatureVendorID(Model, frozen=True, kw_only=True):
    """The hypervisor's name."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    vendorid: Annotated[str | None, doc("At most twelve characters.")] = None


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

    evmcs: Annotated[FeatureState | None, doc("Faster nested virtualisation on Intel processors.")] = None
    frequencies: Annotated[FeatureState | None, doc("The guest may read the clocks' frequencies.")] = None
    ipi: Annotated[FeatureState | None, doc("Interrupts between processors by hypercall.")] = None
    reenlightenment: Annotated[
        FeatureState | None, doc("The guest is told when its clock changes by migration.")
    ] = None
    relaxed: Annotated[FeatureState | None, doc("Windows does not take a slow timer for a crash.")] = None
    reset: Annotated[FeatureState | None, doc("The guest resets itself by Hyper-V's way.")] = None
    runtime: Annotated[FeatureState | None, doc("The guest may read how long its processors ran.")] = None
    spinlocks: Annotated[FeatureSpinlocks | None, doc("Waiting processors give way.")] = None
    synic: Annotated[FeatureState | None, doc("Synthetic interrupt controller.")] = None
    synictimer: Annotated[SyNICTimer | None, doc("Synthetic timers.")] = None
    tlbflush: Annotated[TLBFlush | None, doc("Translation caches are flushed by the hypervisor.")] = None
    vapic: Annotated[FeatureState | None, doc("Virtual interrupt controller.")] = None
    vendorid: Annotated[FeatureVendorID | None, doc("The hypervisor's name.")] = None
    vpindex: Annotated[FeatureState | None, doc("Processors know their number.")] = None


class HyperVPassthrough(Model, frozen=True, kw_only=True):
    """Every enlightenment that the host has."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None


class Features(Model, frozen=True, kw_only=True):
    """Features of the machine."""

    acpi: Annotated[FeatureState | None, doc("ACPI; without it a guest ignores the power button.")] = None
    apic: Annotated[FeatureAPIC | None, doc("Interrupt controller.")] = None
    hyperv: Annotated[FeatureHyperv | None, doc("Enlightenments of Hyper-V, for Windows.")] = None
    hyperv_passthrough: Annotated[
        HyperVPassthrough | None,
        doc("Every enlightenment that the host has; the guest cannot be migrated then."),
    ] = None
    kvm: Annotated[FeatureKVM | None, doc("How KVM shows itself.")] = None
    pvspinlock: Annotated[FeatureState | None, doc("Waiting processors give way (KVM's own way).")] = None
    smm: Annotated[FeatureState | None, doc("System management mode, which secure boot needs.")] = None
