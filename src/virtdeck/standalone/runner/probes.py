"""Asks containers whether they are well, as their probes say, always at the pod's own address."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
from anyio.abc import ByteStream, TaskGroup

from virtdeck.crds.core.handlers import HTTPGetAction
from virtdeck.crds.core.pod_containers import Container, ContainerProbe
from virtdeck.standalone.runner.processes import ProcessId, is_alive

_PERIOD_SECONDS = 10
_TIMEOUT_SECONDS = 1
_FAILURES = 3
_ANSWER_BYTES = 4096


@dataclass(frozen=True)
class Target:
    """The container that is asked. uid: its pod's."""

    uid: str
    container: Container
    address: str
    process: ProcessId


@dataclass
class Probes:
    """Who is well. told: called with a pod's uid when an answer turned; failed: when liveness was lost."""

    tasks: TaskGroup
    told: Callable[[str], None]
    failed: Callable[[Target], None]
    _ready: dict[str, bool] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)

    def is_ready(self, target: Target) -> bool:
        """The newest answer; without a readiness probe it is ready. The first call begins to ask."""
        if target.uid not in self._asked:
            self._asked.add(target.uid)
            self._begin(target)
        return self._ready.get(target.uid, target.container.readiness_probe is None)

    def forget(self, uid: str) -> None:
        """The pod's container has ended."""
        self._asked.discard(uid)
        self._ready.pop(uid, None)

    def _begin(self, target: Target) -> None:
        if target.container.readiness_probe is not None:
            self.tasks.start_soon(self._follow, target, target.container.readiness_probe, self._note_ready)
        if target.container.liveness_probe is not None:
            self.tasks.start_soon(self._follow, target, target.container.liveness_probe, self._note_alive)

    async def _follow(
        self, target: Target, probe: ContainerProbe, note: Callable[[Target, bool], None]
    ) -> None:
        """Asks until the container ends; a turn counts after as many equal answers as the probe says."""
        await anyio.sleep(probe.initial_delay_seconds or 0)
        streak = 0
        while is_alive(target.process):
            good = await asked(probe, target.container, target.address)
            streak = max(streak, 0) + 1 if good else min(streak, 0) - 1
            if streak >= (probe.success_threshold or 1):
                note(target, True)
            elif -streak >= (probe.failure_threshold or _FAILURES):
                note(target, False)
            await anyio.sleep(probe.period_seconds or _PERIOD_SECONDS)

    def _note_ready(self, target: Target, ready: bool) -> None:
        if target.uid in self._asked and self._ready.get(target.uid, False) != ready:
            self._ready[target.uid] = ready
            self.told(target.uid)

    def _note_alive(self, target: Target, alive: bool) -> None:
        if not alive and target.uid in self._asked:
            self.failed(target)


async def asked(probe: ContainerProbe, container: Container, address: str) -> bool:
    """The answer to the probe, now. A host in the probe is not dialled: only the pod is."""
    with anyio.move_on_after(probe.timeout_seconds or _TIMEOUT_SECONDS):
        try:
            if probe.tcp_socket is not None:
                stream = await anyio.connect_tcp(address, port_number(probe.tcp_socket.port, container))
                await stream.aclose()
                return True
            if probe.http_get is not None:
                return await _http(probe.http_get, container, address)
        except (OSError, anyio.BrokenResourceError, anyio.EndOfStream, ValueError):
            return False
    return False


def port_number(port: int | str, container: Container) -> int:
    """The port's number; a name is looked up among the container's ports. Raises: ValueError."""
    if isinstance(port, int) or port.isdigit():
        return int(port)
    for known in container.ports or ():
        if known.name == port:
            return known.container_port
    raise ValueError(f"the container has no port {port}")


async def _http(action: HTTPGetAction, container: Container, address: str) -> bool:
    port = port_number(action.port, container)
    stream: ByteStream
    if action.scheme == "HTTPS":  # as a kubelet: the certificate of a probe is not checked
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        stream = await anyio.connect_tcp(address, port, ssl_context=context, tls_standard_compatible=False)
    else:
        stream = await anyio.connect_tcp(address, port)
    async with stream:
        await stream.send(request(action, address, port))
        answer = await stream.receive(_ANSWER_BYTES)
    status = answer.split(b" ", 2)
    return len(status) > 1 and status[0].startswith(b"HTTP/") and 200 <= int(status[1]) < 400


def request(action: HTTPGetAction, address: str, port: int) -> bytes:
    """The request's bytes. Raises: ValueError for a path or header that would end its line."""
    headers = {"Host": f"{address}:{port}", "User-Agent": "kube-probe/virtdeck", "Connection": "close"}
    headers |= {header.name: header.value for header in action.http_headers or ()}
    path = action.path or "/"
    lines = [f"GET {path if path.startswith('/') else '/' + path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if any(character in line for line in lines for character in "\r\n"):
        raise ValueError("a probe's path or header holds a line break")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
