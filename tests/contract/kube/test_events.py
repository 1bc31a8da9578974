"""Events reach the server, counted and never in anybody's way."""

from typing import Any

import anyio
import pytest
from tests.contract.kube.server import SmallServer, status
from tests.contract.kube.test_client import MAP, config_map

from virtdeck.basis.clock import SystemClock
from virtdeck.kube.client import Client
from virtdeck.kube.events import WAITING, EventRecorder
from virtdeck.kube.plans import EventNote

pytestmark = pytest.mark.anyio
NOTE = EventNote("Warning", "Odd", "something is odd")


def events(server: SmallServer) -> list[dict[str, Any]]:
    return [found for path, found in server.objects.items() if "/events/" in path]


async def until(server: SmallServer, count: int) -> dict[str, Any]:
    with anyio.fail_after(5):
        while True:
            found = events(server)
            if len(found) == 1 and found[0]["count"] == count:
                return found[0]
            await anyio.sleep(0.005)


async def test_a_repeat_counts_up_the_first_event(client: Client, server: SmallServer) -> None:
    about = await client.create(MAP, config_map("a"), "ns")
    recorder = EventRecorder(client, SystemClock(), "tester", "host")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(recorder.run)
        recorder.record(MAP, about, NOTE)
        made = await until(server, 1)
        recorder.record(MAP, about, NOTE)
        await until(server, 2)
        tasks.cancel_scope.cancel()
    assert made["involvedObject"] == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "name": "a",
        "namespace": "ns",
        "uid": about.metadata.uid,
        "resourceVersion": about.metadata.resource_version,
    }
    assert (made["type"], made["reason"], made["message"]) == ("Warning", "Odd", "something is odd")
    assert made["source"] == {"component": "tester", "host": "host"}


async def test_an_event_that_the_server_has_aged_out_is_made_anew(
    client: Client, server: SmallServer
) -> None:
    about = await client.create(MAP, config_map("a"), "ns")
    recorder = EventRecorder(client, SystemClock(), "tester")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(recorder.run)
        recorder.record(MAP, about, NOTE)
        await until(server, 1)
        for path in [path for path in server.objects if "/events/" in path]:
            del server.objects[path]
        recorder.record(MAP, about, NOTE)
        await until(server, 2)
        tasks.cancel_scope.cancel()


async def test_an_event_that_cannot_be_written_is_left(client: Client, server: SmallServer) -> None:
    about = await client.create(MAP, config_map("a"), "ns")
    recorder = EventRecorder(client, SystemClock(), "tester")
    server.answers.append(status(403, "Forbidden"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(recorder.run)
        recorder.record(MAP, about, NOTE)
        recorder.record(MAP, about, EventNote("Normal", "Fine", "all is well"))
        assert (await until(server, 1))["reason"] == "Fine"
        tasks.cancel_scope.cancel()


async def test_recording_never_waits(client: Client, server: SmallServer) -> None:
    recorder = EventRecorder(client, SystemClock(), "tester")
    for number in range(WAITING + 50):
        recorder.record(MAP, config_map(f"m{number}"), NOTE)
