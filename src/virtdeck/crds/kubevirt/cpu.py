"""The processors that a guest sees."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count


class CPUFeature(Model, frozen=True, kw_only=True):
    """One feature of the processor."""

    name: Annotated[str, doc("Name as libvirt knows it, as vmx.")]
    policy: Annotated[str | None, doc("force, require (the default), optional, disable or forbid.")] = None


class NUMAGuestMappingPassthrough(Model, frozen=True, kw_only=True):
    """The guest sees the memory nodes that it really runs on."""


class NUMA(Model, frozen=True, kw_only=True):
    """Memory nodes of the guest."""

    guest_mapping_passthrough: Annotated[
        NUMAGuestMappingPassthrough | None,
        doc("The guest sees the host's memory nodes; needs dedicated processors and huge pages."),
    ] = None


class Realtime(Model, frozen=True, kw_only=True):
    """Scheduling for guests that must react in time."""

    mask: Annotated[str | None, doc("Processors that are scheduled so, as 0-3,^1; all when absent.")] = None


class CPU(Model, frozen=True, kw_only=True):
    """The guest's processors: sockets × cores × threads."""

    cores: Annotated[Count | None, doc("Cores in each socket; 1 when absent.")] = None
    dedicated_cpu_placement: Annotated[
        bool | None, doc("Each processor of the guest has one of the host to itself.")
    ] = None
    features: Annotated[
        tuple[CPUFeature, ...] | None, doc("Features that are added to or taken from the model.")
    ] = None
    isolate_emulator_thread: Annotated[
        bool | None, doc("QEMU's own work runs on a further dedicated processor.")
    ] = None
    max_sockets: Annotated[Count | None, doc("How many sockets the guest may grow to while it runs.")] = None
    model: Annotated[
        str | None, doc("host-model (the default), host-passthrough, or a model that libvirt knows.")
    ] = None
    numa: Annotated[NUMA | None, doc("Memory nodes of the guest.")] = None
    realtime: Annotated[Realtime | None, doc("Scheduling for guests that must react in time.")] = None
    sockets: Annotated[Count | None, doc("Sockets; 1 when absent.")] = None
    threads: Annotated[Count | None, doc("Threads in each core; 1 when absent.")] = None


class CPUTopology(Model, frozen=True, kw_only=True):
    """The processors that the guest has now."""

    cores: Annotated[int | None, doc("Cores in each socket.")] = None
    sockets: Annotated[int | None, doc("Sockets.")] = None
    threads: Annotated[int | None, doc("Threads in each core.")] = None
