"""The processors that a guest sees."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count


class CPUFeature(Model, frozen=True, kw_only=True):
    """One feature of the processor."""

    name: Annotated[str, doc("Name as libvirt knows it, as vmx or avx512f.")]
    policy: Annotated[
        str | None,
        doc(
            "force gives it even where the host lacks it, require (the default) lets the guest run only "
            "where the host has it, optional takes what the host has, disable hides it, forbid refuses "
            "hosts that have it."
        ),
    ] = None


class NUMAGuestMappingPassthrough(Model, frozen=True, kw_only=True):
    """The guest sees the memory nodes that it really runs on."""


class NUMA(Model, frozen=True, kw_only=True):
    """Memory nodes of the guest."""

    guest_mapping_passthrough: Annotated[
        NUMAGuestMappingPassthrough | None,
        doc("The guest sees the host's memory nodes. Needs dedicatedCpuPlacement and memory.hugepages."),
    ] = None


class Realtime(Model, frozen=True, kw_only=True):
    """Scheduling for guests that must react in time."""

    mask: Annotated[
        str | None, doc("Processors of the guest that are scheduled so, as 0-3,^1; all when absent.")
    ] = None


class CPU(Model, frozen=True, kw_only=True):
    """The guest's processors: sockets × cores × threads."""

    cores: Annotated[
        Count | None,
        doc(
            "Cores in each socket; 1 when absent. The guest sees sockets × cores × threads processors. "
            "Not with an instancetype."
        ),
    ] = None
    dedicated_cpu_placement: Annotated[
        bool | None,
        doc(
            "true: each processor of the guest has one of the host to itself, so that nothing else slows "
            "it down. The pod then asks for whole processors with requests equal to limits, and the node "
            "needs a static CPU manager. false when absent."
        ),
    ] = None
    features: Annotated[
        tuple[CPUFeature, ...] | None,
        doc("Features that are added to or taken from the model; none when absent."),
    ] = None
    isolate_emulator_thread: Annotated[
        bool | None,
        doc(
            "true: QEMU's own work runs on a further processor of the host, which no guest processor "
            "shares; one more is asked of the node. Needs dedicatedCpuPlacement. false when absent."
        ),
    ] = None
    max_sockets: Annotated[
        Count | None,
        doc(
            "How many sockets the guest may grow to while it runs; at least sockets. 4 × sockets when "
            "absent and live updates are on. It cannot change afterwards."
        ),
    ] = None
    model: Annotated[
        str | None,
        doc(
            "What the guest takes its processor for: host-model (the default) is the nearest one that "
            "libvirt knows to the host's, host-passthrough is the host's own, else a name as "
            "Skylake-Server. A guest can only move to nodes that offer the same."
        ),
    ] = None
    numa: Annotated[
        NUMA | None, doc("How memory nodes are shown to the guest; it sees a single one when absent.")
    ] = None
    realtime: Annotated[
        Realtime | None,
        doc(
            "Processors are scheduled before all else on the host. Needs dedicatedCpuPlacement, "
            "numa.guestMappingPassthrough and huge pages."
        ),
    ] = None
    sockets: Annotated[
        Count | None, doc("Sockets; 1 when absent. While the guest runs it may be raised up to maxSockets.")
    ] = None
    threads: Annotated[
        Count | None,
        doc(
            "Threads in each core; 1 when absent. A guest does better with the number that its host's "
            "cores have."
        ),
    ] = None


class CPUTopology(Model, frozen=True, kw_only=True):
    """The processors that the guest has now."""

    cores: Annotated[int | None, doc("Cores in each socket.")] = None
    sockets: Annotated[int | None, doc("Sockets.")] = None
    threads: Annotated[int | None, doc("Threads in each core.")] = None
