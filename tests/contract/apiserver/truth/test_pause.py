"""F-03: the server, a writer or a watcher stands still for a while; nobody acts on what is old by then."""

import os
import signal

import anyio
import pytest
from tests.contract.apiserver.running import Running
from tests.contract.apiserver.truth.client import Client
from tests.contract.apiserver.truth.conftest import Starter
from tests.contract.apiserver.truth.recorder import recording
from tests.contract.apiserver.truth.traffic import begin, run_writers, watchers

pytestmark = pytest.mark.anyio

PAUSE_SECONDS = float(os.environ.get("TRUTH_PAUSE_SECONDS", "2"))
LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"


async def test_paused_server_serves_nothing_stale_afterwards(own_server: Running) -> None:
    """F-03, I-01, I-02; TRUTH_PAUSE_SECONDS: how long."""
    run = begin(own_server)
    async with Client(own_server, run.notes, "end-") as client, recording(watchers(run, client)):
        async with anyio.create_task_group() as group:
            group.start_soon(run_writers, run, 4, 3, PAUSE_SECONDS + 1.0)
            await anyio.sleep(0.4)
            os.kill(own_server.pid, signal.SIGSTOP)
            await anyio.sleep(PAUSE_SECONDS)
            os.kill(own_server.pid, signal.SIGCONT)
        assert await run.faults(client) == []
    slowest = max(one.end - one.begin for one in run.notes.requests)
    assert slowest >= PAUSE_SECONDS * 0.9, "nobody was waiting while it stood still"


async def test_leader_that_stood_still_cannot_act(own_server: Running) -> None:
    """F-03: its writes are bound to a version of the lease that is no longer the newest, and are refused."""
    api = own_server.api()
    first = api.made(LEASES, {"metadata": {"name": "leader"}, "spec": {"holderIdentity": "a"}})
    taken = {**first, "spec": {"holderIdentity": "b"}}
    assert api.put(f"{LEASES}/leader", taken).code == 200
    renewed = api.put(f"{LEASES}/leader", {**first, "spec": {"holderIdentity": "a"}})
    assert (renewed.code, renewed.body["reason"]) == (409, "Conflict")
    assert api.get(f"{LEASES}/leader").body["spec"]["holderIdentity"] == "b"


async def test_stale_leader_acts_when_versions_are_not_checked(starter: Starter) -> None:
    """F-03: the guard switched off."""
    api = starter("off:versions").api()
    first = api.made(LEASES, {"metadata": {"name": "leader"}, "spec": {"holderIdentity": "a"}})
    assert api.put(f"{LEASES}/leader", {**first, "spec": {"holderIdentity": "b"}}).code == 200
    assert api.put(f"{LEASES}/leader", {**first, "spec": {"holderIdentity": "a"}}).code == 200
