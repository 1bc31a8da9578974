"""Seats, turns and levels: who waits for whom."""

from contextlib import ExitStack

import anyio
import pytest

from virtdeck.standalone.apiserver.access.identity import ANONYMOUS, AUTHENTICATED, User, account_groups
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.requests.fairness import Fairness
from virtdeck.standalone.apiserver.requests.levels import (
    ACCOUNTS,
    ADMIN,
    EVERYBODY,
    STRANGERS,
    SYSTEM,
    Level,
    is_reading,
    level_of,
    seats_of_list,
)

ANN, BOB = User("ann", (AUTHENTICATED,)), User("bob", (AUTHENTICATED,))
NODE = User("system:node:n", ("system:nodes", AUTHENTICATED))
pytestmark = pytest.mark.anyio


async def note(fairness: Fairness, user: User, log: list[str]) -> None:
    """A request that notes when it gets its seat."""
    async with fairness.admit(user, reading=True):
        log.append(user.name)


async def test_a_flood_of_one_user_does_not_go_before_anothers_request() -> None:
    fairness, log = Fairness(), list[str]()
    whole = EVERYBODY.seats
    async with anyio.create_task_group() as group, fairness.admit(ANN, reading=True, width=whole):
        for _ in range(50):
            group.start_soon(note, fairness, ANN, log)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(note, fairness, BOB, log)
        await anyio.wait_all_tasks_blocked()
    assert log.index("bob") == 1
    assert log.count("ann") == 50


async def test_levels_and_reads_and_writes_have_seats_of_their_own() -> None:
    fairness, entered = Fairness(wait_seconds=0), list[str]()
    async with anyio.create_task_group() as group:
        release = anyio.Event()

        async def hold() -> None:
            async with fairness.admit(ANN, reading=False):
                await release.wait()

        for _ in range(EVERYBODY.seats):
            group.start_soon(hold)
        await anyio.wait_all_tasks_blocked()
        for user, reading in ((ANN, True), (NODE, False)):
            async with fairness.admit(user, reading=reading):
                entered.append(user.name)
        with pytest.raises(StatusError):
            async with fairness.admit(BOB, reading=False):
                entered.append("bob")
        release.set()
    assert entered == ["ann", NODE.name]


async def test_who_waits_too_long_or_in_too_long_a_queue_is_told_to_come_again() -> None:
    told = list[tuple[str, str]]()
    fairness = Fairness(lambda level, reason: told.append((level, reason)), wait_seconds=0.05)
    refused = 0

    async def ask() -> None:
        nonlocal refused
        try:
            async with fairness.admit(ANONYMOUS, reading=True):
                await anyio.sleep(0.2)
        except StatusError as fault:
            refused += (fault.code, ("Retry-After", "1") in fault.headers) == (429, True)

    async with anyio.create_task_group() as group:
        for _ in range(STRANGERS.seats + STRANGERS.queued + 3):
            group.start_soon(ask)
    assert refused == STRANGERS.queued + 3
    assert told.count(("catch-all", "queue-full")) == 3
    assert told.count(("catch-all", "time-out")) == STRANGERS.queued


async def test_who_leaves_the_queue_gives_up_no_seat_of_others() -> None:
    fairness, log = Fairness(), list[str]()
    whole = EVERYBODY.seats
    async with anyio.create_task_group() as group, fairness.admit(ANN, reading=True, width=whole):
        with anyio.move_on_after(0.01):
            await note(fairness, BOB, log)
        group.start_soon(note, fairness, BOB, log)
        await anyio.wait_all_tasks_blocked()
        assert log == []
    assert log == ["bob"]
    async with fairness.admit(ANN, reading=True, width=whole):
        pass


async def test_who_has_its_answer_keeps_no_seat() -> None:
    fairness = Fairness(wait_seconds=0)
    whole = EVERYBODY.seats
    async with fairness.admit(ANN, reading=True, width=whole) as leave:
        leave()
        async with fairness.admit(BOB, reading=True, width=whole):
            leave()
            with pytest.raises(StatusError):
                await note(fairness, ANN, [])


async def test_streams_are_counted_by_user() -> None:
    fairness = Fairness()
    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(fairness.stream(ANN))
        with pytest.raises(StatusError, match="1000 watches"):
            stack.enter_context(fairness.stream(ANN))
        stack.enter_context(fairness.stream(BOB))


@pytest.mark.parametrize(
    ("user", "level"),
    [
        (ANONYMOUS, STRANGERS),
        (ANN, EVERYBODY),
        (NODE, SYSTEM),
        (User("system:serviceaccount:kubevirt:x", (*account_groups("kubevirt"), AUTHENTICATED)), SYSTEM),
        (User("system:serviceaccount:team:x", (*account_groups("team"), AUTHENTICATED)), ACCOUNTS),
        (User("admin", ("system:masters", AUTHENTICATED)), ADMIN),
    ],
)
async def test_level_of_a_user(user: User, level: Level) -> None:
    assert level_of(user) is level


async def test_what_a_request_is_reckoned_as() -> None:
    assert is_reading("list", "")
    assert is_reading("create", "authorization.k8s.io")
    assert not is_reading("create", "")
    assert [seats_of_list(rows, limit) for rows, limit in ((0, 0), (5000, 0), (5000, 500), (99999, 0))] == [
        1,
        6,
        1,
        10,
    ]
