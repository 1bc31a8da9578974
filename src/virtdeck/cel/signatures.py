"""What a function takes and gives: its overloads, found by name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.cel.costs import FLAT, Cost
from virtdeck.cel.types import Type
from virtdeck.cel.values import type_name


@dataclass(frozen=True, slots=True, eq=False)
class Overload:
    """One way to call a function. member: as a method of its first parameter."""

    params: tuple[Type, ...]
    result: Type
    run: Callable[..., Any]
    member: bool = False
    cost: Cost = FLAT

    def takes(self, args: tuple[Any, ...]) -> bool:
        """Whether it can be called with these values."""
        return all(map(_stands_for, self.params, args))


def _stands_for(wanted: Type, value: Any) -> bool:
    if wanted.kind in ("dyn", "param"):
        return True
    named = type_name(value)
    if wanted.kind == "object":
        return named == "map"
    return named == (wanted.name if wanted.kind == "opaque" else wanted.kind)


Library = Mapping[str, tuple[Overload, ...]]


def merged(libraries: Iterable[Library]) -> dict[str, tuple[Overload, ...]]:
    """The functions of all; one name may have overloads in several."""
    found: dict[str, tuple[Overload, ...]] = {}
    for library in libraries:
        for name, overloads in library.items():
            found[name] = found.get(name, ()) + overloads
    return found


def function(result: Type, *params: Type, run: Callable[..., Any], cost: Cost = FLAT) -> Overload:
    """A plain function."""
    return Overload(params, result, run, member=False, cost=cost)


def method(result: Type, *params: Type, run: Callable[..., Any], cost: Cost = FLAT) -> Overload:
    """A method; the first parameter is what it is called on."""
    return Overload(params, result, run, member=True, cost=cost)
