"""The two API servers that are compared: ours, and Kubernetes' own with etcd."""

import http.client
import json
import shutil
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from e2e.cluster.control_plane import ControlPlane
from tests.contract.apiserver.running import Running

Obj = dict[str, Any]
ROOT = Path(__file__).parents[1]
VMS = "/apis/kubevirt.io/v1/namespaces/default/virtualmachines"
_CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_ACCOUNT = "/api/v1/namespaces/default/serviceaccounts"
_BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"
_MANIFEST = ROOT / "src/virtdeck/crds/manifests/virtualmachines.kubevirt.io.yaml"


@dataclass
class Side:
    """One running server. folder: where its data lies; ready_seconds: from start to ready, empty."""

    name: str
    url: str
    context: ssl.SSLContext
    processes: tuple[int, ...]
    folder: Path
    ready_seconds: float
    token: str = field(default="")

    def call(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> bytes:
        """The answer's body. Raises: RuntimeError for anything but success."""
        host = self.url.removeprefix("https://")
        connection = http.client.HTTPSConnection(host, context=self.context, timeout=60)
        try:
            data = json.dumps(body) if body is not None else None
            connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            raw = answer.read()
        finally:
            connection.close()
        if answer.status >= 300:
            raise RuntimeError(f"{self.name}: {method} {path}: {answer.status} {raw[:300]!r}")
        return raw

    def memory(self) -> int:
        """PSS of all its processes in bytes."""
        rollups = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in self.processes)
        return sum(
            int(line.split()[1]) * 1024
            for text in rollups
            for line in text.splitlines()
            if line.startswith("Pss:")
        )

    def disk(self) -> int:
        """Bytes that its files take on the disk."""
        return sum(one.stat().st_blocks * 512 for one in self.folder.rglob("*") if one.is_file())

    def cpu_seconds(self) -> float:
        """What all its processes have used."""
        found = 0.0
        for pid in self.processes:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            found += (int(fields[11]) + int(fields[12])) / 100
        return found


@contextmanager
def ours(folder: Path) -> Iterator[Side]:
    """virtdeck's server, alone."""
    server = Running(folder)
    begun = time.monotonic()
    server.start()
    ready = time.monotonic() - begun
    try:
        data = server.state.path("apiserver")
        url = f"https://127.0.0.1:{server.port}"
        yield _prepared(Side("ours", url, server.api().context, (server.pid,), data, ready))
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def real(folder: Path) -> Iterator[Side]:
    """kube-apiserver with etcd, and the controllers that make its tokens."""
    plane = ControlPlane(folder)
    try:
        plane.up()  # the first also makes keys and installs packages
        plane.processes.stop_all()
        begun = time.monotonic()
        plane.up()
        ready = time.monotonic() - begun
        admin = plane.authority.client("admin", "admin", ("system:masters",))
        context = ssl.create_default_context(cafile=str(plane.authority.own.crt))
        context.load_cert_chain(admin.crt, admin.key)
        pids = tuple(pid for name in ("etcd", "apiserver") if (pid := plane.processes.pid(name)))
        yield _prepared(Side("kube-apiserver", plane.url, context, pids, folder / "etcd", ready))
    finally:
        plane.down()


def _prepared(side: Side) -> Side:
    """It serves VirtualMachines, and a token may do everything."""
    side.call("POST", _ACCOUNT, {"metadata": {"name": "bench"}})
    subject = {"kind": "ServiceAccount", "name": "bench", "namespace": "default"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
    side.call("POST", _BINDINGS, {"metadata": {"name": "bench"}, "roleRef": role, "subjects": [subject]})
    asked = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"expirationSeconds": 36000},
    }
    token = json.loads(side.call("POST", f"{_ACCOUNT}/bench/token", asked))
    side.token = token["status"]["token"]
    side.call("POST", _CRDS, yaml.safe_load(_MANIFEST.read_text()))
    deadline = time.monotonic() + 30
    while True:
        try:
            side.call("GET", VMS)
        except RuntimeError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return side
