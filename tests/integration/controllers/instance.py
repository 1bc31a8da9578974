"""The real API server and the real virt-controller as processes, in a state folder of their own."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from virtdeck.install import Gateway, installation
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.standalone.bootstrap.main import apply
from virtdeck.standalone.components import LauncherUser, write_kubeconfigs, write_settings
from virtdeck.standalone.instance import Instance
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder, open_state

NODE = "n1"
_NOT_HERE = ("APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Process:
    """One process of the product, which a test may kill and start again."""

    module: str
    config: Path
    log: Path
    running: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        command = [sys.executable, "-m", self.module, "--config", str(self.config)]
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Ends it; answers its exit code."""
        if self.running is None:
            return 0
        with suppress(ProcessLookupError):
            self.running.send_signal(number)
        code = self.running.wait(10)
        self.running = None
        return code


@dataclass(frozen=True)
class Cluster:
    """An API server that serves, with everything installed but virt-api."""

    state: StateFolder
    apiserver: Process
    controllers: Process
    port: int

    @property
    def kubeconfig(self) -> Path:
        return self.state.admin_kubeconfig


def make_cluster(root: Path) -> Cluster:
    state, port = open_state(root), free_port()
    instance = Instance(
        id="abc123",
        listen="127.0.0.1:1",
        apiserver_port=port,
        gateway_port=1,
        handler_port=1,
        pod_subnet="10.99.0.0/24",
        node_name=NODE,
    )
    ensure_pki(state, NODE, "127.0.0.1")
    write_kubeconfigs(state, instance)
    write_settings(state, instance, LauncherUser(107, 107))
    _log_more(state.config("controllers"))
    apiserver, controllers = (
        Process(module, state.config(name), state.log(name))
        for name, module in (
            ("apiserver", "virtdeck.standalone.apiserver"),
            ("controllers", "virtdeck.controllers"),
        )
    )
    return Cluster(state, apiserver, controllers, port)


def _log_more(config: Path) -> None:
    config.write_text(json.dumps(json.loads(config.read_text()) | {"verbosity": "debug"}))


def wait_listening(port: int) -> None:
    """The port answers; Raises: TimeoutError after 20 s."""
    for _ in range(400):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on {port}")


async def install(cluster: Cluster) -> None:
    """CRDs, rights, the KubeVirt object and one node; admission is virt-api's and not here."""
    async with open_client(load_kubeconfig(cluster.kubeconfig), "test") as client:
        for wanted in installation(Gateway("none", url="https://127.0.0.1:1"), use_emulation=True):
            if wanted["kind"] not in _NOT_HERE:
                await apply(client, wanted)
        await make_node(client)


async def make_node(client: Client) -> None:
    labels = {"kubevirt.io/schedulable": "true", "kubernetes.io/arch": "amd64"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE, "labels": labels}}
    await client.request("POST", "/api/v1/nodes", body=node)


@contextmanager
def running(cluster: Cluster) -> Iterator[Cluster]:
    cluster.apiserver.start()
    try:
        wait_listening(cluster.port)
        yield cluster
    finally:
        cluster.controllers.kill()
        cluster.apiserver.kill(signal.SIGTERM)
