"""The form of a default: which field is filled in, with what and when, and the function that does it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

D = TypeVar("D")
D_contra = TypeVar("D_contra", contravariant=True)


class Fill(Protocol[D_contra]):
    """The function of a default: changes the draft, a private copy; twice changes nothing more."""

    __name__: str

    def __call__(self, draft: D_contra, /) -> None: ...


@dataclass(frozen=True)
class Default(Generic[D]):
    """One default. ids: KubeVirt's; one of ours has its function's name. when: the function's docstring."""

    ids: tuple[str, ...]
    kind: str
    field: str
    value: str
    when: str
    fill: Callable[[D], None]


class Defaults(Generic[D]):
    """The defaults of one area, in the order in which they are filled in."""

    def __init__(self, kind: str, *members: "Defaults[D]") -> None:
        self.kind = kind
        self._defaults: list[Default[D]] = [default for area in members for default in area]

    def __iter__(self) -> Iterator[Default[D]]:
        return iter(self._defaults)

    def fill(self, draft: D) -> None:
        """Everything that is missing from the draft stands in it."""
        for default in self._defaults:
            default.fill(draft)

    def fills(self, ids: str, field: str, value: str) -> Callable[[Fill[D]], Fill[D]]:
        """A default for ``field``. value: what it gets, in words."""

        def add(fill: Fill[D]) -> Fill[D]:
            names = tuple(ids.split()) or (fill.__name__,)
            when = " ".join((fill.__doc__ or "").split())
            self._defaults.append(Default(names, self.kind, field, value, when, fill))
            return fill

        return add
