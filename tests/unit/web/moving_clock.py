"""A clock that tests move."""

from datetime import datetime, timedelta


class MovingClock:
    def __init__(self, now: datetime) -> None:
        self._now = now
        self._passed = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._passed

    def pass_seconds(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._passed += seconds
