"""Puts virt-handler together: the only place that constructs things."""

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import structlog

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.logging import configure_logging
from virtdeck.basis.notify import notify_ready
from virtdeck.basis.settings import load_settings
from virtdeck.crds import kinds
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.reconcile import ReconcileLoop
from virtdeck.kube.snapshot import Change
from virtdeck.node_agent.api.app import build_app
from virtdeck.node_agent.api.context import Api
from virtdeck.node_agent.api.sessions import Sessions
from virtdeck.node_agent.api.streams import STOPPED
from virtdeck.node_agent.host.facts import NodeFacts, read_cpu_vendor
from virtdeck.node_agent.host.kvm import find_verdict
from virtdeck.node_agent.host.publisher import publish_node
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.launchers.registry import open_launchers
from virtdeck.node_agent.settings import Settings
from virtdeck.node_agent.vmi.actions import Action
from virtdeck.node_agent.vmi.host import HostWatch
from virtdeck.node_agent.vmi.memory import Memory
from virtdeck.node_agent.vmi.reconciler import POD_BY_VMI, VmiReconciler
from virtdeck.node_agent.vmi.seen import Seen
from virtdeck.node_agent.vmi.starter import Starter
from virtdeck.serving.process import run
from virtdeck.serving.server import Server
from virtdeck.serving.tls import Tls

COMPONENT = "virt-handler"
CREATED_BY_LABEL = "kubevirt.io/created-by"
NODE_LABEL = "kubevirt.io/nodeName"
# Each start of a guest holds a worker for about 0.5 s, and waits more than it works.
_WORKERS = 16

log = structlog.get_logger()


def main() -> None:
    """Serves until a signal."""
    settings = load_settings(Settings, _config_path(sys.argv[1:]))
    configure_logging(COMPONENT, settings.verbosity)
    run(partial(serve, settings))


def _config_path(arguments: list[str]) -> str:
    match arguments:  # argparse would cost 1.3 MB for this one option
        case ["--config", path]:
            return path
    raise SystemExit("usage: python -m virtdeck.node_agent --config FILE")


async def serve(settings: Settings) -> None:
    """virt-handler runs until cancelled."""
    async with open_client(load_kubeconfig(settings.kubeconfig), COMPONENT) as client:
        await _Handler(settings, client).run()


class _Handler:
    """The parts of one virt-handler."""

    def __init__(self, settings: Settings, client: Client) -> None:
        node = settings.node_name
        self._settings = settings
        self._client = client
        self._clock = SystemClock()
        self._queue: WorkQueue[Key] = WorkQueue(self._clock)
        self._memory = Memory()
        self._sessions = Sessions()
        self._folders = PodFolders(settings.kubelet_dir)
        self._recorder = EventRecorder(client, self._clock, COMPONENT, node)
        self._vmis: Cache[VirtualMachineInstance] = Cache(kinds.VMI, label_selector=f"{NODE_LABEL}={node}")
        self._pods: Cache[Pod] = Cache(
            kinds.POD,
            label_selector="kubevirt.io=virt-launcher",
            field_selector=f"spec.nodeName={node}",
            indexes={POD_BY_VMI: _vmi_uids},
        )
        self._installations = Cache(kinds.KUBEVIRT, namespace=settings.namespace)

    async def run(self) -> None:
        """Works until cancelled."""
        kvm = await find_verdict(Path(self._settings.state_dir))
        opened = open_launchers(self._folders, self._settings.launcher_uid, self._launcher_changed)
        async with opened as launchers, anyio.create_task_group() as tasks:
            self._launchers = launchers
            caches: tuple[Cache[Any], ...] = (self._vmis, self._pods, self._installations)
            with self._vmis.listening(self._vmi_changed), self._pods.listening(self._pod_changed):
                for cache in caches:
                    tasks.start_soon(cache.run, self._client)
                tasks.start_soon(self._recorder.run)
                for cache in caches:
                    await cache.wait_synced()
                async with Server(build_app(self._api()), self._settings.bind, self._tls()) as server:
                    endpoint = self._settings.public_endpoint or server.url
                    facts = NodeFacts(endpoint, kvm, read_cpu_vendor())
                    tasks.start_soon(publish_node, self._client, self._settings.node_name, facts, self._clock)
                    tasks.start_soon(self._loop(HostWatch(kvm, self._installations)).run, _WORKERS)
                    notify_ready()
                    log.info(
                        "handler_started", node=self._settings.node_name, endpoint=endpoint, kvm=kvm.usable
                    )
                    await anyio.sleep_forever()

    def _loop(self, host: HostWatch) -> ReconcileLoop[Seen, Action, VirtualMachineInstance]:
        starter = Starter(self._launchers, self._folders, self._settings.launcher_uid, self._memory)
        reconciler = VmiReconciler(
            vmis=self._vmis,
            pods=self._pods,
            launchers=self._launchers,
            host=host,
            starter=starter,
            memory=self._memory,
            clock=self._clock,
        )
        return ReconcileLoop(reconciler, self._client, self._vmis, self._queue, self._recorder)

    def _api(self) -> Api:
        return Api(
            vmis=self._vmis,
            launchers=self._launchers,
            sessions=self._sessions,
            folders=self._folders,
            launcher_uid=self._settings.launcher_uid,
            memory=self._memory,
            clock=self._clock,
            wake=self._queue.add,
            record=partial(self._recorder.record, kinds.VMI),
        )

    def _tls(self) -> Tls:
        settings = self._settings
        return Tls(settings.tls_cert, settings.tls_key, settings.client_ca, require_client_cert=True)

    def _launcher_changed(self, key: Key) -> None:
        self._queue.add(key)
        vmi = self._vmis.get(key.namespace, key.name)
        view = self._launchers.view(vmi.metadata.uid) if vmi is not None else None
        if vmi is None or view is None:
            return
        if view.stage == "Ended" or (view.state is not None and view.state.phase == "Ended"):
            self._sessions.close_all(vmi.metadata.uid, *STOPPED)

    def _vmi_changed(self, change: Change[VirtualMachineInstance]) -> None:
        self._queue.add(change.key)
        if change.old is None or (change.new and change.new.metadata.uid == change.old.metadata.uid):
            return
        uid = change.old.metadata.uid
        self._launchers.forget(uid)
        self._memory.forget(uid)
        self._sessions.close_all(uid, STOPPED[0], "the virtual machine was deleted")

    def _pod_changed(self, change: Change[Pod]) -> None:
        for pod in (change.old, change.new):
            for owner in (pod and pod.metadata.owner_references) or ():
                if owner.kind == kinds.VMI.kind:
                    self._queue.add(Key(change.key.namespace, owner.name))


def _vmi_uids(pod: Pod) -> Iterable[str]:
    uid = (pod.metadata.labels or {}).get(CREATED_BY_LABEL)
    return (uid,) if uid else ()
