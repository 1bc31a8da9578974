"""Processors of the guest and of its pod (V37–V56)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.scalars import Quantity
from virtdeck.gateway.admission.amounts import bytes_or_none, milli_or_none, of, why_unreadable
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import forbidden, invalid, required, unsupported

MOST_VCPUS = 512
_POLICIES = ("force", "require", "optional", "disable", "forbid")
_REQUEST, _LIMIT = "domain.resources.requests.cpu", "domain.resources.limits.cpu"
_CPU = "domain.cpu"


def shares_can_be_read(subject: Subject) -> Iterator[Cause]:
    """V37, V38"""
    for field, amount in _shares(subject).items():
        if wrong := why_unreadable(amount):
            yield invalid(subject.at(field), wrong)
        elif (milli_or_none(amount) or 0) < 0:
            yield invalid(subject.at(field), f"{amount!r} must not be negative")


def request_is_within_limit(subject: Subject) -> Iterator[Cause]:
    """V39"""
    request, limit = (milli_or_none(amount) for amount in _shares(subject).values())
    if request is not None and limit is not None and request > limit:
        yield invalid(subject.at(_REQUEST), f"must not be more than the limit, {_shares(subject)[_LIMIT]}")


def guest_is_not_too_wide(subject: Subject) -> Iterator[Cause]:
    """Ours: what a machine of QEMU can have."""
    cpu = subject.cpu
    count = (cpu.cores or 1) * (cpu.sockets or 1) * (cpu.threads or 1)
    if count > MOST_VCPUS:
        yield invalid(
            subject.at(_CPU), f"has {count} processors (cores × sockets × threads); at most {MOST_VCPUS} work"
        )
    for name, value in (("cores", cpu.cores), ("sockets", cpu.sockets), ("threads", cpu.threads)):
        if (value or 0) < 0:
            yield invalid(subject.at(f"{_CPU}.{name}"), "must be 1 or more")


def sockets_are_within_maximum(subject: Subject) -> Iterator[Cause]:
    """V56"""
    if subject.cpu.max_sockets and (subject.cpu.sockets or 1) > subject.cpu.max_sockets:
        yield invalid(
            subject.at(f"{_CPU}.sockets"), f"must not be more than maxSockets, {subject.cpu.max_sockets}"
        )


def feature_policies_are_known(subject: Subject) -> Iterator[Cause]:
    """V55"""
    for index, feature in enumerate(subject.cpu.features or ()):
        if feature.policy and feature.policy not in _POLICIES:
            yield unsupported(subject.at(f"{_CPU}.features[{index}].policy"), feature.policy, _POLICIES)


def threads_fit_the_architecture(subject: Subject) -> Iterator[Cause]:
    """V48"""
    if subject.architecture == "arm64" and (subject.cpu.threads or 1) > 1:
        yield invalid(subject.at(f"{_CPU}.threads"), "must be 1 on arm64")


def dedicated_memory_is_fixed(subject: Subject) -> Iterator[Cause]:
    """V40, V43: a pod gets processors of its own only when all it asks for is fixed."""
    if not subject.cpu.dedicated_cpu_placement:
        return
    request, limit = of(subject.resources.requests, "memory"), of(subject.resources.limits, "memory")
    if (
        request is None
        and limit is None
        and subject.memory.guest is None
        and subject.memory.hugepages is None
    ):
        yield required(
            subject.at("domain.resources.limits.memory"), "must be given with dedicatedCpuPlacement"
        )
    if request is not None and limit is not None and bytes_or_none(request) != bytes_or_none(limit):
        field = subject.at("domain.resources.requests.memory")
        yield invalid(field, "must equal the limit with dedicatedCpuPlacement")


def dedicated_shares_are_whole(subject: Subject) -> Iterator[Cause]:
    """V41, V42, V44–V46"""
    if not subject.cpu.dedicated_cpu_placement:
        return
    shares = {field: milli_or_none(amount) for field, amount in _shares(subject).items()}
    for field, milli in shares.items():
        if milli is not None and milli % 1000:
            yield invalid(subject.at(field), "must be a whole number with dedicatedCpuPlacement")
    given = {milli for milli in shares.values() if milli is not None}
    if not given and not subject.cpu.cores:
        yield required(
            subject.at(f"{_CPU}.cores"), "or a CPU request or limit must be given with dedicatedCpuPlacement"
        )
    if len(given) > 1:
        yield invalid(subject.at(_REQUEST), "must equal the limit with dedicatedCpuPlacement")
    count = (subject.cpu.cores or 1) * (subject.cpu.sockets or 1) * (subject.cpu.threads or 1)
    if any(milli % 1000 == 0 and milli // 1000 != count for milli in given):
        yield invalid(subject.at(_CPU), f"has {count} processors, which must equal the CPU request and limit")


def dedicated_threads_are_few(subject: Subject) -> Iterator[Cause]:
    """V47"""
    if subject.cpu.dedicated_cpu_placement and (subject.cpu.threads or 1) > 2:
        yield invalid(subject.at(f"{_CPU}.threads"), "must be 1 or 2 with dedicatedCpuPlacement")


def numa_needs_dedication_and_huge_pages(subject: Subject) -> Iterator[Cause]:
    """V49 (the gate is always on), V50, V51"""
    if subject.cpu.numa is None or subject.cpu.numa.guest_mapping_passthrough is None:
        return
    field = subject.at(f"{_CPU}.numa.guestMappingPassthrough")
    if not subject.cpu.dedicated_cpu_placement:
        yield forbidden(field, "needs dedicatedCpuPlacement: true")
    if subject.memory.hugepages is None:
        yield forbidden(field, "needs domain.memory.hugepages")


def isolation_and_realtime_need_dedication(subject: Subject) -> Iterator[Cause]:
    """V52–V54"""
    cpu = subject.cpu
    wishes = (("isolateEmulatorThread", cpu.isolate_emulator_thread), ("realtime", cpu.realtime is not None))
    for name, wished in wishes:
        if wished and not cpu.dedicated_cpu_placement:
            yield forbidden(subject.at(f"{_CPU}.{name}"), "needs dedicatedCpuPlacement: true")
    if cpu.realtime is not None and (cpu.numa is None or cpu.numa.guest_mapping_passthrough is None):
        yield forbidden(subject.at(f"{_CPU}.realtime"), "needs numa.guestMappingPassthrough")


def _shares(subject: Subject) -> dict[str, Quantity | None]:
    """Request, then limit."""
    return {
        _REQUEST: of(subject.resources.requests, "cpu"),
        _LIMIT: of(subject.resources.limits, "cpu"),
    }


RULES: tuple[Rule, ...] = (
    shares_can_be_read,
    request_is_within_limit,
    guest_is_not_too_wide,
    sockets_are_within_maximum,
    feature_policies_are_known,
    threads_fit_the_architecture,
    dedicated_memory_is_fixed,
    dedicated_shares_are_whole,
    dedicated_threads_are_few,
    numa_needs_dedication_and_huge_pages,
    isolation_and_realtime_need_dedication,
)
