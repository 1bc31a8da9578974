"""Subjects of the rules of single kinds: an object that is let through, with changes."""

from dataclasses import replace
from typing import Any, TypeVar

from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain, merged

from virtdeck.crds.codec import decode
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write
from virtdeck.gateway.auth.user import User

T = TypeVar("T")


def made(base: Plain, kind: type[T], changes: Plain | None = None) -> T:
    """The object with changes; None takes a field away."""
    return decode(merged(base, changes or {}), kind)


def write(obj: T, old: T | None = None, *, user: User = ALICE, cluster: ClusterConfig = CLUSTER) -> Write[T]:
    """One write without surroundings."""
    return Write(obj, old, user, cluster)


def beside(subject: Any, **surroundings: Any) -> Any:
    """The same write in other surroundings."""
    return replace(subject, **surroundings)
