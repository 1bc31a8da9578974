"""Workers wait for keys, and nothing is lost between them."""

from datetime import UTC, datetime

import anyio
import pytest

from virtdeck.kube.backoff import Backoff
from virtdeck.kube.queue import WorkQueue

pytestmark = pytest.mark.anyio


class MovedClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


async def test_a_waiting_worker_gets_the_key_that_is_added(clock: MovedClock) -> None:
    queue: WorkQueue[str] = WorkQueue(clock)
    got = []

    async def work() -> None:
        got.append(await queue.get())

    with anyio.fail_after(2):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(work)
            await anyio.lowlevel.checkpoint()
            queue.add("a")
    assert got == ["a"]


async def test_two_workers_never_hold_one_key(clock: MovedClock) -> None:
    queue: WorkQueue[str] = WorkQueue(clock)
    held: list[str] = []
    rounds = 0

    async def work() -> None:
        nonlocal rounds
        while rounds < 50:
            key = await queue.get()
            assert key not in held
            held.append(key)
            queue.add(key)
            await anyio.lowlevel.checkpoint()
            held.remove(key)
            rounds += 1
            queue.done(key)
        tasks.cancel_scope.cancel()

    queue.add("a")
    queue.add("b")
    with anyio.fail_after(2):
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(work)
    assert rounds >= 50


async def test_a_cancelled_worker_loses_no_key(clock: MovedClock) -> None:
    queue: WorkQueue[str] = WorkQueue(clock)
    with anyio.move_on_after(0):
        await queue.get()
    queue.add("a")
    with anyio.fail_after(2):
        assert await queue.get() == "a"


async def test_a_failed_key_comes_again_when_the_clock_has_moved(clock: MovedClock) -> None:
    queue: WorkQueue[str] = WorkQueue(clock, Backoff(base_seconds=60, cap_seconds=60, spread=0))
    queue.add("a")
    await queue.get()
    assert queue.retry("a") == 60
    queue.done("a")
    clock.seconds = 61
    queue.add_after("b", 1000)  # wakes whoever waits
    with anyio.fail_after(2):
        assert await queue.get() == "a"


async def test_a_short_delay_runs_out_by_itself(clock: MovedClock) -> None:
    queue: WorkQueue[str] = WorkQueue(clock)
    queue.add_after("a", 0.0)
    with anyio.fail_after(2):
        assert await queue.get() == "a"
