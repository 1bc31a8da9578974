"""A keyed work queue: what is added twice is worked on once, and by one worker at a time."""

import random
from collections.abc import Hashable
from typing import Generic, TypeVar

import anyio

from virtdeck.basis.clock import Clock
from virtdeck.kube.backlog import Backlog
from virtdeck.kube.backoff import Backoff

K = TypeVar("K", bound=Hashable)

# 50 ms, doubled up to 5 min: a fault that passes costs nothing, one that stays costs little.
RETRY = Backoff(base_seconds=0.05, cap_seconds=300.0, spread=0.5)


class WorkQueue(Generic[K]):
    """Keys to work on; every ``get`` is answered by a ``done``."""

    def __init__(self, clock: Clock, retry: Backoff = RETRY) -> None:
        self._clock = clock
        self._backlog: Backlog[K] = Backlog(retry)
        self._wake = anyio.Event()

    def add(self, key: K) -> None:
        """The key is due now."""
        self._backlog.add(key)
        self._wake.set()

    def add_after(self, key: K, seconds: float) -> None:
        """The key is due then, or earlier if it was to be."""
        self._backlog.add_at(key, self._clock.monotonic() + seconds)
        self._wake.set()

    def retry(self, key: K, at_least_seconds: float = 0.0) -> float:
        """The key failed and is due after its back-off; answers the wait in seconds."""
        chance = random.random()  # noqa: S311 (spreads load, guards nothing)
        wait = self._backlog.fail(key, self._clock.monotonic(), chance, at_least_seconds)
        self._wake.set()
        return wait

    def forget(self, key: K) -> None:
        """The key succeeded: its next failure counts as the first."""
        self._backlog.succeed(key)

    async def get(self) -> K:
        """The next due key. Cancel: safe, nothing is lost."""
        while (key := self._backlog.take(self._clock.monotonic())) is None:
            self._wake = anyio.Event()
            moment = self._backlog.next_moment()
            wait = None if moment is None else max(moment - self._clock.monotonic(), 0.0)
            with anyio.move_on_after(wait):
                await self._wake.wait()
        return key

    def done(self, key: K) -> None:
        """The key may be worked on again."""
        if self._backlog.done(key):
            self._wake.set()

    def is_stale(self, key: K) -> bool:
        """True when the key, in work now, is due again: what its worker saw has changed since."""
        return self._backlog.is_stale(key)

    def __len__(self) -> int:
        return len(self._backlog)
