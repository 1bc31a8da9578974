"""What this process remembers of its VMIs; all of it can be lost and is found out again."""

from dataclasses import dataclass
from datetime import datetime

from virtdeck.wire.launcher import ImageFacts


@dataclass
class VmiMemory:
    """One VMI's. frozen_until: None while this process has not asked for it."""

    images: dict[str, ImageFacts] | None = None
    frozen_until: datetime | None = None
    asked_to_stop: datetime | None = None
    reports: tuple[datetime, ...] = ()


class Memory:
    """By the VMI's uid."""

    def __init__(self) -> None:
        self._known: dict[str, VmiMemory] = {}

    def of(self, vmi_uid: str) -> VmiMemory:
        """What is remembered of this VMI."""
        return self._known.setdefault(vmi_uid, VmiMemory())

    def forget(self, vmi_uid: str) -> None:
        """Nothing is remembered of this VMI."""
        self._known.pop(vmi_uid, None)
