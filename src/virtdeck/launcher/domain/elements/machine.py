"""Processor, memory, firmware, features and clock of a machine."""

from msgspec import field

from virtdeck.launcher.domain.elements.base import Element, Empty, Leaf, Text


class Memory(Element, frozen=True, kw_only=True):
    """Source: memory, currentMemory."""

    unit: str
    value: Text


class Vcpu(Element, frozen=True, kw_only=True):
    """Source: vcpu. value: the most that may be plugged; current: those at boot."""

    current: int | None = None
    value: Text


class Iothread(Element, frozen=True, kw_only=True):
    """Source: iothreads."""

    value: Text


class Entry(Element, frozen=True, kw_only=True):
    """Source: sysinfo/*/entry."""

    name: str
    value: Text


class Entries(Element, frozen=True, kw_only=True):
    """Source: sysinfo/system, sysinfo/chassis."""

    entry: tuple[Entry, ...]


class Sysinfo(Element, frozen=True, kw_only=True):
    """Source: sysinfo."""

    type: str
    system: Entries | None = None
    chassis: Entries | None = None


class OsType(Element, frozen=True, kw_only=True):
    """Source: os/type."""

    arch: str
    machine: str
    value: Text


class Loader(Element, frozen=True, kw_only=True):
    """Source: os/loader."""

    readonly: str | None = None
    secure: str | None = None
    type: str | None = None
    value: Text


class Nvram(Element, frozen=True, kw_only=True):
    """Source: os/nvram."""

    template: str | None = None
    value: Text


class BootMenu(Element, frozen=True, kw_only=True):
    """Source: os/bootmenu. timeout: milliseconds."""

    enable: str
    timeout: int | None = None


class Smbios(Element, frozen=True, kw_only=True):
    """Source: os/smbios."""

    mode: str


class Bios(Element, frozen=True, kw_only=True):
    """Source: os/bios."""

    useserial: str


class Os(Element, frozen=True, kw_only=True):
    """Source: os."""

    type: OsType
    loader: Loader | None = None
    nvram: Nvram | None = None
    kernel: Leaf | None = None
    initrd: Leaf | None = None
    cmdline: Leaf | None = None
    bootmenu: BootMenu | None = None
    smbios: Smbios | None = None
    bios: Bios | None = None


class State(Element, frozen=True, kw_only=True):
    """A feature that is on or off."""

    state: str


class Apic(Element, frozen=True, kw_only=True):
    """Source: features/apic."""

    eoi: str | None = None


class Spinlocks(Element, frozen=True, kw_only=True):
    """Source: features/hyperv/spinlocks."""

    state: str
    retries: int | None = None


class VendorId(Element, frozen=True, kw_only=True):
    """Source: features/hyperv/vendor_id."""

    state: str
    value: str | None = None


class SyntheticTimer(Element, frozen=True, kw_only=True):
    """Source: features/hyperv/stimer."""

    state: str
    direct: State | None = None


class Hyperv(Element, frozen=True, kw_only=True):
    """Source: features/hyperv."""

    mode: str | None = None
    relaxed: State | None = None
    vapic: State | None = None
    spinlocks: Spinlocks | None = None
    vpindex: State | None = None
    runtime: State | None = None
    synic: State | None = None
    stimer: SyntheticTimer | None = None
    reset: State | None = None
    vendor_id: VendorId | None = field(default=None, name="vendor_id")
    frequencies: State | None = None
    reenlightenment: State | None = None
    tlbflush: State | None = None
    ipi: State | None = None
    evmcs: State | None = None


class KvmFeatures(Element, frozen=True, kw_only=True):
    """Source: features/kvm."""

    hidden: State | None = None


class Features(Element, frozen=True, kw_only=True):
    """Source: features."""

    acpi: Empty | None = None
    apic: Apic | None = None
    hyperv: Hyperv | None = None
    kvm: KvmFeatures | None = None
    pvspinlock: State | None = None
    vmport: State | None = None
    smm: State | None = None


class CpuModel(Element, frozen=True, kw_only=True):
    """Source: cpu/model."""

    fallback: str | None = None
    value: Text


class Topology(Element, frozen=True, kw_only=True):
    """Source: cpu/topology."""

    sockets: int
    dies: int | None = None
    cores: int
    threads: int


class CpuFeature(Element, frozen=True, kw_only=True):
    """Source: cpu/feature."""

    policy: str
    name: str


class Cpu(Element, frozen=True, kw_only=True):
    """Source: cpu."""

    mode: str
    match: str | None = None
    check: str | None = None
    model: CpuModel | None = None
    topology: Topology | None = None
    feature: tuple[CpuFeature, ...] = ()


class Timer(Element, frozen=True, kw_only=True):
    """Source: clock/timer."""

    name: str
    track: str | None = None
    tickpolicy: str | None = None
    present: str | None = None


class Clock(Element, frozen=True, kw_only=True):
    """Source: clock. adjustment: seconds, or "reset"."""

    offset: str
    adjustment: str | None = None
    timezone: str | None = None
    timer: tuple[Timer, ...] = ()
