"""F-02: the server dies at each named point, and what it said before stays true: I-01 and I-02."""

import os
import signal

import anyio
import pytest
from tests.contract.apiserver.running import Running
from tests.contract.apiserver.truth.client import Client
from tests.contract.apiserver.truth.conftest import Starter, switch
from tests.contract.apiserver.truth.recorder import recording
from tests.contract.apiserver.truth.switched import COPYING, POINTS, STARTING
from tests.contract.apiserver.truth.traffic import begin, run_writers, watchers

from virtdeck.standalone.apiserver.storage.backup import backup_path, verify

pytestmark = pytest.mark.anyio

FORGETTING = ("before-forgetting", "after-forgetting", "compacting")
SERVING = [point for point in POINTS if point not in STARTING + COPYING + FORGETTING]
SMALL_WINDOW = 20  # events, so that there is always something to forget
ROUNDS = int(os.environ.get("TRUTH_ROUNDS", "1"))


async def crash(server: Running, hit: int) -> list[str]:
    """Writers write until the server dies of its switch; it starts again without; what is found broken."""
    run = begin(server)
    os.kill(server.pid, signal.SIGUSR1)
    async with Client(server, run.notes, "end-") as client, recording(watchers(run, client)):
        await run_writers(run, writers=4, seed=hit, seconds=15)
        assert server.wait_end() == -signal.SIGKILL
        switch(server)
        await anyio.to_thread.run_sync(server.start)
        return await run.faults(client)


@pytest.mark.parametrize("round", range(ROUNDS))
@pytest.mark.parametrize("point", SERVING)
async def test_what_was_said_before_a_crash_stays_true(starter: Starter, point: str, round: int) -> None:
    """F-02, I-01, I-02. The point is proven hit: nothing else ends the process with its own SIGKILL."""
    hit = 40 + 37 * round
    assert await crash(starter(f"die:{point}:{hit}"), hit) == []


@pytest.mark.parametrize("point", FORGETTING)
async def test_what_was_said_before_a_crash_while_forgetting_stays_true(starter: Starter, point: str) -> None:
    """F-02, I-01. With a past so short watchers may be told 410: the newest state is what must be right."""
    server = starter(f"die:{point}:{5 if point == 'compacting' else 30}", watch_window_events=SMALL_WINDOW)
    run = begin(server)
    os.kill(server.pid, signal.SIGUSR1)
    await run_writers(run, writers=4, seed=1, seconds=15)
    assert server.wait_end() == -signal.SIGKILL
    newest = {
        one.key: one
        for one in run.notes.requests
        if one.revision and one.verb in ("create", "update", "patch")
    }
    assert newest
    switch(server)
    server.start()
    async with Client(server, run.notes) as client:
        for key, told in newest.items():
            found = await client.get(key)
            later = [one for one in run.notes.requests if one.key == key and one.end > told.begin]
            assert found.revision >= told.revision or any(one.verb == "delete" for one in later)


def test_crash_at_any_point_of_a_start_costs_nothing(starter: Starter) -> None:
    """F-02, I-01: five starts that die, and a sixth that serves what was written before the first."""
    server = starter()
    api = server.api()
    api.made("/api/v1/namespaces/default/configmaps", {"metadata": {"name": "kept"}, "data": {"v": "1"}})
    before = api.get("/api/v1/configmaps").body["metadata"]["resourceVersion"]
    server.kill()
    for point in STARTING:
        switch(server, f"die:{point}:1")
        assert server.run_to_end().returncode == -signal.SIGKILL
    switch(server)
    server.start()
    assert api.get("/api/v1/namespaces/default/configmaps/kept").body["data"] == {"v": "1"}
    assert int(api.get("/api/v1/configmaps").body["metadata"]["resourceVersion"]) >= int(before)


def test_crash_while_the_store_is_copied_leaves_store_and_copy_whole(starter: Starter) -> None:
    """F-02, F-09."""
    server = starter()
    server.api().made("/api/v1/namespaces/default/configmaps", {"metadata": {"name": "kept"}})
    server.kill()
    for point in COPYING:
        switch(server, f"die:{point}:{2 if point == 'copy-named' else 1}")  # the second sync is the folder's
        assert server.run_to_end().returncode == -signal.SIGKILL
    copy = backup_path(server.state.path("apiserver", "store.sqlite"))
    assert list(verify(copy)) != []
    switch(server)
    server.start()
    assert server.api().get("/api/v1/namespaces/default/configmaps/kept").code == 200
