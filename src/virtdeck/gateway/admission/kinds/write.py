"""What the rules of a kind look at: one write of one object, and who does it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.rule import WARNING, Rules
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True)
class Write(Generic[T]):
    """obj: as it is to be stored. old: what it takes the place of; None when it is new, or unreadable."""

    obj: T
    old: T | None
    user: User
    cluster: ClusterConfig

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return self.cluster.gate(name)


def examined(
    obj: Plain, old: Plain | None, kind: type[T], verdict: Callable[[T, T | None], Verdict]
) -> Verdict:
    """The verdict on the typed objects, or why the new one is none of this kind."""
    try:
        now = decode(obj, kind)
    except Invalid as fault:
        return Verdict(fault.causes)
    return verdict(now, _readable(old, kind))


def is_readable(obj: Plain, kind: type[T]) -> bool:
    """Whether the object is one of this kind: one that is not is stored by nobody; it is not completed."""
    return _readable(obj, kind) is not None


def judged(rules: Rules[S], subject: S, *, stored: str = "", forbidden: bool = False) -> Verdict:
    """What the rules say. stored: a warning that nothing acts on the object yet."""
    told = tuple(rules.ask(subject))
    causes = tuple(cause for cause in told if cause.reason != WARNING)
    warnings = tuple(f"{cause.field}: {cause.message}" for cause in told if cause.reason == WARNING)
    said = (stored,) if stored and not causes else ()
    return Verdict(causes, warnings + said, forbidden and bool(causes))


def _readable(old: Plain | None, kind: type[T]) -> T | None:
    try:
        return None if old is None else decode(old, kind)
    except Invalid:
        return None
