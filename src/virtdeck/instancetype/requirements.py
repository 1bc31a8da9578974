"""What a preference insists on: the least that its guest system runs with."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.plain import Plain
from virtdeck.crds.quantity import parse_bytes
from virtdeck.crds.scalars import Quantity
from virtdeck.instancetype.expansion import Chosen
from virtdeck.instancetype.paths import reach
from virtdeck.instancetype.topology import ACROSS, preferred_topology, spread

_SPEC = "spec.template.spec"
_CPU = f"{_SPEC}.domain.cpu"
_LEVELS = {"sockets": ("sockets",), "cores": ("cores",), "threads": ("threads",)}
_SPREAD = dict(
    zip(ACROSS, (("sockets", "cores"), ("sockets", "cores", "threads"), ("cores", "threads")), strict=True)
)


def unmet_processors(template: Plain, chosen: Chosen) -> Iterator[Cause]:
    """Too few processors. Without an instance type, those count that the preferred topology asks for."""
    required = chosen.preference and chosen.preference.requirements and chosen.preference.requirements.cpu
    if not required:
        return
    if chosen.instancetype is not None:
        if chosen.instancetype.cpu.guest < required.guest:
            has = f"the instance type {chosen.name} has {chosen.instancetype.cpu.guest} processors"
            yield Cause("spec.instancetype", f"{has}; the preference requires {required.guest}")
        return
    levels = _counted_levels(chosen)
    count = 1
    for level in levels:
        count *= reach(template, f"spec.domain.cpu.{level}") or 1
    if count < required.guest:
        message = f"give {count} processors; the preference requires {required.guest} as {' × '.join(levels)}"
        yield from (Cause(f"{_CPU}.{level}", message) for level in levels)


def unmet_memory(template: Plain, chosen: Chosen) -> Iterator[Cause]:
    """Too little memory. A template that says nothing of memory is left to other rules."""
    required = chosen.preference and chosen.preference.requirements and chosen.preference.requirements.memory
    if not required:
        return
    if chosen.instancetype is not None:
        field, guest = "spec.instancetype", chosen.instancetype.memory.guest
    else:
        field, guest = f"{_SPEC}.domain.memory.guest", reach(template, "spec.domain.memory.guest")
    if guest is not None and _is_less(guest, required.guest):
        yield Cause(field, f"gives {guest} of memory; the preference requires {required.guest}")


def unmet_architecture(template: Plain, chosen: Chosen) -> Iterator[Cause]:
    """Another architecture."""
    requirements = chosen.preference.requirements if chosen.preference else None
    required = requirements.architecture if requirements else None
    found = reach(template, "spec.architecture")
    if required and found != required:
        yield Cause(f"{_SPEC}.architecture", f"is {found}; the preference requires {required}")


def _counted_levels(chosen: Chosen) -> tuple[str, ...]:
    topology = preferred_topology(chosen.preference)
    if topology == "spread":
        return _SPREAD.get(spread(chosen.preference).across, ("sockets", "cores"))
    return _LEVELS.get(topology, ("cores", "sockets", "threads"))


def _is_less(guest: Quantity, required: Quantity) -> bool:
    """False when either cannot be read, which rules of their own say."""
    try:
        return parse_bytes(guest) < parse_bytes(required)
    except Invalid:
        return False
