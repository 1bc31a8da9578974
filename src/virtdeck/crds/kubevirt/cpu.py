"""The processors that a guest sees."""

from virtdeck.crds.model import Model


class CPUFeature(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    policy: str | None = None


class NUMAGuestMappingPassthrough(Model, frozen=True, kw_only=True):
    """TBD"""


class NUMA(Model, frozen=True, kw_only=True):
    """TBD"""

    guest_mapping_passthrough: NUMAGuestMappingPassthrough | None = None


class Realtime(Model, frozen=True, kw_only=True):
    """TBD"""

    mask: str | None = None


class CPU(Model, frozen=True, kw_only=True):
    """TBD"""

    cores: int | None = None
    dedicated_cpu_placement: bool | None = None
    features: tuple[CPUFeature, ...] | None = None
    isolate_emulator_thread: bool | None = None
    max_sockets: int | None = None
    model: str | None = None
    numa: NUMA | None = None
    realtime: Realtime | None = None
    sockets: int | None = None
    threads: int | None = None


class CPUTopology(Model, frozen=True, kw_only=True):
    """TBD"""

    cores: int | None = None
    sockets: int | None = None
    threads: int | None = None
