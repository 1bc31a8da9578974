"""A control plane of real Kubernetes on loopback: etcd, API server, controller manager; no nodes."""

import json
import shutil
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.cluster.certificates import Authority, Certificate, signing_key
from e2e.cluster.debian import install_packages
from e2e.cluster.processes import Processes
from e2e.cluster.programs import Programs, require_programs

_READY_SECONDS = 60.0
_RUN_PACKAGES = {"etcd-server": "the store of a real Kubernetes"}
_SERVICE_RANGE = "10.96.0.0/16"
_FIRST_SERVICE = "10.96.0.1"
# What the Service kubernetes points to: nobody dials it, and loopback is refused there.
_ADVERTISED = "192.0.2.1"


@dataclass(frozen=True)
class Ports:
    """Where the parts listen, all on loopback."""

    api: int
    etcd: int
    etcd_peer: int
    controllers: int

    @classmethod
    def free(cls) -> "Ports":
        probes = [socket.socket() for _ in range(4)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        ports = cls(*(probe.getsockname()[1] for probe in probes))
        for probe in probes:
            probe.close()
        return ports


class ControlPlane:
    """One control plane in one folder; everything it writes lies there."""

    def __init__(self, folder: Path, programs: Programs | None = None) -> None:
        self.folder = folder.absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.programs = programs or require_programs()
        self.processes = Processes(self.folder)
        self.authority = Authority(self.folder / "pki")
        self.ports = self._kept_ports()

    @property
    def kubeconfig(self) -> Path:
        """The administrator's."""
        return self.folder / "admin.kubeconfig"

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.ports.api}"

    def up(self) -> None:
        """It is ready, and every controller runs. Raises: TimeoutError, with where its log lies."""
        install_packages(_RUN_PACKAGES)
        admin = self.authority.client("admin", "admin", ("system:masters",))
        self.write_kubeconfig(self.kubeconfig, admin)
        self._start("etcd", self._etcd())
        self._start("apiserver", self._apiserver())
        self._wait_ready(admin)
        self._start("controllers", self._controllers())

    def down(self) -> None:
        """Nothing of it runs and its folder is gone."""
        self.processes.stop_all()
        shutil.rmtree(self.folder)

    def write_kubeconfig(self, path: Path, user: Certificate) -> None:
        """A kubeconfig with which kubectl and clients are this user."""
        cluster = {"server": self.url, "certificate-authority": str(self.authority.own.crt)}
        keys = {"client-certificate": str(user.crt), "client-key": str(user.key)}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": cluster}],
            "users": [{"name": "u", "user": keys}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "c",
        }
        path.write_text(json.dumps(config, indent=1))

    def _start(self, name: str, command: list[str | Path]) -> None:
        if not self.processes.pid(name):
            self.processes.start(name, command, self.folder)

    def _kept_ports(self) -> Ports:
        note = self.folder / "ports.json"
        if not note.exists():
            note.write_text(json.dumps(vars(Ports.free())))
        return Ports(**json.loads(note.read_text()))

    def _etcd(self) -> list[str | Path]:
        own, peer = (f"http://127.0.0.1:{port}" for port in (self.ports.etcd, self.ports.etcd_peer))
        return [
            "etcd",
            f"--data-dir={self.folder / 'etcd'}",
            f"--listen-client-urls={own}",
            f"--advertise-client-urls={own}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
        ]

    def _apiserver(self) -> list[str | Path]:
        names = ("127.0.0.1", _FIRST_SERVICE, "localhost", "kubernetes", "kubernetes.default.svc")
        serving = self.authority.server("apiserver", names)
        front = self.authority.client("front-proxy-client", "front-proxy-client")
        tokens = signing_key(self.folder / "pki", "service-account")
        return [
            self.programs["kube-apiserver"],
            f"--etcd-servers=http://127.0.0.1:{self.ports.etcd}",
            "--bind-address=127.0.0.1",
            f"--advertise-address={_ADVERTISED}",
            f"--secure-port={self.ports.api}",
            f"--tls-cert-file={serving.crt}",
            f"--tls-private-key-file={serving.key}",
            f"--client-ca-file={self.authority.own.crt}",
            f"--service-account-key-file={tokens.crt}",
            f"--service-account-signing-key-file={tokens.key}",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
            f"--service-cluster-ip-range={_SERVICE_RANGE}",
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction",
            "--allow-privileged",
            f"--requestheader-client-ca-file={self.authority.own.crt}",
            "--requestheader-allowed-names=front-proxy-client",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-username-headers=X-Remote-User",
            f"--proxy-client-cert-file={front.crt}",
            f"--proxy-client-key-file={front.key}",
        ]

    def _controllers(self) -> list[str | Path]:
        user = self.authority.client("controllers", "system:kube-controller-manager")
        kubeconfig = self.folder / "controllers.kubeconfig"
        self.write_kubeconfig(kubeconfig, user)
        return [
            self.programs["kube-controller-manager"],
            f"--kubeconfig={kubeconfig}",
            f"--service-account-private-key-file={self.folder / 'pki/service-account.key'}",
            f"--root-ca-file={self.authority.own.crt}",
            "--use-service-account-credentials",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.controllers}",
            f"--cert-dir={self.folder / 'pki'}",
            "--port=0",
        ]

    def _wait_ready(self, user: Certificate) -> None:
        context = ssl.create_default_context(cafile=str(self.authority.own.crt))
        context.load_cert_chain(user.crt, user.key)
        deadline = time.monotonic() + _READY_SECONDS
        while not _answers(f"{self.url}/readyz", context):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not ready in {_READY_SECONDS} s; see {self.processes.log('apiserver')}")
            time.sleep(0.1)


@contextmanager
def running_control_plane(folder: Path) -> Iterator[ControlPlane]:
    """A control plane for the time of the block; nothing is left of it afterwards."""
    plane = ControlPlane(folder)
    try:
        plane.up()
        yield plane
    finally:
        plane.down()


def _answers(url: str, context: ssl.SSLContext) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5, context=context) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
