"""How long to wait before the next try."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Doubles from ``base_seconds`` to ``cap_seconds``; ``spread`` is the share of it that chance may add."""

    base_seconds: float
    cap_seconds: float
    spread: float = 1.0

    def seconds(self, failures: int, chance: float) -> float:
        """The wait after this many failures in a row. chance: 0 to 1."""
        if failures <= 0:
            return 0.0
        wait = min(self.base_seconds * 2.0 ** min(failures - 1, 32), self.cap_seconds)
        return wait * (1.0 + self.spread * chance)
