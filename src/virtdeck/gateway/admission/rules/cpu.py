"""Processors of the guest and of its pod (V37–V39, V48, V55, V56)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

MOST_VCPUS = 512
_REQUEST, _LIMIT = "resources.requests.cpu", "resources.limits.cpu"
_NEGATIVE = "{value!r} must not be negative"


@RULES.rule("", f"spec.domain.{{{_REQUEST}|{_LIMIT}}}", INVALID, "{why}")
def shares_can_be_read(vmi: Subject) -> Iterator[Place]:
    """It is no quantity."""
    for field, amount in vmi.amounts.items() if len(vmi.sizes) < len(vmi.amounts) else ():
        if field.endswith("cpu") and field not in vmi.sizes:
            yield at(field, why=why_unreadable(amount))


@RULES.rule("V37", f"spec.domain.{_REQUEST}", INVALID, _NEGATIVE)
def share_asked_for_is_not_negative(vmi: Subject) -> Iterator[Place]:
    """It is less than 0."""
    if vmi.sizes.get(_REQUEST, 0) < 0:
        yield at(value=vmi.amounts[_REQUEST])


@RULES.rule("V38", f"spec.domain.{_LIMIT}", INVALID, _NEGATIVE)
def most_share_is_not_negative(vmi: Subject) -> Iterator[Place]:
    """It is less than 0."""
    if vmi.sizes.get(_LIMIT, 0) < 0:
        yield at(value=vmi.amounts[_LIMIT])


@RULES.rule("V39", f"spec.domain.{_REQUEST}", INVALID, "must not be more than the limit, {limit}")
def share_is_within_limit(vmi: Subject) -> Iterator[Place]:
    """It is more than the limit."""
    limit = vmi.sizes.get(_LIMIT)
    if limit is not None and vmi.sizes.get(_REQUEST, limit) > limit:
        yield at(limit=vmi.amounts[_LIMIT])


@RULES.rule(
    "",
    "spec.domain.cpu",
    INVALID,
    f"has {{count}} processors (cores × sockets × threads); at most {MOST_VCPUS} work",
)
def guest_is_not_too_wide(vmi: Subject) -> Iterator[Place]:
    """QEMU has no machine with as many."""
    if vmi.vcpus > MOST_VCPUS:
        yield at(count=vmi.vcpus)


@RULES.rule("V56", "spec.domain.cpu.sockets", INVALID, "must not be more than maxSockets, {most}")
def sockets_are_within_maximum(vmi: Subject) -> Iterator[Place]:
    """There are more than may be added later."""
    if vmi.cpu.max_sockets and (vmi.cpu.sockets or 1) > vmi.cpu.max_sockets:
        yield at(most=vmi.cpu.max_sockets)


@RULES.choice("V55", "spec.domain.cpu.features[].policy", "force", "require", "optional", "disable", "forbid")
def feature_policy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, feature in enumerate(vmi.cpu.features or ()):
        yield at(index, value=feature.policy)


@RULES.rule("V48", "spec.domain.cpu.threads", INVALID, "must be 1 on arm64")
def arm_has_one_thread(vmi: Subject) -> Iterator[Place]:
    """The architecture is arm64, whose cores have one thread."""
    if (vmi.cpu.threads or 1) > 1 and vmi.architecture == "arm64":
        yield at()
