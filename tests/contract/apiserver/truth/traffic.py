"""Random writers over a few objects, so that they meet, and what is asked of everything they recorded."""

import random
import time
from dataclasses import dataclass, field
from math import inf

import anyio
from tests.contract.apiserver.running import Running
from tests.contract.apiserver.truth import linear, watch_properties
from tests.contract.apiserver.truth.client import Client, Notes
from tests.contract.apiserver.truth.history import Filter, Key, Past
from tests.contract.apiserver.truth.recorder import Recorder, read_past, recording, wait_told

NAMESPACES = ("truth-a", "truth-b")
FILTERS = (
    Filter(),
    Filter(namespace="truth-a"),
    Filter(label=("side", "left")),
    Filter(namespace="truth-b", label=("side", "right")),
)
_NAMES = 6


@dataclass
class Run:
    """One recorded run against one server. start: the revision before anything happened."""

    server: Running
    start: int
    notes: Notes = field(default_factory=Notes)
    recorders: list[Recorder] = field(default_factory=list)

    async def past(self, client: Client) -> Past:
        """The whole past of this run, up to a write that marks its end."""
        key = (NAMESPACES[0], f"end-{next(self.notes.number)}")
        with anyio.fail_after(20):
            while not (mark := await client.create(key)).revision:
                await anyio.sleep(0.05)
        return await read_past(client, self.start, mark.revision)

    async def faults(self, client: Client) -> list[str]:
        """Everything that the requests' answers and the watchers' events say against the server."""
        past = await self.past(client)
        await wait_told(self.recorders, past)
        end = past.changes[-1].revision
        found = linear.faults_of(self.notes.requests, past)
        for recorder in self.recorders:
            found += watch_properties.faults_of(recorder.watched(end), past)
        return found


def begin(server: Running) -> Run:
    """A run on a server that has the namespaces."""
    api = server.api()
    for name in NAMESPACES:
        api.post("/api/v1/namespaces", {"metadata": {"name": name}})
        api.eventually(f"/api/v1/namespaces/{name}/configmaps/kube-root-ca.crt")
    return Run(server, int(api.get("/api/v1/configmaps").body["metadata"]["resourceVersion"]))


def watchers(run: Run, client: Client, copies: int = 1) -> list[Recorder]:
    """Recorders of every filter, from the run's begin on."""
    made = [
        Recorder(client, f"watcher {number}/{copy}", run.start, filter)
        for copy in range(copies)
        for number, filter in enumerate(FILTERS)
    ]
    run.recorders += made
    return made


async def write_randomly(client: Client, seed: int, until: float = inf, pace_seconds: float = 0.0) -> None:
    """One writer that goes on until that time (monotonic), or until the server is gone."""
    dice = random.Random(seed)
    while time.monotonic() < until:
        code = await _one_write(client, dice, _some_key(dice))
        if code is None:
            return
        if code >= 500:
            await anyio.sleep(0.01)
        await anyio.sleep(pace_seconds)


def _some_key(dice: random.Random) -> Key:
    return dice.choice(NAMESPACES), f"n{dice.randrange(_NAMES)}"


async def _one_write(client: Client, dice: random.Random, key: Key) -> int | None:
    labels = {"side": dice.choice(("left", "right", "none"))}
    match dice.choice(("create", "update", "update", "patch", "patch", "delete", "get", "list")):
        case "create":
            request = await client.create(key, labels)
        case "update":
            request = await client.get(key)
            if request.code == 200:
                request = await client.update(key, request.revision, labels)
        case "patch":
            request = await client.patch(key, labels)
        case "delete":
            request = await client.delete(key)
        case "get":
            request = await client.get(key)
        case _:
            request = await client.list(key[0])
    return request.code


async def run_writers(run: Run, writers: int, seed: int, seconds: float = inf, pace: float = 0.0) -> None:
    """Writers have written for so long, or until the server went away."""
    until = time.monotonic() + seconds
    async with anyio.create_task_group() as group:
        for number in range(writers):
            group.start_soon(_writer, run, seed * 1000 + number, until, pace)


async def _writer(run: Run, seed: int, until: float, pace: float) -> None:
    async with Client(run.server, run.notes, f"w{seed}-") as client:
        await write_randomly(client, seed, until, pace)


async def recorded(run: Run, writers: int, seconds: float, seed: int = 1) -> list[str]:
    """The faults of an undisturbed run."""
    async with Client(run.server, run.notes, "end-") as client, recording(watchers(run, client)):
        await run_writers(run, writers, seed, seconds)
        return await run.faults(client)
