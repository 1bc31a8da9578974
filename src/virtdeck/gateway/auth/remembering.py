"""Answers kept for some seconds, so that a page full of buttons is one question each."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from virtdeck.basis.clock import Clock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """At most ``most`` answers, the least used forgotten first, each for ``seconds``."""

    def __init__(self, clock: Clock, seconds: float, most: int = 10_000) -> None:
        self._clock = clock
        self._seconds = seconds
        self._most = most
        self._answers: OrderedDict[K, tuple[float, V]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The answer, while it may be used."""
        found = self._answers.get(key)
        if found is None:
            return None
        if found[0] <= self._clock.monotonic():
            del self._answers[key]
            return None
        self._answers.move_to_end(key)
        return found[1]

    def put(self, key: K, answer: V, seconds: float | None = None) -> V:
        """The answer is kept from now on, and given back. seconds: if not as long as others."""
        kept = self._seconds if seconds is None else min(seconds, self._seconds)
        self._answers[key] = (self._clock.monotonic() + kept, answer)
        self._answers.move_to_end(key)
        if len(self._answers) > self._most:
            self._answers.popitem(last=False)
        return answer

    def forget(self) -> None:
        """Nothing is known any more."""
        self._answers.clear()
