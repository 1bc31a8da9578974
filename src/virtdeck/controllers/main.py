"""Composes virt-controller: caches, queues, one reconcile loop a kind."""

import argparse
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import anyio
import structlog

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.errors import Invalid, Lost
from virtdeck.basis.logging import configure_logging
from virtdeck.basis.notify import notify_ready
from virtdeck.basis.settings import load_settings
from virtdeck.basis.stopping import cancel_on_signal
from virtdeck.controllers.bundled.reconciler import KINDS as BUNDLED
from virtdeck.controllers.bundled.reconciler import BundleReconciler
from virtdeck.controllers.caches import Caches, build_caches
from virtdeck.controllers.node.reconciler import NodeReconciler
from virtdeck.controllers.pool.reconciler import PoolReconciler
from virtdeck.controllers.replica_set.reconciler import ReplicaSetReconciler
from virtdeck.controllers.settings import Settings
from virtdeck.controllers.vm.reconciler import VmReconciler
from virtdeck.controllers.vmi.pod import LauncherSettings
from virtdeck.controllers.vmi.reconciler import VmiReconciler
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.kubeconfig import load_access
from virtdeck.kube.lease import LeaseTerms, lead
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.reconcile import ReconcileLoop

COMPONENT = "virt-controller"

_log = structlog.get_logger()


class Controllers:
    """All reconcile loops of the process, joined to their caches."""

    def __init__(self, client: Client, settings: Settings) -> None:
        clock = SystemClock()
        launcher = LauncherSettings(settings.launcher_image, settings.launcher_uid, settings.launcher_gid)
        vm_keys, vmi_keys, node_keys, pool_keys, set_keys, bundle_keys = (
            WorkQueue[Key](clock) for _ in range(6)
        )
        self._client = client
        self._workers = settings.workers
        self.caches: Caches = build_caches(settings.namespace)
        self.recorder = EventRecorder(client, clock, COMPONENT, socket.gethostname())
        self.vms = VmReconciler(client, self.caches, vm_keys, clock)
        self.vmis = VmiReconciler(client, self.caches, launcher, vmi_keys, clock)
        self.nodes = NodeReconciler(self.caches, node_keys, clock)
        self.pools = PoolReconciler(client, self.caches, pool_keys, clock)
        self.replica_sets = ReplicaSetReconciler(client, self.caches, set_keys, clock)
        self.bundle = BundleReconciler(client, self.caches, bundle_keys)
        self._loops = (
            self._loop(self.vms, self.caches.vms, vm_keys),
            self._loop(self.vmis, self.caches.vmis, vmi_keys),
            self._loop(self.nodes, self.caches.nodes, node_keys),
            self._loop(self.pools, self.caches.pools, pool_keys),
            self._loop(self.replica_sets, self.caches.replica_sets, set_keys),
            self._loop(self.bundle, self.caches.installations, bundle_keys),
        )

    def _loop(
        self, reconciler: Any, cache: Cache[Any], queue: WorkQueue[Key]
    ) -> ReconcileLoop[Any, Any, Any]:
        return ReconcileLoop(reconciler, self._client, cache, queue, self.recorder)

    async def follow(self) -> None:
        """Keeps the caches current and writes events, until cancelled."""
        async with anyio.create_task_group() as tasks:
            for cache in self.caches.each():
                tasks.start_soon(cache.run, self._client)
            tasks.start_soon(self.recorder.run)

    async def work(self) -> None:
        """Reconciles, from the moment that all caches are synced: before it, absence would mean nothing."""
        with ExitStack() as listening:
            for cache, listener in self._listeners():
                listening.enter_context(cache.listening(listener))
            for cache in self.caches.each():
                await cache.wait_synced()
            self._wake_all()
            _log.info("controllers_started", vms=len(self.caches.vms), vmis=len(self.caches.vmis))
            notify_ready()
            async with anyio.create_task_group() as tasks:
                for loop in self._loops:
                    tasks.start_soon(loop.run, self._workers)

    def _listeners(self) -> tuple[tuple[Cache[Any], Callable[[Any], None]], ...]:
        return (
            (self.caches.vms, self.vms.vm_changed),
            (self.caches.vmis, self.vms.vmi_changed),
            (self.caches.vmis, self.vmis.vmi_changed),
            (self.caches.pods, self.vmis.pod_changed),
            (self.caches.nodes, self.nodes.node_changed),
            *((cache, self.vms.instancetype_changed) for cache in self.caches.instancetypes.values()),
            *((self.caches.instancetypes[kind], self.bundle.instancetype_changed) for kind in BUNDLED),
            (self.caches.installations, self.bundle.installation_changed),
            (self.caches.installations, self.vms.installation_changed),
            (self.caches.pools, self.pools.pool_changed),
            (self.caches.vms, self.pools.vm_changed),
            (self.caches.vmis, self.pools.vmi_changed),
            (self.caches.replica_sets, self.replica_sets.replica_set_changed),
            (self.caches.vmis, self.replica_sets.vmi_changed),
        )

    def _wake_all(self) -> None:
        """Whatever was synced before the listeners came is looked at once."""
        for cache, listener in self._listeners():
            cache.replay(listener)


async def run(settings: Settings) -> None:
    """virt-controller, until SIGTERM or SIGINT."""
    async with open_client(load_access(settings.kubeconfig), COMPONENT) as client:
        controllers = Controllers(client, settings)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(cancel_on_signal, tasks.cancel_scope)
            tasks.start_soon(controllers.follow)
            if settings.leader_election:
                tasks.start_soon(partial(lead, client, _terms(settings), SystemClock(), controllers.work))
            else:
                tasks.start_soon(controllers.work)


def _terms(settings: Settings) -> LeaseTerms:
    return LeaseTerms(COMPONENT, settings.namespace, settings.identity or socket.gethostname())


def main() -> None:
    """The process's entry point."""
    parser = argparse.ArgumentParser(
        prog="virt-controller", description="Runs the controllers of virtual machines."
    )
    parser.add_argument("--config", required=True, help="settings as JSON")
    settings = load_settings(Settings, parser.parse_args().config)
    configure_logging(COMPONENT, settings.verbosity)
    try:
        anyio.run(run, settings)
    except* (Lost, Invalid) as faults:
        for fault in faults.exceptions:
            _log.error("ended", reason=type(fault).__name__, problem=str(fault))
        sys.exit(1)
