"""Memory of the guest and of its pod (V2, V29–V36, V57)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_LEAST = 10**6
_REQUEST, _LIMIT = "resources.requests.memory", "resources.limits.memory"
_GUEST, _PAGE = "memory.guest", "memory.hugepages.pageSize"
_NEGATIVE = "{value!r} must not be negative"
_LITTLE = "{value!r} is too little for a guest; write it as 512Mi or 2Gi"


@RULES.rule(
    "V2",
    f"spec.domain.{_GUEST}",
    REQUIRED,
    "must be given, as 512Mi (or a request or limit of memory, or hugepages)",
)
def memory_is_given(vmi: Subject) -> Iterator[Place]:
    """There is neither guest nor hugepages, nor a request or limit of memory."""
    if not any(field in vmi.amounts for field in (_GUEST, _PAGE, _REQUEST, _LIMIT)):
        yield at()


@RULES.rule(
    "V34",
    f"spec.domain.{{{_REQUEST}|{_LIMIT}|{_GUEST}|memory.maxGuest|{_PAGE}}}",
    INVALID,
    "{why}",
)
def memory_can_be_read(vmi: Subject) -> Iterator[Place]:
    """It is no quantity."""
    for field, amount in vmi.amounts.items() if len(vmi.sizes) < len(vmi.amounts) else ():
        if not field.endswith("cpu") and field not in vmi.sizes:
            yield at(field, why=why_unreadable(amount))


@RULES.rule("V29", f"spec.domain.{_REQUEST}", INVALID, _NEGATIVE)
def request_is_not_negative(vmi: Subject) -> Iterator[Place]:
    """It is less than 0."""
    if vmi.sizes.get(_REQUEST, 0) < 0:
        yield at(value=vmi.amounts[_REQUEST])


@RULES.rule("V31", f"spec.domain.{_LIMIT}", INVALID, _NEGATIVE)
def limit_is_not_negative(vmi: Subject) -> Iterator[Place]:
    """It is less than 0."""
    if vmi.sizes.get(_LIMIT, 0) < 0:
        yield at(value=vmi.amounts[_LIMIT])


@RULES.rule("", f"spec.domain.{_GUEST}", INVALID, _NEGATIVE)
def guest_is_not_negative(vmi: Subject) -> Iterator[Place]:
    """It is less than 0."""
    if vmi.sizes.get(_GUEST, 0) < 0:
        yield at(value=vmi.amounts[_GUEST])


@RULES.rule("V30", f"spec.domain.{_REQUEST}", INVALID, _LITTLE)
def request_is_a_size(vmi: Subject) -> Iterator[Place]:
    """It is less than 1M."""
    if 0 <= vmi.sizes.get(_REQUEST, _LEAST) < _LEAST:
        yield at(value=vmi.amounts[_REQUEST])


@RULES.rule("", f"spec.domain.{_GUEST}", INVALID, _LITTLE)
def guest_is_a_size(vmi: Subject) -> Iterator[Place]:
    """It is less than 1M."""
    if 0 <= vmi.sizes.get(_GUEST, _LEAST) < _LEAST:
        yield at(value=vmi.amounts[_GUEST])


@RULES.rule("V32", f"spec.domain.{_REQUEST}", INVALID, "must not be more than the limit, {limit}")
def request_is_within_limit(vmi: Subject) -> Iterator[Place]:
    """It is more than the limit."""
    limit = vmi.sizes.get(_LIMIT)
    if limit is not None and vmi.sizes.get(_REQUEST, limit) > limit:
        yield at(limit=vmi.amounts[_LIMIT])


@RULES.rule("V33", f"spec.domain.{_GUEST}", INVALID, "must not be more than the limit, {limit}")
def guest_is_within_limit(vmi: Subject) -> Iterator[Place]:
    """It is more than the limit; with live update the limit follows the guest."""
    limit = vmi.sizes.get(_LIMIT)
    if limit is not None and not vmi.cluster.live_update and vmi.sizes.get(_GUEST, limit) > limit:
        yield at(limit=vmi.amounts[_LIMIT])


@RULES.rule("", f"spec.domain.{_PAGE}", INVALID, "must be more than 0, as 2Mi or 1Gi")
def page_is_a_size(vmi: Subject) -> Iterator[Place]:
    """It is 0 or less."""
    if vmi.sizes.get(_PAGE, 1) <= 0:
        yield at()


@RULES.rule("V35", f"spec.domain.{{{_REQUEST}|{_GUEST}}}", INVALID, "must be at least one huge page, {page}")
def memory_holds_a_page(vmi: Subject) -> Iterator[Place]:
    """It is less than a huge page."""
    page = vmi.sizes.get(_PAGE, 0)
    for field in (_REQUEST, _GUEST) if page > 0 else ():
        if 0 <= vmi.sizes.get(field, page) < page:
            yield at(field, page=vmi.amounts[_PAGE])


@RULES.rule(
    "V36", f"spec.domain.{{{_REQUEST}|{_GUEST}}}", INVALID, "must be a multiple of the huge page, {page}"
)
def memory_is_whole_pages(vmi: Subject) -> Iterator[Place]:
    """It is no multiple of the huge page."""
    page = vmi.sizes.get(_PAGE, 0)
    for field in (_REQUEST, _GUEST) if page > 0 else ():
        if vmi.sizes.get(field, 0) > page and vmi.sizes[field] % page:
            yield at(field, page=vmi.amounts[_PAGE])


@RULES.gate("V57", "spec.domain.memory.reservedOverhead", "ReservedOverheadMemlock")
def reserved_overhead_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    if vmi.memory.reserved_overhead is not None:
        yield at()
