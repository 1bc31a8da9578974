"""Each guard of I-01 and I-02 is switched off once: the checks must then find it, or they prove nothing."""

import os
import signal

import anyio
import pytest
from tests.contract.apiserver.truth import watch_properties
from tests.contract.apiserver.truth.client import Client
from tests.contract.apiserver.truth.conftest import Starter, switch
from tests.contract.apiserver.truth.history import BOOKMARK, Past
from tests.contract.apiserver.truth.recorder import Expired, Recorder, recording
from tests.contract.apiserver.truth.traffic import begin, recorded, run_writers

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("guard", "fault"),
    [
        ("versions", "bound to"),
        ("reliable", "reliable"),
        ("readable", "stale or invented"),
        ("filter", "filtered"),
    ],
)
async def test_checks_find_what_happens_without_a_guard(starter: Starter, guard: str, fault: str) -> None:
    """I-01, I-02: conflicts, gaps, stale reads, selectors."""
    server = starter(f"off:{guard}")
    run = begin(server)
    os.kill(server.pid, signal.SIGUSR1)
    faults = await recorded(run, writers=6, seconds=0.7)
    assert any(fault in one for one in faults), faults[:5]


async def test_checks_find_writes_that_were_told_before_they_were_durable(starter: Starter) -> None:
    """I-01: the group commit's answer waits for the disk."""
    server = starter("off:durable,die:before-batch:40")
    run = begin(server)
    os.kill(server.pid, signal.SIGUSR1)
    await run_writers(run, writers=6, seed=1, seconds=15)
    assert server.wait_end() == -signal.SIGKILL
    switch(server)
    await anyio.to_thread.run_sync(server.start)
    async with Client(server, run.notes, "end-") as client:
        faults = await run.faults(client)
    assert any("acknowledged and lost" in one for one in faults), faults[:5]


async def write_much(client: Client) -> None:
    """More than a small window remembers."""
    for number in range(30):
        await client.create(("truth-a", f"much-{number}"))


async def test_watch_of_a_forgotten_past_is_refused(starter: Starter) -> None:
    """I-02: 410 instead of a gap."""
    server = starter(watch_window_events=10)
    run = begin(server)
    async with Client(server, run.notes) as client:
        await write_much(client)
        with pytest.raises(ExceptionGroup) as caught, anyio.fail_after(10):
            async with recording([Recorder(client, "late", run.start)]):
                await anyio.sleep_forever()
    assert caught.group_contains(Expired)


async def test_checks_find_a_watch_that_begins_after_what_was_forgotten(starter: Starter) -> None:
    """I-02: the same without the guard."""
    server = starter("off:horizon", watch_window_events=10)
    run = begin(server)
    async with Client(server, run.notes) as client:
        live, late = Recorder(client, "live", run.start), Recorder(client, "late", run.start)
        async with recording([live]):
            await write_much(client)
            mark = await client.create(("truth-a", "mark"))
            with anyio.fail_after(10):
                async with recording([late]):
                    while min(live.position, late.position) < mark.revision:
                        await anyio.sleep(0.01)
    past = Past(one for one in live.seen if one.kind != BOOKMARK)
    assert watch_properties.faults_of(live.watched(mark.revision), past) == []
    faults = watch_properties.faults_of(late.watched(mark.revision), past)
    assert any("resumable" in one for one in faults), faults[:5]
