"""virt-api's webhooks as the API server calls them: over TLS, with its certificate, on kept connections."""

import json
import re
import socket
import ssl
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from bench.memory import cpu_seconds
from e2e.product import CHECKOUT, Product

FULL_VM = CHECKOUT / "tests" / "data" / "kubevirt" / "api-fixtures" / "kubevirt.io.v1.VirtualMachine.yaml"
PATHS = ("/virtualmachines-mutate", "/virtualmachines-validate")
_CONNECTIONS = 4  # the API server keeps a few
_ROUNDS = 400


@dataclass(frozen=True)
class Webhook:
    """One webhook. per_core_second: requests that one core can answer, from virt-api's own CPU time."""

    path: str
    p50_ms: float
    p95_ms: float
    per_second: float
    per_core_second: float


@dataclass(frozen=True)
class Refusal:
    """A body that is refused: how soon, and for how much CPU time of virt-api."""

    name: str
    code: int
    ms: float
    cpu_ms: float


class Caller:
    """One kept connection, a plain socket: what is measured is virt-api and not a client."""

    def __init__(self, state: Path) -> None:
        bind = json.loads((state / "config" / "gateway.json").read_text())["bind"]
        host, _, port = bind.rpartition(":")
        pki = state / "pki"
        context = ssl.create_default_context(cafile=str(pki / "component-ca.crt"))
        context.load_cert_chain(pki / "apiserver-webhook-client.crt", pki / "apiserver-webhook-client.key")
        plain = socket.create_connection((host, int(port)), timeout=30)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = context.wrap_socket(plain, server_hostname=host)
        self._received = self._socket.makefile("rb")

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """The answer's code and body."""
        head = f"POST {path} HTTP/1.1\r\nhost: virt-api\r\ncontent-type: application/json\r\n"
        self._socket.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        code = int(self._received.readline().split()[1])
        length = 0
        while (line := self._received.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return code, self._received.read(length)

    def close(self) -> None:
        """The connection is gone."""
        self._received.close()
        self._socket.close()


def measured_webhooks(product: Product) -> list[Webhook]:
    """Each webhook of virtual machines with KubeVirt's object that has every field."""
    return [_measured(product, path) for path in PATHS]


def measured_refusals(product: Product) -> list[Refusal]:
    """Bodies that are too large or nested too deeply."""
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    nested = review_of({"spec": "@"}).replace(b'"@"', deep)
    bodies = (
        ("4 MiB", b" " * (4 * 2**20)),
        ("a VM with 3 MB of text", review_of(full_vm() | {"status": {"text": "x" * 3_000_000}})),
        ("100,000 levels", nested),
    )
    return [_refused(product, name, body) for name, body in bodies]


def full_vm() -> dict[str, Any]:
    """KubeVirt's VirtualMachine with every field set."""
    vm: dict[str, Any] = yaml.safe_load(FULL_VM.read_text())
    del vm["metadata"]["deletionTimestamp"]
    # Naming an instance type makes virt-api ask the API server, which is another measurement.
    for matcher in ("instancetype", "preference"):
        del vm["spec"][matcher]
    return vm


def review_of(obj: dict[str, Any]) -> bytes:
    """What the API server asks about a new VirtualMachine."""
    kind = {"group": "kubevirt.io", "version": "v1", "kind": "VirtualMachine"}
    request = {"uid": "1", "operation": "CREATE", "kind": kind, "namespace": "default", "name": "full"}
    request |= {"userInfo": {"username": "bench"}, "object": obj}
    asked = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    return json.dumps(asked).encode()


def _measured(product: Product, path: str) -> Webhook:
    gateway = product.components()["gateway"]
    with closing(Caller(product.state)) as caller:
        alone = sorted(_timed(caller, path, review_of(full_vm()), _ROUNDS))[20:]
    before, started = cpu_seconds(gateway), time.monotonic()
    command = [sys.executable, "-m", "bench.admission", str(product.state), path]
    senders = [subprocess.Popen(command, cwd=CHECKOUT) for _ in range(_CONNECTIONS)]
    for sender in senders:
        if sender.wait(timeout=120) != 0:
            raise RuntimeError("a sender failed")
    seconds, cpu = time.monotonic() - started, cpu_seconds(gateway) - before
    count = _CONNECTIONS * _ROUNDS
    p95 = statistics.quantiles(alone, n=20)[-1]
    return Webhook(path, statistics.median(alone) * 1000, p95 * 1000, count / seconds, count / cpu)


def _timed(caller: Caller, path: str, body: bytes, rounds: int) -> Iterator[float]:
    for _ in range(rounds):
        started = time.perf_counter()
        code, answer = caller.post(path, body)
        if code != 200:
            raise RuntimeError(f"virt-api answered {code}: {answer[:200]!r}")
        yield time.perf_counter() - started


def _refused(product: Product, name: str, body: bytes) -> Refusal:
    gateway = product.components()["gateway"]
    with closing(Caller(product.state)) as caller:
        before, started = cpu_seconds(gateway), time.perf_counter()
        code, answer = caller.post(PATHS[1], body)
        seconds = time.perf_counter() - started
    if code == 200:
        found = re.search(rb'"code":(\d+)', answer)
        code = int(found[1]) if found else 200
    return Refusal(name, code, seconds * 1000, (cpu_seconds(gateway) - before) * 1000)


if __name__ == "__main__":
    with closing(Caller(Path(sys.argv[1]))) as sender:
        for _ in _timed(sender, sys.argv[2], review_of(full_vm()), _ROUNDS):
            pass
