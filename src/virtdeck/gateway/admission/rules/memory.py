"""Memory of the guest and of its pod (V2, V29–V36, V57)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.scalars import Quantity
from virtdeck.gateway.admission.amounts import bytes_or_none, of, why_unreadable
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid, needs_gate, required

_LEAST = 10**6
_REQUEST, _LIMIT = "domain.resources.requests.memory", "domain.resources.limits.memory"
_GUEST, _PAGE = "domain.memory.guest", "domain.memory.hugepages.pageSize"


def memory_is_given(subject: Subject) -> Iterator[Cause]:
    """V2"""
    if all(amount is None for amount in _amounts(subject).values()):
        yield required(
            subject.at(_GUEST), "must be given, as 512Mi (or a request or limit of memory, or hugepages)"
        )


def amounts_can_be_read(subject: Subject) -> Iterator[Cause]:
    """Ours, and V34: every quantity of memory."""
    amounts = _amounts(subject) | {"domain.memory.maxGuest": subject.memory.max_guest}
    for field, amount in amounts.items():
        if wrong := why_unreadable(amount):
            yield invalid(subject.at(field), wrong)


def amounts_are_not_negative(subject: Subject) -> Iterator[Cause]:
    """V29, V31; the guest's own amounts as well"""
    for field, amount in _amounts(subject).items():
        if (bytes_or_none(amount) or 0) < 0:
            yield invalid(subject.at(field), f"{amount!r} must not be negative")


def guest_can_exist(subject: Subject) -> Iterator[Cause]:
    """V30; the same for the guest's memory"""
    for field in (_REQUEST, _GUEST):
        amount = _amounts(subject)[field]
        if 0 <= _read(amount, _LEAST) < _LEAST:
            yield invalid(
                subject.at(field), f"{amount!r} is too little for a guest; write it as 512Mi or 2Gi"
            )


def request_is_within_limit(subject: Subject) -> Iterator[Cause]:
    """V32"""
    request, limit = (bytes_or_none(_amounts(subject)[field]) for field in (_REQUEST, _LIMIT))
    if request is not None and limit is not None and request > limit:
        yield invalid(subject.at(_REQUEST), f"must not be more than the limit, {_amounts(subject)[_LIMIT]}")


def guest_is_within_limit(subject: Subject) -> Iterator[Cause]:
    """V33: with live update the limit follows the guest."""
    guest, limit = (bytes_or_none(_amounts(subject)[field]) for field in (_GUEST, _LIMIT))
    if not subject.cluster.live_update and guest is not None and limit is not None and guest > limit:
        yield invalid(subject.at(_GUEST), f"must not be more than the limit, {_amounts(subject)[_LIMIT]}")


def pages_fit_into_memory(subject: Subject) -> Iterator[Cause]:
    """V35, V36"""
    page = bytes_or_none(_amounts(subject)[_PAGE])
    if page is not None and page <= 0:
        yield invalid(subject.at(_PAGE), "must be more than 0, as 2Mi or 1Gi")
    for field in (_REQUEST, _GUEST):
        amount = bytes_or_none(_amounts(subject)[field])
        if not page or page < 0 or amount is None or amount < 0:
            continue
        if amount < page:
            yield invalid(subject.at(field), f"must be at least one huge page, {_amounts(subject)[_PAGE]}")
        elif amount % page:
            yield invalid(
                subject.at(field), f"must be a multiple of the huge page, {_amounts(subject)[_PAGE]}"
            )


def reserved_overhead_needs_its_gate(subject: Subject) -> Iterator[Cause]:
    """V57"""
    if subject.memory.reserved_overhead and not subject.cluster.gate("ReservedOverheadMemlock"):
        yield needs_gate(subject.at("domain.memory.reservedOverhead"), "ReservedOverheadMemlock")


def _amounts(subject: Subject) -> dict[str, Quantity | None]:
    return {
        _REQUEST: of(subject.resources.requests, "memory"),
        _LIMIT: of(subject.resources.limits, "memory"),
        _GUEST: subject.memory.guest,
        _PAGE: subject.memory.hugepages.page_size if subject.memory.hugepages else None,
    }


def _read(amount: Quantity | None, otherwise: int) -> int:
    found = bytes_or_none(amount)
    return otherwise if found is None else found


RULES: tuple[Rule, ...] = (
    memory_is_given,
    amounts_can_be_read,
    amounts_are_not_negative,
    guest_can_exist,
    request_is_within_limit,
    guest_is_within_limit,
    pages_fit_into_memory,
    reserved_overhead_needs_its_gate,
)
