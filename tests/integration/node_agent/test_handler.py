"""The whole virt-handler against the embedded API server, with a pod's real folders and sockets."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from tests.integration.node_agent.conftest import LAUNCHER_UID, SOURCES, Pod

from virtdeck.basis.errors import Unready
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.install import Gateway, installation
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.standalone.bootstrap.main import apply
from virtdeck.standalone.components import LauncherUser, write_kubeconfigs, write_settings
from virtdeck.standalone.instance import Instance, choose_instance
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder, open_state

pytestmark = [pytest.mark.root, pytest.mark.anyio]

SECONDS = 20.0
DEMO = "demo"
DEFAULT = "default"


class Process:
    """One of virtdeck's processes, which tests may kill."""

    def __init__(self, module: str, state: StateFolder, name: str) -> None:
        self._command = [sys.executable, "-m", module, "--config", str(state.config(name))]
        self._log = state.path("log", f"{name}.log")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stderr=log, stdout=log, env=os.environ | {"PYTHONPATH": str(SOURCES)}
            )

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Cluster:
    """An API server with virt-handler beside it."""

    def __init__(self, state: StateFolder, instance: Instance, client: Client) -> None:
        self.state, self.instance, self.client = state, instance, client
        self.handler = Process("virtdeck.node_agent", state, "node-agent")

    async def see(self, holds: Callable[[VirtualMachineInstance], bool]) -> VirtualMachineInstance:
        """The VMI as soon as this holds of it."""
        with anyio.fail_after(SECONDS):
            found = await self.client.require(kinds.VMI, DEMO, DEFAULT)
            while not holds(found):
                watch = self.client.watch(
                    kinds.VMI, DEFAULT, resource_version=found.metadata.resource_version
                )
                async for event in watch:
                    if event.object is not None:
                        found = event.object
                    if holds(found):
                        break
            return found

    async def events(self, reason: str) -> list[str | None]:
        """The reasons of all events, as soon as this one is among them."""
        with anyio.fail_after(SECONDS):
            found = await self.client.list(kinds.EVENT, DEFAULT)
            told = [event.reason for event in found]
            if reason not in told:
                async for event in self.client.watch(
                    kinds.EVENT, DEFAULT, resource_version=found.resource_version
                ):
                    told += [event.object.reason] if event.object else []
                    if reason in told:
                        break
            return told

    async def writes_since(self, earlier: VirtualMachineInstance) -> int:
        """How often the VMI was written after this version."""
        count = 0
        with anyio.move_on_after(0.5):
            version = earlier.metadata.resource_version
            async for event in self.client.watch(kinds.VMI, DEFAULT, resource_version=version):
                count += event.object is not None
        return count

    async def schedule(
        self, pod: Pod, prepare: Callable[[Pod], None] | None = None, **spec: Any
    ) -> VirtualMachineInstance:
        """A VMI stands as virt-controller hands it over, its pod running."""
        domain = {
            "devices": {"interfaces": [{"name": "default", "masquerade": {}}]},
            "memory": {"guest": "128Mi"},
        }
        body = {
            "apiVersion": "kubevirt.io/v1",
            "kind": "VirtualMachineInstance",
            "metadata": {"name": DEMO, "labels": {"kubevirt.io/nodeName": self.instance.node_name},
                         "finalizers": ["kubevirt.io/foregroundDeleteVirtualMachine"]},
            "spec": {"domain": domain, "networks": [{"name": "default", "pod": {}}]} | spec,
        }  # fmt: skip
        made = await self.client.create(kinds.VMI, body, DEFAULT)
        pod.root = self.state.path("kubelet")
        pod.vmi_uid = made.metadata.uid
        pod.uid = await self._create_pod(pod.vmi_uid)
        pod.make_folders()
        if prepare is not None:
            prepare(pod)
        pod.start_launcher()
        status = {"phase": "Scheduled", "nodeName": self.instance.node_name, "activePods": {pod.uid: "n"}}
        return await self.client.merge_patch(kinds.VMI, DEMO, DEFAULT, {"status": status})

    async def _create_pod(self, vmi_uid: str) -> str:
        owner = {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "name": DEMO,
                 "uid": vmi_uid, "controller": True}  # fmt: skip
        body = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "virt-launcher-demo",
                "labels": {"kubevirt.io": "virt-launcher", "kubevirt.io/created-by": vmi_uid},
                "ownerReferences": [owner],
            },
            "spec": {"nodeName": self.instance.node_name, "containers": [{"name": "compute", "image": "x"}]},
        }
        pod = await self.client.create(kinds.POD, body, DEFAULT)
        status = {"phase": "Running", "podIP": "10.88.0.5", "podIPs": [{"ip": "10.88.0.5"}]}
        await self.client.merge_patch(kinds.POD, "virt-launcher-demo", DEFAULT, {"status": status}, "status")
        return pod.metadata.uid

    async def end_pod(self, code: int) -> None:
        """The kubelet says that the launcher's container has ended."""
        ended = {"name": "compute", "ready": False, "image": "x", "imageID": "x", "restartCount": 0,
                 "state": {"terminated": {"exitCode": code}}}  # fmt: skip
        status = {"phase": "Failed" if code else "Succeeded", "containerStatuses": [ended]}
        await self.client.merge_patch(kinds.POD, "virt-launcher-demo", DEFAULT, {"status": status}, "status")

    async def stop_vmi(self) -> None:
        """The VMI has its deletionTimestamp."""
        await self.client.delete(kinds.VMI, DEMO, DEFAULT)

    async def see_node(self, holds: Callable[[Any], bool]) -> Any:
        """The Node as soon as this holds of it."""
        with anyio.fail_after(SECONDS):
            node = await self.client.require(kinds.NODE, self.instance.node_name)
            while not holds(node):
                version = node.metadata.resource_version
                async for event in self.client.watch(kinds.NODE, resource_version=version):
                    if event.object is not None:
                        node = event.object
                        break
            return node


@pytest.fixture
async def cluster(kubelet_dir: Path) -> AsyncIterator[Cluster]:
    """Installed but for webhooks and aggregation, which need virt-api."""
    state = open_state(kubelet_dir / "state")
    instance = msgspec.structs.replace(choose_instance(state, "127.0.0.1:1"), apiserver_port=_free_port())
    ensure_pki(state, instance.node_name, "127.0.0.1")
    write_settings(state, instance, LauncherUser(LAUNCHER_UID, LAUNCHER_UID))
    write_kubeconfigs(state, instance)
    server = Process("virtdeck.standalone.apiserver", state, "apiserver")
    server.start()
    cluster: Cluster | None = None
    try:
        async with open_client(load_kubeconfig(state.admin_kubeconfig), "test") as client:
            await _wait_ready(client)
            await _install(client, instance)
            cluster = Cluster(state, instance, client)
            cluster.handler.start()
            yield cluster
    finally:
        if cluster is not None:
            cluster.handler.kill()
        server.kill()


async def _install(client: Client, instance: Instance) -> None:
    for wanted in installation(Gateway(ca_bundle="", url="https://127.0.0.1:1"), use_emulation=True):
        if not wanted["kind"].endswith("WebhookConfiguration") and wanted["kind"] != "APIService":
            await apply(client, wanted)
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": instance.node_name}}
    await client.create(kinds.NODE, node)


async def _wait_ready(client: Client) -> None:
    with anyio.fail_after(SECONDS):
        while True:
            try:
                if (await client.request("GET", "/readyz")).status == 200:
                    return
            except Unready:
                pass
            await anyio.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def phase(wanted: str) -> Callable[[VirtualMachineInstance], bool]:
    return lambda vmi: vmi.status.phase == wanted


async def test_a_scheduled_vmi_runs_after_one_write_that_tells_everything(
    cluster: Cluster, bare_pod: Pod
) -> None:
    scheduled = await cluster.schedule(bare_pod)
    running = await cluster.see(phase("Running"))
    assert running.status.interfaces is not None
    assert running.status.interfaces[0].ip_address == "10.88.0.5"
    assert {c.type for c in running.status.conditions or ()} >= {"LiveMigratable", "SoftwareEmulation"}
    assert await cluster.events("Started")
    assert "tap0" in bare_pod.network.links()
    assert (await cluster.writes_since(scheduled)) == 1


async def test_killing_virt_handler_changes_nothing_and_it_tells_the_truth_again(
    cluster: Cluster, bare_pod: Pod
) -> None:
    await cluster.schedule(bare_pod)
    running = await cluster.see(phase("Running"))
    cluster.handler.kill()
    cluster.handler.start()
    bare_pod.kill_launcher()
    await cluster.end_pod(137)
    failed = await cluster.see(phase("Failed"))
    assert failed.status.reason in {"LauncherLost", "PodFailed"}
    assert failed.metadata.uid == running.metadata.uid


async def test_a_killed_launcher_fails_the_vmi_at_once(cluster: Cluster, bare_pod: Pod) -> None:
    await cluster.schedule(bare_pod)
    await cluster.see(phase("Running"))
    bare_pod.kill_launcher()
    failed = await cluster.see(phase("Failed"))
    assert failed.status.reason == "LauncherLost"
    assert "Stopped" in await cluster.events("Stopped")


async def test_a_deleted_vmi_powers_off_and_its_launcher_may_go(cluster: Cluster, bare_pod: Pod) -> None:
    await cluster.schedule(bare_pod)
    await cluster.see(phase("Running"))
    await cluster.stop_vmi()
    await cluster.see(phase("Succeeded"))
    assert bare_pod.process is not None
    assert await anyio.to_thread.run_sync(lambda: bare_pod.process.wait(SECONDS)) == 0  # type: ignore[union-attr]


async def test_a_guest_that_ended_while_virt_handler_was_away_is_told_afterwards(
    cluster: Cluster, bare_pod: Pod
) -> None:
    await cluster.schedule(bare_pod)
    await cluster.see(phase("Running"))
    cluster.handler.kill()
    await cluster.stop_vmi()
    cluster.handler.start()
    await cluster.see(phase("Succeeded"))


async def test_a_disk_that_is_a_link_fails_the_vmi_with_its_reason(cluster: Cluster, bare_pod: Pod) -> None:
    def volumes(pod: Pod) -> None:
        disk = pod.image_volume("root") / "disk"
        disk.mkdir()
        (disk / "x").symlink_to("/etc/passwd")

    disks = [{"name": "root", "containerDisk": {"image": "demo"}}]
    await cluster.schedule(bare_pod, volumes, volumes=disks)
    failed = await cluster.see(phase("Failed"))
    assert failed.status.reason == "UnsafeDiskPath"
    assert await cluster.events("SyncFailed")


async def test_the_node_says_what_kvm_is_worth(cluster: Cluster) -> None:
    node = await cluster.see_node(lambda node: bool(node.status and node.status.conditions))
    kvm = next(c for c in node.status.conditions if c.type == "KVMUsable")
    assert kvm.status in {"True", "False"}
    assert kvm.message
    assert node.metadata.annotations["kubevirt.io/handler-endpoint"].startswith("https://127.0.0.1:")
    assert node.metadata.labels["kubevirt.io/schedulable"] == "true"
