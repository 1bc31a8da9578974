"""What must hold so that processors and memory can be added to a running guest (V258, V259)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.rules.cpu import MOST_VCPUS
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_GUEST, _MOST = "spec.domain.memory.guest", "spec.domain.memory.maxGuest"
_STEP, _LEAST = 2**21, 2**30
_HUGE_STEP = 2**30  # memory in huge pages of 1 Gi grows by whole ones
_ALIGNED = "must be a multiple of {step} with maxGuest"


@RULES.rule("V258a", _MOST, FORBIDDEN, "cannot be used with domain.cpu.realtime")
def growing_memory_is_not_realtime(vmi: Subject) -> Iterator[Place]:
    """The guest runs in real time."""
    if _grows(vmi) and vmi.cpu.realtime is not None:
        yield at()


@RULES.rule("V258b", _MOST, FORBIDDEN, "cannot be used with domain.cpu.numa.guestMappingPassthrough")
def growing_memory_is_anywhere(vmi: Subject) -> Iterator[Place]:
    """The guest sees the node's memory as it is."""
    if _grows(vmi) and vmi.cpu.numa is not None and vmi.cpu.numa.guest_mapping_passthrough is not None:
        yield at()


@RULES.rule("V258c", _MOST, FORBIDDEN, "cannot be used with domain.launchSecurity")
def growing_memory_is_not_encrypted(vmi: Subject) -> Iterator[Place]:
    """The guest's memory is measured when it starts."""
    if _grows(vmi) and vmi.domain.launch_security is not None:
        yield at()


@RULES.rule("V258d", _GUEST, REQUIRED, "must be given with maxGuest")
def growing_memory_has_a_start(vmi: Subject) -> Iterator[Place]:
    """It is not."""
    if _grows(vmi) and vmi.memory.guest is None:
        yield at()


@RULES.rule("V258e", _MOST, INVALID, "must be more than 0, as 8Gi")
def growing_memory_has_an_end(vmi: Subject) -> Iterator[Place]:
    """It is 0 or less."""
    if _grows(vmi) and vmi.sizes.get("memory.maxGuest", 1) <= 0:
        yield at()


@RULES.rule("V258f", _MOST, INVALID, "must not be less than guest, {guest}")
def growing_memory_grows(vmi: Subject) -> Iterator[Place]:
    """It is less."""
    guest, most = vmi.sizes.get("memory.guest"), vmi.sizes.get("memory.maxGuest")
    if _grows(vmi) and guest is not None and most is not None and 0 < most < guest:
        yield at(guest=vmi.memory.guest)


@RULES.rule("V258g", _GUEST, INVALID, _ALIGNED)
def growing_memory_starts_aligned(vmi: Subject) -> Iterator[Place]:
    """It is none; with huge pages of 1Gi the step is 1Gi, else 2Mi."""
    if _grows(vmi) and vmi.sizes.get("memory.guest", 0) % _step(vmi):
        yield at(step="1Gi" if _step(vmi) == _HUGE_STEP else "2Mi")


@RULES.rule("V258h", _MOST, INVALID, "must be a multiple of {step}")
def growing_memory_ends_aligned(vmi: Subject) -> Iterator[Place]:
    """It is none; with huge pages of 1Gi the step is 1Gi, else 2Mi."""
    if _grows(vmi) and vmi.sizes.get("memory.maxGuest", 0) % _step(vmi):
        yield at(step="1Gi" if _step(vmi) == _HUGE_STEP else "2Mi")


@RULES.rule("V258i", _MOST, FORBIDDEN, "cannot be used on {architecture}, whose guests' memory cannot grow")
def growing_memory_is_on_amd64(vmi: Subject) -> Iterator[Place]:
    """The architecture is not amd64."""
    if _grows(vmi) and vmi.architecture != "amd64":
        yield at(architecture=vmi.architecture)


@RULES.rule("V258j", _GUEST, INVALID, "must be at least 1Gi with maxGuest")
def growing_memory_starts_large(vmi: Subject) -> Iterator[Place]:
    """It is less, and the guest could not place what is added."""
    if _grows(vmi) and vmi.sizes.get("memory.guest", _LEAST) < _LEAST:
        yield at()


@RULES.rule(
    "V259", "spec.domain.cpu.maxSockets", INVALID, f"allows {{count}} processors; at most {MOST_VCPUS} work"
)
def processors_can_grow(vmi: Subject) -> Iterator[Place]:
    """QEMU has no machine with as many."""
    count = (vmi.cpu.max_sockets or 0) * (vmi.cpu.cores or 1) * (vmi.cpu.threads or 1)
    if vmi.cluster.live_update and count > MOST_VCPUS:
        yield at(count=count)


def _grows(vmi: Subject) -> bool:
    """Only asked when the author gave a maximum, and where changes reach running guests."""
    return vmi.cluster.live_update and vmi.memory.max_guest is not None


def _step(vmi: Subject) -> int:
    return _HUGE_STEP if vmi.sizes.get("memory.hugepages.pageSize") == _HUGE_STEP else _STEP
