"""The real API server in a process of its own, and a plain HTTP client that hides nothing."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder, open_state

Obj = dict[str, Any]
JSON = "application/json"
_SOURCE = str(Path(__file__).parents[3] / "src")
MERGE = "application/merge-patch+json"


@dataclass
class Answer:
    """A whole response."""

    code: int
    headers: dict[str, str]
    raw: bytes
    warnings: list[str] = field(default_factory=list)

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


class Api:
    """Requests as one caller. user: file names of a certificate below pki, or a token."""

    def __init__(self, port: int, state: StateFolder, cert: str = "admin", token: str = "") -> None:
        self.port = port
        self.state = state
        self._token = token
        self.context = ssl.create_default_context(cafile=str(state.path("pki", "ca.crt")))
        if cert:
            self.context.load_cert_chain(state.path("pki", f"{cert}.crt"), state.path("pki", f"{cert}.key"))

    def connect(self, timeout: float = 10) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=timeout)

    def call(self, method: str, path: str, body: Any = None, headers: Obj | None = None) -> Answer:
        connection = self.connect()
        try:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            sent = {"Content-Type": JSON, **(headers or {})}
            if self._token:
                sent["Authorization"] = f"Bearer {self._token}"
            connection.request(method, path, data, sent)
            response = connection.getresponse()
            warnings = response.headers.get_all("warning") or []
            plain = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, plain, response.read(), warnings)
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.call(
            "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )

    def post(self, path: str, body: Any) -> Answer:
        return self.call("POST", path, body)

    def put(self, path: str, body: Any) -> Answer:
        return self.call("PUT", path, body)

    def patch(self, path: str, body: Any, kind: str = MERGE) -> Answer:
        return self.call("PATCH", path, body, {"Content-Type": kind})

    def delete(self, path: str, body: Any = None) -> Answer:
        return self.call("DELETE", path, body)

    def made(self, path: str, body: Any) -> Obj:
        """The object that was created; anything but 201 is a failure of the test."""
        answer = self.post(path, body)
        assert answer.code == 201, answer.raw
        found: Obj = answer.body
        return found

    @contextmanager
    def watch(self, path: str, timeout: float = 10) -> Iterator[Iterator[Obj]]:
        """The events of a watch as they come."""
        connection = self.connect(timeout)
        try:
            connection.request("GET", path + ("&" if "?" in path else "?") + "watch=1")
            response = connection.getresponse()
            assert response.status == 200, response.read()
            yield (json.loads(line) for line in iter(response.readline, b""))
        finally:
            connection.close()

    def eventually(self, path: str, code: int = 200, seconds: float = 5) -> Answer:
        """The first answer with this code."""
        end = time.monotonic() + seconds
        while True:
            answer = self.get(path)
            if answer.code == code or time.monotonic() > end:
                assert answer.code == code, answer.raw
                return answer
            time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """A state folder and the process that serves it."""

    def __init__(self, root: Path, **settings: Any) -> None:
        self.state = open_state(root)
        ensure_pki(self.state, "node1", "127.0.0.1")
        self.port = free_port()
        self.program = ["-m", "virtdeck.standalone.apiserver"]  # what Python runs, without its options
        self._process: subprocess.Popen[bytes] | None = None
        self._write(settings)

    def configure(self, **settings: Any) -> None:
        """The next start has these settings besides the usual ones."""
        self._write(settings)

    def _write(self, more: Obj) -> None:
        pki = {
            "tls_cert": "apiserver.crt",
            "tls_key": "apiserver.key",
            "client_ca": "ca.crt",
            "front_proxy_ca": "front-proxy-ca.crt",
            "front_proxy_cert": "front-proxy-client.crt",
            "front_proxy_key": "front-proxy-client.key",
            "webhook_cert": "apiserver-webhook-client.crt",
            "webhook_key": "apiserver-webhook-client.key",
        }
        settings = {name: str(self.state.path("pki", file)) for name, file in pki.items()} | {
            "bind": f"127.0.0.1:{self.port}",
            "store": str(self.state.path("apiserver", "store.sqlite")),
            "service_account_key": str(self.state.path("apiserver", "service-account.key")),
            "log_dir": str(self.state.path("log", "pods")),
            "audit_log": str(self.state.path("log", "audit.log")),
        }
        self.state.config("apiserver").write_text(json.dumps(settings | more))

    def run_to_end(self) -> subprocess.CompletedProcess[str]:
        """A process that is expected not to serve."""
        command = [sys.executable, *self.program, "--config"]
        return subprocess.run(
            [*command, str(self.state.config("apiserver"))],
            env={**os.environ, "PYTHONPATH": _SOURCE},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def start(self) -> None:
        """The process serves."""
        notify = self.state.path("run", "notify.sock")
        notify.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.bind(str(notify))
            channel.settimeout(20)
            command = [sys.executable, *self.program, "--config"]
            with self.state.log("apiserver").open("ab") as log:
                self._process = subprocess.Popen(
                    [*command, str(self.state.config("apiserver"))],
                    env={**os.environ, "NOTIFY_SOCKET": str(notify), "PYTHONPATH": _SOURCE},
                    stderr=log,
                )
            assert channel.recv(64) == b"READY=1"

    @property
    def pid(self) -> int:
        """Of the process that was started last."""
        assert self._process is not None
        return self._process.pid

    def wait_end(self, seconds: float = 20) -> int:
        """The process has ended by itself; its exit code, negative for a signal."""
        assert self._process is not None
        return self._process.wait(seconds)

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(10)

    def api(self, cert: str = "admin", token: str = "") -> Api:
        return Api(self.port, self.state, cert, token)

    def kubeconfig(self) -> Path:
        """A kubeconfig of the admin."""
        pki = self.state.path("pki")
        cluster = {"server": f"https://127.0.0.1:{self.port}", "certificate-authority": str(pki / "ca.crt")}
        user = {"client-certificate": str(pki / "admin.crt"), "client-key": str(pki / "admin.key")}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": cluster}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "c",
        }
        self.state.admin_kubeconfig.write_text(json.dumps(config))
        return self.state.admin_kubeconfig
