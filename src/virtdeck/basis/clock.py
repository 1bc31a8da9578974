"""Time as a value that tests can move."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where a component reads the time from."""

    def now(self) -> datetime:
        """Wall-clock time, timezone-aware, UTC."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


def rfc3339(moment: datetime) -> str:
    """The moment as Kubernetes writes metav1.Time: UTC, whole seconds, ``Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_rfc3339(text: str) -> datetime:
    """The moment that a metav1.Time or MicroTime names. Raises: ValueError."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
