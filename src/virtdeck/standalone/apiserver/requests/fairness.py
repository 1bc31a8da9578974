"""Seats for requests: few are under way at once, who waits is served in turn by user, nobody starves."""

from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import anyio

from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.problems import too_many_requests
from virtdeck.standalone.apiserver.requests.levels import Level, level_of

# Far above what a controller or a person watches, far below what would fill the machine.
_MOST_STREAMS = 1000
_LONGEST_WAIT_SECONDS = 15.0  # as kube-apiserver: a quarter of a request's time
_TIRED = "too many requests, please try again later"

Told = Callable[[str, str], None]  # level and reason of each request that was sent away


@dataclass(eq=False)
class _Waiter:
    width: int
    turn: anyio.Event = field(default_factory=anyio.Event)


class _Pool:
    """The seats of one level, for reads or for writes."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._taken = 0
        self._queues: dict[str, deque[_Waiter]] = {}  # the user whose turn is next stands first

    async def take(self, user: str, width: int, seconds: float) -> str:
        """The request has its seats; if not, why: it may not wait, or has waited too long."""
        width = min(width, self._level.seats)
        if not self._queues and self._taken + width <= self._level.seats:
            self._taken += width
            return ""
        queue = self._queues.setdefault(user, deque())
        if len(queue) >= self._level.queued:
            return "queue-full"
        waiter = _Waiter(width)
        queue.append(waiter)
        try:
            with anyio.move_on_after(seconds):
                await waiter.turn.wait()
        finally:
            if not waiter.turn.is_set():
                self._leave(user, waiter)
        return "" if waiter.turn.is_set() else "time-out"

    def give_back(self, width: int) -> None:
        """The seats are free for whoever is next."""
        self._taken -= min(width, self._level.seats)
        self._call_next()

    def _leave(self, user: str, waiter: _Waiter) -> None:
        queue = self._queues[user]
        queue.remove(waiter)
        if not queue:
            del self._queues[user]
        self._call_next()

    def _call_next(self) -> None:
        while self._queues:
            user, queue = next(iter(self._queues.items()))
            if self._taken + queue[0].width > self._level.seats:
                return
            waiter = queue.popleft()
            del self._queues[user]
            if queue:  # at the end: everybody else comes first
                self._queues[user] = queue
            self._taken += waiter.width
            waiter.turn.set()


@dataclass(eq=False)
class _Seat:
    """What one request has of a pool; given back once."""

    pool: _Pool
    width: int
    held: bool = True

    def leave(self) -> None:
        if self.held:
            self.held = False
            self.pool.give_back(self.width)


class Fairness:
    """Admits requests to their level's seats, and counts streams by user."""

    def __init__(
        self, told: Told = lambda _level, _reason: None, wait_seconds: float = _LONGEST_WAIT_SECONDS
    ) -> None:
        self._told = told
        self._wait_seconds = wait_seconds
        self._pools: dict[tuple[Level, bool], _Pool] = {}
        self._streams: Counter[str] = Counter()

    @asynccontextmanager
    async def admit(self, user: User, *, reading: bool, width: int = 1) -> AsyncIterator[Callable[[], None]]:
        """The request has its seats while it is inside, or until it calls what it is given.

        Raises: StatusError 429.
        """
        level = level_of(user)
        pool = self._pools.get((level, reading))
        if pool is None:
            pool = self._pools[(level, reading)] = _Pool(level)
        if refused := await pool.take(user.name, width, self._wait_seconds):
            self._told(level.name, refused)
            raise too_many_requests(_TIRED)
        seat = _Seat(pool, width)
        try:
            yield seat.leave
        finally:
            seat.leave()

    @contextmanager
    def stream(self, user: User) -> Iterator[None]:
        """A watch, a followed log or a proxied connection counts while it stands. Raises: StatusError 429."""
        if self._streams[user.name] >= _MOST_STREAMS:
            self._told(level_of(user).name, "concurrency-limit")
            raise too_many_requests(f"{user.name} has {_MOST_STREAMS} watches and streams open already")
        self._streams[user.name] += 1
        try:
            yield
        finally:
            self._streams[user.name] -= 1
            if not self._streams[user.name]:
                del self._streams[user.name]
