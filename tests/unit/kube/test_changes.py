"""A slow reader gets outcomes, not histories."""

import anyio
import pytest

from virtdeck.kube.changes import Changes
from virtdeck.kube.objects import Key
from virtdeck.kube.snapshot import Change

pytestmark = pytest.mark.anyio
A, B = Key("", "a"), Key("", "b")


async def read(changes: Changes[int]) -> Change[int]:
    with anyio.fail_after(2):
        return await anext(changes)


async def test_unread_changes_of_one_object_become_one() -> None:
    changes: Changes[int] = Changes()
    changes.push(Change(A, None, 1))
    changes.push(Change(B, None, 7))
    changes.push(Change(A, 1, 2))
    assert await read(changes) == Change(B, None, 7)
    assert await read(changes) == Change(A, None, 2)


async def test_what_came_and_went_unread_never_was() -> None:
    changes: Changes[int] = Changes()
    changes.push(Change(A, None, 1))
    changes.push(Change(A, 1, None))
    changes.push(Change(B, None, 7))
    assert await read(changes) == Change(B, None, 7)


async def test_a_waiting_reader_is_woken() -> None:
    changes: Changes[int] = Changes()
    got = []

    async def wait() -> None:
        got.append(await read(changes))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wait)
        await anyio.lowlevel.checkpoint()
        changes.push(Change(A, None, 1))
    assert got == [Change(A, None, 1)]
