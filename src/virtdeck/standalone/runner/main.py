"""Puts the pod runner together and runs it until SIGTERM."""

import argparse
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio
import structlog

from virtdeck.basis.clock import Clock, SystemClock
from virtdeck.basis.errors import VirtdeckError
from virtdeck.basis.logging import configure_logging
from virtdeck.basis.notify import notify_ready
from virtdeck.basis.settings import load_settings
from virtdeck.basis.stopping import cancel_on_signal
from virtdeck.crds import kinds
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.kubeconfig import load_access
from virtdeck.kube.queue import WorkQueue
from virtdeck.standalone.images.store import ImageStore
from virtdeck.standalone.runner.cni import Network
from virtdeck.standalone.runner.containers import Containers
from virtdeck.standalone.runner.leaving import leave_host
from virtdeck.standalone.runner.masquerade import open_the_way
from virtdeck.standalone.runner.networks import Networks
from virtdeck.standalone.runner.node import NodeKeeper
from virtdeck.standalone.runner.node_facts import NodeFacts, read_facts
from virtdeck.standalone.runner.pod_loop import BY_NODE, BY_UID, PodLoop, node_of, uid_of
from virtdeck.standalone.runner.pod_starter import PodStarter
from virtdeck.standalone.runner.pod_worker import PodWorker
from virtdeck.standalone.runner.probes import Probes, Target
from virtdeck.standalone.runner.processes import signal_process
from virtdeck.standalone.runner.pulls import Pulls
from virtdeck.standalone.runner.reboot import clear_after_reboot
from virtdeck.standalone.runner.scheduler import Scheduler
from virtdeck.standalone.runner.settings import RunnerSettings

_REGISTER_SECONDS = 1.0

_log = structlog.get_logger()


def main() -> int:
    """The process's exit code."""
    parser = argparse.ArgumentParser(prog="virtdeck.standalone.runner")
    parser.add_argument("--config", required=True)
    settings = load_settings(RunnerSettings, parser.parse_args().config)
    configure_logging("runner", settings.verbosity)
    try:
        anyio.run(run, settings, backend_options={"use_uvloop": True})
    except VirtdeckError as fault:
        _log.error("runner_failed", reason=fault.reason, problem=fault.message)
        return 1
    return 0


async def run(settings: RunnerSettings) -> None:
    """Runs pods until SIGTERM; what runs then goes on running, and when nothing does, nothing stays."""
    clock = SystemClock()
    facts = read_facts(settings.max_pods, settings.reserved_memory)
    subnets = tuple(subnet for subnet in (settings.pod_subnet, settings.pod_subnet6) if subnet)
    network = Network(f"vd-{settings.instance_id}", settings.bridge, subnets, str(settings.state / "cni"))
    networks = Networks(
        settings.state / "networks",
        Path(settings.cni_dir),
        network,
        f"vd-{settings.instance_id}-",
        settings.ready_networks,
    )
    containers = Containers(
        settings.runc, settings.conmon, settings.run, settings.state / "pods", settings.cgroup
    )
    if clear_after_reboot(settings.run, facts.boot_id):
        networks.forget_leases()
        containers.forget_all()
    open_the_way(f"virtdeck-{settings.instance_id}", settings.bridge, subnets)
    _compile(settings.source_dir)
    await networks.adopt()
    async with open_client(load_access(settings.kubeconfig), "virtdeck-runner") as client:
        await _serve(settings, client, clock, facts, networks, containers)
    if not networks.pods() and not containers.uids():
        await networks.discard_ready()
        leave_host(settings)


async def _serve(
    settings: RunnerSettings,
    client: Client,
    clock: Clock,
    facts: NodeFacts,
    networks: Networks,
    containers: Containers,
) -> None:
    pods = Cache(kinds.POD, indexes={BY_UID: uid_of, BY_NODE: node_of})
    nodes = Cache(kinds.NODE)
    queue: WorkQueue[str] = WorkQueue(clock)
    recorder = EventRecorder(client, clock, "virtdeck-runner", settings.node_name)
    store = ImageStore(settings.images_dir)
    pulls = Pulls(store, partial(_pull, store), queue.add, clock)
    starter = PodStarter(settings, client, containers, networks, pulls, clock)
    async with anyio.create_task_group() as tasks:
        worker = PodWorker(
            client=client,
            containers=containers,
            networks=networks,
            starter=starter,
            recorder=recorder,
            clock=clock,
            tasks=tasks,
            probes=Probes(tasks, queue.add, _end_unwell),
            look_again=queue.add_after,
            absorb=pods.absorb,
            host_ip=facts.address,
            image=settings.launcher_image,
        )
        loop = PodLoop(settings.node_name, pods, queue, worker, settings.workers)
        tasks.start_soon(cancel_on_signal, tasks.cancel_scope)
        for part in (partial(pods.run, client), partial(nodes.run, client), networks.run, recorder.run):
            tasks.start_soon(part)
        keeper = NodeKeeper(client, clock, settings.node_name, facts)
        await _register(keeper)
        tasks.start_soon(keeper.run)
        loop.queue_leftovers(containers, networks, Path(settings.kubelet_dir) / "pods")
        tasks.start_soon(loop.run)
        tasks.start_soon(Scheduler(client, clock, pods, nodes, recorder).run)
        await pods.wait_synced()
        notify_ready()
        _log.info("runner_ready", node=settings.node_name, pods=len(pods))


async def _register(keeper: NodeKeeper) -> None:
    """The Node is there; the API server may still be starting."""
    while True:
        try:
            await keeper.register()
        except VirtdeckError as fault:
            _log.warning("node_not_registered", reason=fault.reason, problem=fault.message)
            await anyio.sleep(_REGISTER_SECONDS)
        else:
            return


def _end_unwell(target: Target) -> None:
    """A container that failed its liveness probe is killed; its pod then fails."""
    _log.warning("liveness_lost", uid=target.uid, pid=target.process.pid)
    signal_process(target.process, signal.SIGKILL)


def _pull(store: ImageStore, reference: str) -> object:
    from virtdeck.standalone.images.pull import pull  # rarely used: it costs nothing until then

    return pull(store, reference, lambda text: _log.info("image_progress", image=reference, step=text))


def _compile(source: str) -> None:
    """Bytecode is written once here: containers see the sources read-only and would compile at each start."""
    with suppress(OSError):
        subprocess.Popen(
            [sys.executable, "-m", "compileall", "-q", str(Path(source, "virtdeck"))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
