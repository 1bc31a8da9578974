"""Which key is due: the pure half of the work queue."""

import heapq
import itertools
from collections.abc import Hashable
from typing import Generic, TypeVar

from virtdeck.kube.backoff import Backoff

K = TypeVar("K", bound=Hashable)


class Backlog(Generic[K]):
    """Keys that wait to be worked on: each at most once, never one that is in work.

    Units: ``now`` is a monotonic clock's seconds.
    """

    def __init__(self, retry: Backoff) -> None:
        self._retry = retry
        self._due: dict[K, None] = {}
        self._later: list[tuple[float, int, K]] = []
        self._when: dict[K, float] = {}
        self._order = itertools.count()
        self._in_work: set[K] = set()
        self._again: set[K] = set()
        self._failures: dict[K, int] = {}

    def add(self, key: K) -> None:
        """The key is due now; while it is in work, as soon as that ends."""
        self._when.pop(key, None)
        if key in self._in_work:
            self._again.add(key)
        else:
            self._due[key] = None

    def add_at(self, key: K, moment: float) -> None:
        """The key is due at that moment, or at the earlier one it already waits for."""
        if key in self._due or key in self._again or self._when.get(key, moment + 1) <= moment:
            return
        self._when[key] = moment
        heapq.heappush(self._later, (moment, next(self._order), key))

    def take(self, now: float) -> K | None:
        """The next due key, in work from now on; None when none is due."""
        self._ripen(now)
        key = next(iter(self._due), None)
        if key is not None:
            del self._due[key]
            self._in_work.add(key)
        return key

    def done(self, key: K) -> bool:
        """The key is no longer in work; True when it is due again already."""
        self._in_work.discard(key)
        if key in self._again:
            self._again.discard(key)
            self._due[key] = None
            return True
        return False

    def fail(self, key: K, now: float, chance: float, at_least_seconds: float = 0.0) -> float:
        """The key is due again after a wait that grows with each failure in a row; answers the wait."""
        self._failures[key] = self._failures.get(key, 0) + 1
        wait = max(self._retry.seconds(self._failures[key], chance), at_least_seconds)
        self.add_at(key, now + wait)
        return wait

    def is_stale(self, key: K) -> bool:
        """True when the key is in work and was added meanwhile."""
        return key in self._again

    def failures(self, key: K) -> int:
        """How often the key failed in a row."""
        return self._failures.get(key, 0)

    def succeed(self, key: K) -> None:
        """The next failure counts as the first."""
        self._failures.pop(key, None)

    def next_moment(self) -> float | None:
        """When the earliest waiting key is due; None when none waits."""
        while self._later and self._when.get(self._later[0][2]) != self._later[0][0]:
            heapq.heappop(self._later)
        return self._later[0][0] if self._later else None

    def __len__(self) -> int:
        return len(self._due)

    def _ripen(self, now: float) -> None:
        while (moment := self.next_moment()) is not None and moment <= now:
            self.add(heapq.heappop(self._later)[2])
