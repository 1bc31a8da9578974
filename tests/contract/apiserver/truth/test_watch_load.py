"""L-02: hundreds of watchers while writes go on, some of which never read, or come and go."""

import os
import random
import time

import aiohttp
import anyio
import orjson
import pytest
from tests.contract.apiserver.truth import watch_properties
from tests.contract.apiserver.truth.client import Client
from tests.contract.apiserver.truth.conftest import Starter
from tests.contract.apiserver.truth.recorder import Expired, Recorder, change_of, recording, wait_told
from tests.contract.apiserver.truth.sizes import cost_of
from tests.contract.apiserver.truth.traffic import FILTERS, NAMESPACES, Run, begin

pytestmark = pytest.mark.anyio

LONG = bool(os.environ.get("TRUTH_LONG"))
WATCHERS = 1000 if LONG else 200
SECONDS = 600 if LONG else 5
WRITES_PER_SECOND = 50 if LONG else 20
PAD = {"pad": "p" * 8192}


async def write_steadily(run: Run, client: Client) -> None:
    """That many writes a second, over few objects of both namespaces."""
    dice = random.Random(2)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        key = dice.choice(NAMESPACES), f"n{dice.randrange(6)}"
        labels = {"side": dice.choice(("left", "right"))}
        if (await client.patch(key, labels)).code == 404:
            await client.create(key, labels)
        elif dice.random() < 0.1:
            await client.delete(key)
        await anyio.sleep(1 / WRITES_PER_SECOND)


def crowd(run: Run, client: Client) -> list[Recorder]:
    """Watchers of every filter; one in twenty connects anew each second."""
    return [
        Recorder(
            client,
            f"watcher {number}",
            run.start,
            FILTERS[number % len(FILTERS)],
            reconnect_seconds=1.0 if number % 20 == 1 else None,
        )
        for number in range(WATCHERS)
    ]


def delays(run: Run, recorders: list[Recorder]) -> list[float]:
    """Seconds from each write's begin to its event, of all that stayed connected, sorted."""
    begun = {one.revision: one.begin for one in run.notes.requests if one.revision and one.verb != "get"}
    return sorted(
        at - begun[revision]
        for recorder in recorders
        if recorder.reconnect_seconds is None
        for revision, at in recorder.arrivals
        if revision in begun
    )


async def test_every_watcher_of_a_crowd_is_told_everything(starter: Starter) -> None:
    """L-02, I-02: the nine properties for each, memory, and no watcher slower than the others."""
    server = starter()
    run = begin(server)
    async with Client(server, run.notes, "w-") as writer, Client(server, run.notes, "end-") as client:
        run.recorders = crowd(run, client)
        before = cost_of(server.pid).resident
        async with recording(run.recorders):
            while any(not one.connects for one in run.recorders):
                await anyio.sleep(0.05)
            await write_steadily(run, writer)
            past = await run.past(client)
            await wait_told(run.recorders, past)
            grown = cost_of(server.pid).resident - before
    end = past.changes[-1].revision
    faults = [fault for one in run.recorders for fault in watch_properties.faults_of(one.watched(end), past)]
    assert faults == []
    assert grown <= 256 * 2**20
    assert sum(1 for one in run.recorders if one.connects > SECONDS / 2) >= WATCHERS // 20
    waited = delays(run, run.recorders)
    assert len(waited) > WATCHERS
    if LONG:
        alone = Recorder(client, "alone", run.start)
        assert waited[int(len(waited) * 0.99)] <= 5 * max(delays(run, [alone]), default=1)


async def test_watcher_that_never_reads_is_dropped_and_costs_others_nothing(starter: Starter) -> None:
    """L-02: it holds a bounded piece of the past, and hears 410 once it is too far behind."""
    server = starter(watch_window_events=50)
    run = begin(server)
    stuck, path = 10, "/api/v1/configmaps?watch=1&resourceVersion=" + str(run.start)
    async with Client(server, run.notes, "w-") as writer, Client(server, run.notes, "end-") as client:
        healthy = Recorder(client, "healthy", run.start)
        patient = aiohttp.ClientTimeout(sock_read=60)  # of a busy machine: all the writes come before
        answers = [await client.session.get(path, read_bufsize=16384, timeout=patient) for _ in range(stuck)]
        before = cost_of(server.pid).resident
        async with recording([healthy]):
            await writer.create((NAMESPACES[0], "big"))
            for number in range(1500):
                body = {"data": PAD | {"v": f"stuck-{number}"}}
                headers = {"Content-Type": "application/merge-patch+json"}
                async with writer.session.patch(
                    f"/api/v1/namespaces/{NAMESPACES[0]}/configmaps/big", json=body, headers=headers
                ) as answer:
                    newest = int((await answer.json())["metadata"]["resourceVersion"])
            with anyio.fail_after(20):
                while healthy.position < newest:
                    await anyio.sleep(0.01)
        grown = cost_of(server.pid).resident - before
        assert grown <= stuck * 4 * 2**20
        for answer in answers:
            assert await told_of_the_end(answer) < newest
    assert len(healthy.seen) >= 1500


async def told_of_the_end(answer: aiohttp.ClientResponse) -> int:
    """What a stuck watcher reads at last: some of the past, then 410. Answers the last revision."""
    last = 0
    try:
        async for line in answer.content:
            last = max(last, change_of(orjson.loads(line)).revision)
    except Expired:
        return last
    finally:
        answer.close()
    raise AssertionError("it was told everything, or left without a word")
