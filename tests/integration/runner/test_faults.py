"""What dies is noticed, what lives is adopted, and a half-made pod is made or cleared, never doubled."""

import random
import shutil
import signal
from pathlib import Path

import anyio
import pytest
from tests.integration.runner.rig import Rig, kill_conmons, kill_launchers, pod
from tests.integration.runner.test_pods import NAMESPACE, delete, eventually, is_running, lines, run, until

from virtdeck.crds import kinds
from virtdeck.crds.core.pod import Pod
from virtdeck.kube.client import Client

pytestmark = [pytest.mark.root, pytest.mark.anyio]


def exit_of(found: Pod) -> tuple[int, str | None]:
    (status,) = found.status.container_statuses or ()
    assert status.state is not None
    assert status.state.terminated is not None
    return status.state.terminated.exit_code, status.state.terminated.reason


def has_failed(found: Pod) -> bool:
    return found.status.phase == "Failed"


def containers_of(rig: Rig, uid: str) -> int:
    """How many first processes of this pod's container there are."""
    folders = Path("/sys/fs/cgroup").glob(f"*/virtdeck-{rig.instance.id}/{uid}/cgroup.procs")
    return max((len(path.read_text().split()) for path in folders), default=0)


@pytest.mark.parametrize("seed", range(8))
async def test_a_runner_killed_while_it_starts_a_pod(rig: Rig, client: Client, seed: int) -> None:
    chance = random.Random(seed)
    name = f"half-made-{seed}"
    made = await client.create(kinds.POD, pod(name), NAMESPACE)
    await anyio.sleep(chance.uniform(0.0, 0.25))
    rig.stop("runner", signal.SIGKILL)
    rig.start("runner")
    found = await until(client, name, lambda found: is_running(found) or has_failed(found))
    assert is_running(found), found.status
    assert containers_of(rig, made.metadata.uid) == 1
    await delete(client, rig, found)


@pytest.mark.parametrize("seed", range(4))
async def test_a_runner_killed_while_it_removes_a_pod(rig: Rig, client: Client, seed: int) -> None:
    chance = random.Random(seed)
    found = await run(client, f"half-gone-{seed}")
    await client.delete(kinds.POD, found.metadata.name, NAMESPACE)
    await anyio.sleep(chance.uniform(0.0, 0.25))
    rig.stop("runner", signal.SIGKILL)
    rig.start("runner")
    with anyio.fail_after(20):
        await delete_seen_through(client, rig, found)


async def delete_seen_through(client: Client, rig: Rig, found: Pod) -> None:
    async def nothing() -> bool:
        if await client.get(kinds.POD, found.metadata.name, NAMESPACE) is not None:
            return False
        return not any(found.metadata.uid in text for texts in rig.host_traces().values() for text in texts)

    await eventually(nothing)


async def test_a_killed_launcher_fails_its_pod(rig: Rig, client: Client) -> None:
    found = await run(client, "killed")
    kill_launchers(rig)
    after = await until(client, "killed", has_failed)
    assert exit_of(after) == (137, "Error")
    await delete(client, rig, found)


async def test_a_killed_conmon_takes_no_container_along(rig: Rig, client: Client) -> None:
    found = await run(client, "unwatched")
    await lines(rig, found)  # what a program says afterwards has no reader any more
    kill_conmons(rig)
    rig.stop("runner", signal.SIGKILL)
    rig.start("runner")
    assert containers_of(rig, found.metadata.uid) == 1
    assert is_running(await until(client, "unwatched", is_running))
    kill_launchers(rig)
    after = await until(client, "unwatched", has_failed)
    assert exit_of(after) == (137, "ContainerStatusUnknown")
    await delete(client, rig, found)


async def test_after_a_reboot_pods_have_failed_and_addresses_are_free(rig: Rig, client: Client) -> None:
    found = await run(client, "before-reboot")
    rig.stop("runner", signal.SIGKILL)
    kill_conmons(rig)
    kill_launchers(rig)
    shutil.rmtree(f"/run/virtdeck-{rig.instance.id}")  # as /run is after a reboot
    rig.start("runner")
    after = await until(client, "before-reboot", has_failed)
    assert exit_of(after)[0] == 137
    await delete(client, rig, found)
    again = await run(client, "after-reboot")
    await delete(client, rig, again)


async def test_pods_by_the_dozen_have_each_their_own_address(rig: Rig, client: Client) -> None:
    names = [f"many-{number}" for number in range(12)]
    for name in names:
        await client.create(kinds.POD, pod(name), NAMESPACE)
    running = [await until(client, name, is_running, seconds=60) for name in names]
    assert len({found.status.pod_ip for found in running}) == len(names)
    for found in running:
        await client.delete(kinds.POD, found.metadata.name, NAMESPACE)
    for found in running:
        await delete_seen_through(client, rig, found)
