"""The two that are compared: how each is started, and how a client reaches it."""

import base64
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from e2e.cluster.certificates import Authority
from e2e.cluster.control_plane import running_control_plane
from tests.contract.apiserver.running import Running
from tests.differential.extension import SERVICE, Extension


@dataclass(frozen=True)
class Server:
    """A running API server, the authority that it trusts, and what it may call."""

    port: int
    authority: Authority
    extension: Extension
    folder: Path
    # Areas are played side by side, and a certificate is made once.
    _signing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def variables(self) -> dict[str, str]:
        """What the script may say of this server, and never sees in an answer."""
        bundle = base64.b64encode(self.authority.own.crt.read_bytes()).decode()
        return {
            "ca": bundle,
            "port": str(self.extension.port),
            "extension": f"localhost:{self.extension.port}",
            "server": self.url,
        }

    def context(self, user: str, groups: tuple[str, ...]) -> ssl.SSLContext:
        """TLS as this user; without a certificate when the name is empty."""
        context = ssl.create_default_context(cafile=str(self.authority.own.crt))
        if user:
            with self._signing:
                found = self.authority.client(f"judge-{user.replace(':', '-')}", user, groups)
            context.load_cert_chain(found.crt, found.key)
        return context

    def kubeconfig(self, namespace: str) -> Path:
        """A kubeconfig of the administrator, for one namespace."""
        user = self.authority.client("judge-admin", "admin", ("system:masters",))
        cluster = {"server": self.url, "certificate-authority": str(self.authority.own.crt)}
        keys = {"client-certificate": str(user.crt), "client-key": str(user.key)}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": cluster}],
            "users": [{"name": "u", "user": keys}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": namespace}}],
            "current-context": "c",
        }
        path = self.folder / f"{namespace}.kubeconfig"
        path.write_text(json.dumps(config))
        return path


@contextmanager
def ours(folder: Path) -> Iterator[Server]:
    """virtdeck's API server in a process of its own."""
    running = Running(folder / "state")
    authority = Authority(running.state.path("pki"))
    extension = Extension(authority)
    service = {".".join(reversed(SERVICE)): f"127.0.0.1:{extension.port}"}
    running.configure(service_resolver=service)
    running.start()
    try:
        yield Server(running.port, authority, extension, folder)
    finally:
        running.stop()
        extension.close()


@contextmanager
def real(folder: Path) -> Iterator[Server]:
    """A real Kubernetes: its programs are built where they were not yet."""
    with running_control_plane(folder / "cluster") as plane:
        extension = Extension(plane.authority)
        try:
            yield Server(plane.ports.api, plane.authority, extension, folder)
        finally:
            extension.close()
