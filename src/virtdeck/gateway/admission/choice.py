"""What a virtual machine's matchers lead to, as whoever reads objects found it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from virtdeck.basis.errors import Cause
from virtdeck.crds.plain import Plain
from virtdeck.instancetype.expansion import Chosen

Which = Literal["instancetype", "preference"]
BOTH: tuple[Which, ...] = ("instancetype", "preference")
_NOTHING = Chosen()


@dataclass(frozen=True)
class Choice:
    """chosen: what was found. missing: why the other was not. kept: what the revision that a matcher names
    keeps, where it is another object than the matcher names."""

    chosen: Chosen = _NOTHING
    missing: Mapping[Which, str] = field(default_factory=dict)
    kept: Mapping[Which, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Inferred:
    """What takes the place of a matcher that infers: another one, or none (``matcher`` is None).

    cause: why nothing can be inferred; then nothing takes its place.
    """

    matcher: Plain | None = None
    cause: Cause | None = None


NO_CHOICE = Choice()
