"""Pods run, end and leave nothing, whatever happens to the runner."""

import json
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.integration.runner.rig import Rig, kill_launchers, pod

from virtdeck.crds import kinds
from virtdeck.crds.core.pod import Pod
from virtdeck.kube.client import Client
from virtdeck.standalone.images.importing import import_disk
from virtdeck.standalone.images.store import ImageStore

pytestmark = [pytest.mark.root, pytest.mark.anyio]
NAMESPACE = "default"


async def until(client: Client, name: str, met: Callable[[Pod], bool], seconds: float = 20.0) -> Pod:
    """The pod as soon as ``met`` is true of it."""
    seen: Pod | None = None
    with anyio.move_on_after(seconds):
        listing = await client.list(kinds.POD, NAMESPACE, field_selector=f"metadata.name={name}")
        for found in listing:
            seen = found
            if met(found):
                return found
        version = listing.resource_version
        async for event in client.watch(
            kinds.POD, NAMESPACE, resource_version=version, field_selector=f"metadata.name={name}"
        ):
            if event.object is not None and event.type != "DELETED":
                seen = event.object
                if met(seen):
                    return seen
    raise AssertionError(f"{name} never came so far; last seen: {seen and seen.status}")


async def eventually(met: Callable[[], Awaitable[bool]], seconds: float = 20.0) -> None:
    with anyio.fail_after(seconds):
        while not await met():
            await anyio.sleep(0.05)


async def gone(client: Client, rig: Rig, name: str, uid: str) -> None:
    """The pod is deleted and nothing of it is left on the host."""

    async def nothing() -> bool:
        if await client.get(kinds.POD, name, NAMESPACE) is not None:
            return False
        found = rig.host_traces()
        return not any(uid in text for texts in found.values() for text in texts)

    await eventually(nothing)


def condition(pod: Pod, kind: str) -> str:
    return next((found.status for found in pod.status.conditions or () if found.type == kind), "")


def is_running(pod: Pod) -> bool:
    return pod.status.phase == "Running"


def output(rig: Rig, pod: Pod) -> list[str]:
    meta = pod.metadata
    log = rig.state.path("log/pods", f"{meta.namespace}_{meta.name}_{meta.uid}", "compute.log")
    return [line.split(" ", 3)[3] for line in log.read_text().splitlines()]


async def lines(rig: Rig, pod: Pod, count: int = 1) -> list[str]:
    async def there() -> bool:
        try:
            return len(output(rig, pod)) >= count
        except FileNotFoundError:
            return False

    await eventually(there)
    return output(rig, pod)


async def run(client: Client, name: str, *args: str, **changes: Any) -> Pod:
    await client.create(kinds.POD, pod(name, *args, **changes), NAMESPACE)
    return await until(client, name, is_running)


async def delete(client: Client, rig: Rig, found: Pod) -> None:
    await client.delete(kinds.POD, found.metadata.name, NAMESPACE)
    await gone(client, rig, found.metadata.name, found.metadata.uid)


async def test_a_pod_runs_confined_and_leaves_nothing(rig: Rig, client: Client, tmp_path: Path) -> None:
    disk = tmp_path / "a.raw"
    disk.write_bytes(b"\x33" * 4096)
    import_disk(ImageStore(rig.state.path("images")), disk, "test/disk", lambda _: None)
    secret = {"metadata": {"name": "s1"}, "data": {"user-data": "aGVsbG8="}}
    await client.create(kinds.SECRET, {"apiVersion": "v1", "kind": "Secret"} | secret, NAMESPACE)
    volumes = [
        {"name": "private", "emptyDir": {}},
        {"name": "image", "image": {"reference": "test/disk"}},
        {"name": "secret", "secret": {"secretName": "s1"}},
    ]
    mounts = [{"name": name, "mountPath": f"/run/{name}"} for name in ("private", "image", "secret")]
    found = await run(client, "confined", "--name", "x", volumes=volumes, container={"volumeMounts": mounts})
    seen = json.loads((await lines(rig, found))[0])
    assert (seen["uid"], seen["gid"], seen["pid"], seen["args"]) == (64055, 108, 1, ["--name", "x"])
    assert (seen["effective"], seen["bounding"]) == ("0" * 16, "0" * 16)
    assert (seen["no_new_privs"], seen["seccomp"]) == ("1", "2")
    assert seen["hostname"] == "confined"
    assert seen["volumes"] == {"/run/private": [], "/run/image": ["disk"], "/run/secret": ["user-data"]}
    assert found.status.pod_ip in seen["files"]["/etc/hosts"]
    assert len(seen["descriptors"]) == 4  # stdin, stdout, stderr and the listing itself
    assert {
        condition(found, kind) for kind in ("PodScheduled", "Initialized", "ContainersReady", "Ready")
    } == {"True"}
    assert (found.status.pod_ips or ())[0].ip == found.status.pod_ip
    private = rig.state.path("kubelet/pods", found.metadata.uid, "volumes/kubernetes.io~empty-dir/private")
    assert (private.stat().st_uid, private.stat().st_mode & 0o777) == (64055, 0o700)
    await delete(client, rig, found)


@pytest.mark.parametrize(
    "attempt",
    [
        "os.mkdir('/etc/x')",
        "os.mkdir('/usr/x')",
        "os.mkdir('/x')",
        "open('/proc/sysrq-trigger', 'w')",
        "open('/proc/sys/kernel/hostname', 'w').write('x')",
        "os.mknod('/tmp/null', 0o20666, os.makedev(1, 3))",
        "os.setuid(0)",
        "open('/proc/kcore', 'rb').read(1).hex() or 1/0",
        "open('/dev/kvm', 'rb')",
        "os.open('/proc/1/root/etc/shadow', 0)",
    ],
)
async def test_a_container_is_refused(rig: Rig, client: Client, attempt: str) -> None:
    found = await run(client, f"attempt-{abs(hash(attempt)) % 100_000}", "--exec", attempt)
    result = (await lines(rig, found, 2))[1]
    assert "Error" in result
    await delete(client, rig, found)


async def test_readiness_waits_for_the_gates(rig: Rig, client: Client) -> None:
    gates = [{"conditionType": "kubevirt.io/virtual-machine-unpaused"}]
    found = await run(client, "gated", readinessGates=gates)
    assert (condition(found, "ContainersReady"), condition(found, "Ready")) == ("True", "False")
    gate = {"type": "kubevirt.io/virtual-machine-unpaused", "status": "True"}
    await client.strategic_patch(kinds.POD, "gated", NAMESPACE, {"status": {"conditions": [gate]}}, "status")
    found = await until(client, "gated", lambda pod: condition(pod, "Ready") == "True")
    await delete(client, rig, found)


@pytest.mark.parametrize(("code", "phase"), [("0", "Succeeded"), ("3", "Failed")])
async def test_the_exit_code_decides_the_phase(rig: Rig, client: Client, code: str, phase: str) -> None:
    await client.create(kinds.POD, pod(f"exit-{code}", "--exit", code), NAMESPACE)
    found = await until(client, f"exit-{code}", lambda pod: pod.status.phase in {"Succeeded", "Failed"})
    (status,) = found.status.container_statuses or ()
    assert status.state is not None
    assert status.state.terminated is not None
    assert (found.status.phase, status.state.terminated.exit_code) == (phase, int(code))
    await delete(client, rig, found)


async def test_a_pod_of_somebody_else_is_refused_with_a_reason(rig: Rig, client: Client) -> None:
    await client.create(
        kinds.POD, pod("foreign", container={"image": "nginx", "securityContext": {}}), NAMESPACE
    )
    found = await until(client, "foreign", lambda pod: pod.status.phase == "Failed")
    assert found.status.reason == "UnsupportedPod"
    assert "its image is nginx" in (found.status.message or "")
    await delete(client, rig, found)


async def test_more_memory_than_the_node_has_is_said_as_kubernetes_says_it(rig: Rig, client: Client) -> None:
    huge = {"resources": {"requests": {"memory": "900Ti"}}}
    await client.create(kinds.POD, pod("huge", container=huge), NAMESPACE)
    found = await until(client, "huge", lambda pod: condition(pod, "PodScheduled") == "False")
    told = next(found for found in found.status.conditions or () if found.type == "PodScheduled")
    assert (told.reason, told.message) == ("Unschedulable", "0/1 nodes are available: 1 Insufficient memory.")
    await client.delete(kinds.POD, "huge", NAMESPACE)


async def test_a_missing_image_says_how_to_get_it(rig: Rig, client: Client) -> None:
    volumes = [{"name": "private", "emptyDir": {}}]
    volumes.append({"name": "i", "image": {"reference": "none/such:1", "pullPolicy": "Never"}})
    await client.create(kinds.POD, pod("imageless", volumes=volumes), NAMESPACE)
    found = await until(client, "imageless", lambda pod: bool(pod.status.container_statuses))
    (status,) = found.status.container_statuses or ()
    assert status.state is not None
    assert status.state.waiting is not None
    assert status.state.waiting.reason == "ErrImageNeverPull"
    assert "virtdeck image pull none/such:1" in (status.state.waiting.message or "")
    await delete(client, rig, found)


async def test_a_stubborn_container_is_killed_when_its_grace_is_over(rig: Rig, client: Client) -> None:
    found = await run(client, "stubborn", "--stubborn", terminationGracePeriodSeconds=1)
    await delete(client, rig, found)


async def test_deleting_without_grace_leaves_nothing(rig: Rig, client: Client) -> None:
    found = await run(client, "forced", "--stubborn")
    await client.delete(kinds.POD, "forced", NAMESPACE, grace_seconds=0)
    await gone(client, rig, "forced", found.metadata.uid)


async def test_killing_the_runner_touches_no_container(rig: Rig, client: Client) -> None:
    found = await run(client, "survivor")
    before = rig.host_traces()["processes"]
    rig.stop("runner", signal.SIGKILL)
    assert rig.host_traces()["processes"] == before
    rig.start("runner")
    after = await until(client, "survivor", is_running)
    assert after.metadata.resource_version == found.metadata.resource_version
    await delete(client, rig, found)


async def test_what_ended_while_the_runner_was_dead_is_reported(rig: Rig, client: Client) -> None:
    found = await run(client, "ended-alone")
    rig.stop("runner", signal.SIGKILL)
    kill_launchers(rig)
    rig.start("runner")
    after = await until(client, "ended-alone", lambda pod: pod.status.phase == "Failed")
    (status,) = after.status.container_statuses or ()
    assert status.state is not None
    assert status.state.terminated is not None
    assert status.state.terminated.exit_code == 137
    await delete(client, rig, found)


async def test_a_pod_deleted_while_the_runner_was_dead_is_cleared(rig: Rig, client: Client) -> None:
    found = await run(client, "orphan")
    rig.stop("runner", signal.SIGKILL)
    await client.delete(kinds.POD, "orphan", NAMESPACE, grace_seconds=0)
    rig.start("runner")
    await gone(client, rig, "orphan", found.metadata.uid)


async def test_pods_reach_the_outside_under_the_hosts_address(rig: Rig, client: Client) -> None:
    table = await anyio.run_process(["nft", "list", "table", "inet", f"virtdeck-{rig.instance.id}"])
    assert f"ip saddr {rig.instance.pod_subnet}" in table.stdout.decode()
    assert "masquerade" in table.stdout.decode()


async def test_the_node_is_ready_and_renews_its_lease(rig: Rig, client: Client) -> None:
    node = await client.require(kinds.NODE, rig.instance.node_name)
    assert node.status is not None
    conditions = {found.type: found.status for found in node.status.conditions or ()}
    assert conditions["Ready"] == "True"
    assert set(node.status.allocatable or {}) >= {"cpu", "memory", "pods"}
    lease = await client.require(kinds.LEASE, rig.instance.node_name, "kube-node-lease")
    assert lease.spec is not None
    assert lease.spec.holder_identity == rig.instance.node_name


async def test_stopping_without_pods_leaves_nothing_on_the_host(rig: Rig, client: Client) -> None:
    assert not [pod for pod in await client.list(kinds.POD) if pod.spec.node_name]
    rig.stop("runner")
    assert rig.network_traces() == []
    rig.start("runner")
    found = await run(client, "after-all")
    await delete(client, rig, found)


async def test_a_pod_is_ready_when_its_probe_says_so(rig: Rig, client: Client) -> None:
    probe = {"tcpSocket": {"port": 8080}, "periodSeconds": 1, "initialDelaySeconds": 0}
    listen = "[__import__('socket').create_server(('', 8080)), __import__('time').sleep(60)]"
    found = await run(client, "probed", "--exec", listen, container={"readinessProbe": probe})
    found = await until(client, "probed", lambda pod: condition(pod, "Ready") == "True")
    await client.delete(kinds.POD, "probed", NAMESPACE, grace_seconds=0)
    await gone(client, rig, "probed", found.metadata.uid)
    never = {"tcpSocket": {"port": 9}, "periodSeconds": 1, "failureThreshold": 2}
    found = await run(client, "unwell", container={"livenessProbe": never})
    found = await until(client, "unwell", lambda pod: pod.status.phase == "Failed")
    await delete(client, rig, found)
