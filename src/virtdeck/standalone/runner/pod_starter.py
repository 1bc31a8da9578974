"""Brings one pod to life: volumes, network, bundle, container."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
import structlog
from anyio.abc import TaskGroup

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent
from virtdeck.crds.core.pod import Pod
from virtdeck.kube.client import Client
from virtdeck.standalone.runner.container_spec import Ground, container_spec
from virtdeck.standalone.runner.container_state import Running
from virtdeck.standalone.runner.containers import Containers
from virtdeck.standalone.runner.launch import Launch
from virtdeck.standalone.runner.networks import Networks, PodNetwork
from virtdeck.standalone.runner.pulls import Pulls, Waiting
from virtdeck.standalone.runner.rootfs import lay_etc, lay_root
from virtdeck.standalone.runner.settings import RunnerSettings
from virtdeck.standalone.runner.volume_files import read_files
from virtdeck.standalone.runner.volumes import Sources, lay_volumes

_SOURCE_SECONDS = 2.0  # how soon a secret or config map is seen by a pod that waits for it

_log = structlog.get_logger()


@dataclass(frozen=True)
class Started:
    """The pod's container runs in this network."""

    container: Running
    network: PodNetwork


@dataclass(frozen=True)
class PodStarter:
    """Everything that starting takes."""

    settings: RunnerSettings
    client: Client
    containers: Containers
    networks: Networks
    pulls: Pulls
    clock: Clock

    async def start(self, pod: Pod, launch: Launch, tasks: TaskGroup) -> Started | Waiting:
        """The container runs, or something is not there yet.

        Raises: HostFault, Invalid, Unready; what was laid stays for the next attempt or for removal.
        """
        began = self.clock.monotonic()
        images = self._images(pod, launch, tasks)
        if isinstance(images, Waiting):
            return images
        files = await self._files(pod, launch)
        if isinstance(files, Waiting):
            return files
        uid = pod.metadata.uid
        await self.containers.clear(uid)
        network = await self.networks.acquire(uid)
        connected = self.clock.monotonic()
        await anyio.to_thread.run_sync(self._lay, pod, launch, network, Sources(files, images))
        laid = self.clock.monotonic()
        running = await self.containers.start(
            uid, self.clock.now().timestamp(), self._log_file(pod), self.settings.log_max_bytes
        )
        _log.info(
            "container_started",
            pod=pod.metadata.name,
            namespace=pod.metadata.namespace,
            pid=running.process.pid,
            network_ms=_ms(connected - began),
            files_ms=_ms(laid - connected),
            runc_ms=_ms(self.clock.monotonic() - laid),
        )
        return Started(running, network)

    def remove_logs(self, uid: str) -> None:
        """The pod's output is gone."""
        for folder in Path(self.settings.log_dir).glob(f"*_{uid}"):
            shutil.rmtree(folder, ignore_errors=True)

    def _log_file(self, pod: Pod) -> Path:
        meta = pod.metadata
        return (
            Path(self.settings.log_dir)
            / f"{meta.namespace}_{meta.name}_{meta.uid}"
            / f"{pod.spec.containers[0].name}.log"
        )

    def _images(self, pod: Pod, launch: Launch, tasks: TaskGroup) -> dict[str, str] | Waiting:
        found = {}
        for volume in launch.volumes:
            if volume.image is not None:
                answer = self.pulls.resolve(volume.image, pod.metadata.uid, tasks)
                if isinstance(answer, Waiting):
                    return answer
                found[volume.name] = answer
        return found

    async def _files(self, pod: Pod, launch: Launch) -> dict[str, Mapping[str, bytes]] | Waiting:
        found: dict[str, Mapping[str, bytes]] = {}
        for volume in launch.volumes:
            try:
                files = await read_files(self.client, pod, volume)
            except Absent as fault:
                return Waiting("CreateContainerConfigError", fault.message, _SOURCE_SECONDS)
            if files is not None:
                found[volume.name] = files
        return found

    def _lay(self, pod: Pod, launch: Launch, network: PodNetwork, sources: Sources) -> None:
        uid = pod.metadata.uid
        paths = lay_volumes(Path(self.settings.kubelet_dir) / "pods", uid, launch, sources)
        folder = self.containers.bundle(uid).parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ground = self._ground(folder, paths, network, uid)
        lay_root(folder / "root", ground.programs)
        lay_etc(folder / "etc", launch, network.addresses)
        self.containers.bundle(uid).mkdir(exist_ok=True)
        annotations = {"io.kubernetes.pod.name": pod.metadata.name, "io.kubernetes.pod.uid": uid}
        config = container_spec(launch, ground, annotations)
        (self.containers.bundle(uid) / "config.json").write_text(json.dumps(config))
        self._log_file(pod).parent.mkdir(mode=0o750, parents=True, exist_ok=True)

    def _ground(self, folder: Path, volumes: dict[str, str], network: PodNetwork, uid: str) -> Ground:
        settings = self.settings
        cache = Path(settings.state_dir) / "capabilities"
        programs = {settings.venv_dir, settings.source_dir}
        return Ground(
            root=str(folder / "root"),
            etc=str(folder / "etc"),
            program=(f"{settings.venv_dir}/bin/python", "-m", "virtdeck.launcher"),
            programs=tuple(sorted(path for path in programs if not path.startswith("/usr/"))),
            source=settings.source_dir,
            volumes=volumes,
            capabilities_cache=str(cache) if cache.is_dir() else "",
            network_namespace=network.path,
            cgroup=f"/{settings.cgroup}/{uid}",
            pids_limit=settings.pids_limit,
        )


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
