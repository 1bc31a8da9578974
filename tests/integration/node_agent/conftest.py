"""Pods for virt-handler's tests: real folders, namespaces, cgroups and processes."""

import contextlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

LAUNCHER_UID = pwd.getpwnam("nobody").pw_uid
CGROUPS = Path("/sys/fs/cgroup/pids")
LAUNCHER = Path(__file__).with_name("small_launcher.py")
SOURCES = Path(__file__).parents[3] / "src"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """As the product runs: uvloop differs where sockets are adopted and paused."""
    return "asyncio", {"use_uvloop": True}


def ip(*words: str, netns: str | None = None) -> str:
    inside = ["-n", netns] if netns else []
    return subprocess.run(["ip", *inside, *words], check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True)
class PodNetwork:
    """A pod's namespace with eth0 as CNI leaves it, the outside, and one to play the guest."""

    host: str
    netns: str
    guest: str

    def links(self) -> dict[str, Any]:
        return {link["ifname"]: link for link in json.loads(ip("-d", "-j", "address", netns=self.netns))}

    def shape(self) -> dict[str, Any]:
        """What should not change: a bridge's timers and link-local addresses do."""
        keys = ("ifindex", "mtu", "master", "address", "ifalias")
        return {
            name: {key: link.get(key) for key in keys}
            | {
                "inet": [a["local"] for a in link["addr_info"] if a["family"] == "inet"],
                "up": "UP" in link["flags"],
            }
            for name, link in self.links().items()
        }

    def rules(self) -> str:
        run = ["ip", "netns", "exec", self.netns, "nft", "-s", "list", "ruleset"]
        return subprocess.run(run, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def pod_network() -> Iterator[PodNetwork]:
    tag = f"vdna{os.getpid()}"
    made = PodNetwork(f"{tag}h", f"{tag}p", f"{tag}g")
    try:
        for name in (made.host, made.netns, made.guest):
            ip("netns", "add", name)
            ip("link", "set", "lo", "up", netns=name)
        ip("link", "add", "eth0", "type", "veth", "peer", "name", "up0", "netns", made.host, netns=made.netns)
        ip("link", "set", "eth0", "mtu", "1440", "up", netns=made.netns)
        ip("address", "add", "10.88.0.5/16", "dev", "eth0", netns=made.netns)
        ip("address", "add", "10.88.0.1/16", "dev", "up0", netns=made.host)
        ip("link", "set", "up0", "up", netns=made.host)
        ip("route", "add", "default", "via", "10.88.0.1", netns=made.netns)
        yield made
    finally:
        for name in (made.host, made.netns, made.guest):
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "delete", name)


@dataclass
class Pod:
    """A pod's folders and the process that plays its launcher."""

    root: Path
    network: PodNetwork
    uid: str = field(default_factory=lambda: str(uuid.uuid4()))
    vmi_uid: str = field(default_factory=lambda: str(uuid.uuid4()))
    process: subprocess.Popen[bytes] | None = None

    @property
    def volumes(self) -> Path:
        return self.root / "pods" / self.uid / "volumes"

    @property
    def private(self) -> Path:
        return self.volumes / "kubernetes.io~empty-dir" / "private"

    @property
    def cgroup(self) -> Path:
        return CGROUPS / f"virtdeck-test-{os.getpid()}" / f"pod{self.uid}"

    def make_folders(self) -> None:
        self.private.mkdir(parents=True)
        os.chown(self.private, LAUNCHER_UID, LAUNCHER_UID)
        self.cgroup.mkdir(parents=True)

    def image_volume(self, name: str) -> Path:
        """The folder of an image volume."""
        folder = self.volumes / "kubernetes.io~image" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def start_launcher(self, *, in_cgroup: bool = True, claims: str | None = None) -> None:
        """The launcher's process begins; it listens a moment later."""
        enter = ["nsenter", f"--net=/run/netns/{self.network.netns}", "setpriv", "--reuid", str(LAUNCHER_UID)]
        enter += ["--regid", str(LAUNCHER_UID), "--clear-groups"]
        words = [str(self.private), "demo", "default", claims or self.vmi_uid]
        self.process = subprocess.Popen(
            [*enter, sys.executable, str(LAUNCHER), *words], env={"PYTHONPATH": str(SOURCES)}
        )
        if in_cgroup:
            (self.cgroup / "cgroup.procs").write_text(str(self.process.pid))

    def kill_launcher(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def remove(self) -> None:
        """Nothing of the pod is left."""
        self.kill_launcher()
        for folder in (self.cgroup, self.cgroup.parent):
            with contextlib.suppress(OSError):
                folder.rmdir()


@pytest.fixture
def kubelet_dir() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="vdna-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def bare_pod(pod_network: PodNetwork, kubelet_dir: Path) -> Iterator[Pod]:
    """A pod whose uid is not known yet."""
    made = Pod(kubelet_dir, pod_network)
    yield made
    made.remove()


@pytest.fixture
def pod(bare_pod: Pod) -> Pod:
    bare_pod.make_folders()
    return bare_pod
