"""What a pod asks for in all, of its containers, one after the other or together."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from virtdeck.basis.errors import Invalid
from virtdeck.crds.quantity import parse_quantity

Obj = dict[str, Any]
Amounts = dict[str, Decimal]

TERMINAL = ("Succeeded", "Failed")


def amounts_of(given: Any) -> Amounts:
    """Quantities by name; those that are none count as nothing."""
    found: Amounts = {}
    for name, text in (given or {}).items():
        try:
            found[name] = parse_quantity(text)
        except Invalid:
            continue
    return found


def added(one: Amounts, other: Amounts) -> Amounts:
    """Both together."""
    return {name: one.get(name, Decimal()) + other.get(name, Decimal()) for name in {**one, **other}}


def _combined(one: Amounts, other: Amounts, choose: Callable[[Decimal, Decimal], Decimal]) -> Amounts:
    return {name: choose(one.get(name, Decimal()), other.get(name, Decimal())) for name in {**one, **other}}


def pod_amounts(spec: Obj, kind: str) -> Amounts:
    """``requests`` or ``limits`` of a pod: its containers' together, or an init container's if more."""
    total: Amounts = {}
    for container in spec.get("containers") or ():
        total = added(total, container_amounts(container, kind))
    beside: Amounts = {}  # init containers that go on running
    first: Amounts = {}
    for container in spec.get("initContainers") or ():
        own = container_amounts(container, kind)
        if container.get("restartPolicy") == "Always":
            total, beside = added(total, own), added(beside, own)
            own = beside
        else:
            own = added(own, beside)
        first = _combined(first, own, max)
    total = _combined(total, first, max)
    overhead = amounts_of(spec.get("overhead"))
    if kind == "limits":  # what has no limit does not get one from its overhead
        overhead = {name: amount for name, amount in overhead.items() if name in total}
    return added(total, overhead)


def container_amounts(container: Obj, kind: str) -> Amounts:
    """``requests`` or ``limits`` of a container; a limit alone is a request too."""
    resources = container.get("resources") or {}
    found = amounts_of(resources.get(kind))
    if kind == "requests":
        found = {**amounts_of(resources.get("limits")), **found}
    return found
