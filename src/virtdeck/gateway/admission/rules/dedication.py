"""Processors that belong to one guest, NUMA and real time (V40–V47, V49–V54)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_REQUEST, _LIMIT = "resources.requests.cpu", "resources.limits.cpu"
_MEMORY_REQUEST, _MEMORY_LIMIT = "resources.requests.memory", "resources.limits.memory"
_WHOLE = "must be a whole number with dedicatedCpuPlacement"
_EQUAL = "must equal the limit with dedicatedCpuPlacement"
_NUMA = "spec.domain.cpu.numa.guestMappingPassthrough"


@RULES.rule(
    "V40", "spec.domain.resources.limits.memory", REQUIRED, "must be given with dedicatedCpuPlacement"
)
def dedicated_memory_is_given(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement no memory is given anywhere; a pod gets its own processors only with it."""
    fields = (_MEMORY_REQUEST, _MEMORY_LIMIT, "memory.guest", "memory.hugepages.pageSize")
    if vmi.cpu.dedicated_cpu_placement and not any(field in vmi.amounts for field in fields):
        yield at()


@RULES.rule("V41", f"spec.domain.{_LIMIT}", INVALID, _WHOLE)
def dedicated_limit_is_whole(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement it is a fraction."""
    if vmi.cpu.dedicated_cpu_placement and vmi.sizes.get(_LIMIT, 0) % 1000:
        yield at()


@RULES.rule("V42", f"spec.domain.{_REQUEST}", INVALID, _WHOLE)
def dedicated_request_is_whole(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement it is a fraction."""
    if vmi.cpu.dedicated_cpu_placement and vmi.sizes.get(_REQUEST, 0) % 1000:
        yield at()


@RULES.rule("V43", f"spec.domain.{_MEMORY_REQUEST}", INVALID, _EQUAL)
def dedicated_memory_is_fixed(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement it differs from the limit."""
    limit = vmi.sizes.get(_MEMORY_LIMIT)
    if vmi.cpu.dedicated_cpu_placement and limit and vmi.sizes.get(_MEMORY_REQUEST, limit) != limit:
        yield at()


@RULES.rule(
    "V44",
    "spec.domain.cpu.cores",
    REQUIRED,
    "or a CPU request or limit must be given with dedicatedCpuPlacement",
)
def dedicated_count_is_given(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement nothing says how many processors there are."""
    cpu = vmi.cpu
    counted = cpu.cores or cpu.sockets or cpu.threads or _REQUEST in vmi.sizes or _LIMIT in vmi.sizes
    if cpu.dedicated_cpu_placement and not counted:
        yield at()


@RULES.rule("V45", f"spec.domain.{_REQUEST}", INVALID, _EQUAL)
def dedicated_share_is_fixed(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement it differs from the limit."""
    limit = vmi.sizes.get(_LIMIT)
    if vmi.cpu.dedicated_cpu_placement and limit and vmi.sizes.get(_REQUEST, limit) != limit:
        yield at()


@RULES.rule(
    "V46",
    "spec.domain.cpu",
    INVALID,
    "has {count} processors, which must equal the CPU request and limit with dedicatedCpuPlacement",
)
def dedicated_shares_fit_the_topology(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement neither request nor limit is cores × sockets × threads."""
    shares = [vmi.sizes[field] for field in (_REQUEST, _LIMIT) if field in vmi.sizes]
    whole = [share // 1000 for share in shares if share % 1000 == 0]
    if vmi.cpu.dedicated_cpu_placement and whole and vmi.vcpus not in whole:
        yield at(count=vmi.vcpus)


@RULES.rule("V47", "spec.domain.cpu.threads", INVALID, "must be 1 or 2 with dedicatedCpuPlacement")
def dedicated_threads_are_few(vmi: Subject) -> Iterator[Place]:
    """With dedicatedCpuPlacement a core has more threads than any processor."""
    if vmi.cpu.dedicated_cpu_placement and (vmi.cpu.threads or 1) > 2:
        yield at()


@RULES.rule("V50", _NUMA, FORBIDDEN, "needs dedicatedCpuPlacement: true")
def numa_needs_dedication(vmi: Subject) -> Iterator[Place]:
    """The processors are not the guest's own."""
    if _numa(vmi) and not vmi.cpu.dedicated_cpu_placement:
        yield at()


@RULES.rule("V51", _NUMA, FORBIDDEN, "needs domain.memory.hugepages")
def numa_needs_huge_pages(vmi: Subject) -> Iterator[Place]:
    """The memory is not in huge pages."""
    if _numa(vmi) and vmi.memory.hugepages is None:
        yield at()


@RULES.rule("V52", "spec.domain.cpu.isolateEmulatorThread", FORBIDDEN, "needs dedicatedCpuPlacement: true")
def isolation_needs_dedication(vmi: Subject) -> Iterator[Place]:
    """The processors are not the guest's own."""
    if vmi.cpu.isolate_emulator_thread and not vmi.cpu.dedicated_cpu_placement:
        yield at()


@RULES.rule("V53", "spec.domain.cpu.realtime", FORBIDDEN, "needs dedicatedCpuPlacement: true")
def realtime_needs_dedication(vmi: Subject) -> Iterator[Place]:
    """The processors are not the guest's own."""
    if vmi.cpu.realtime is not None and not vmi.cpu.dedicated_cpu_placement:
        yield at()


@RULES.rule("V54", "spec.domain.cpu.realtime", FORBIDDEN, "needs numa.guestMappingPassthrough")
def realtime_needs_numa(vmi: Subject) -> Iterator[Place]:
    """The guest does not see the node's memory as it is."""
    if vmi.cpu.realtime is not None and not _numa(vmi):
        yield at()


def _numa(vmi: Subject) -> bool:
    return vmi.cpu.numa is not None and vmi.cpu.numa.guest_mapping_passthrough is not None
