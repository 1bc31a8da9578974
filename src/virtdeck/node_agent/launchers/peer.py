"""Whether the process behind a socket is of the pod that the socket's folder belongs to."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio

from virtdeck.basis.errors import Absent, HostFault, Invalid, Lost
from virtdeck.safety.openat2 import UnsafePath
from virtdeck.safety.paths import Directory
from virtdeck.safety.sockets import Peer

_PROC = Path("/proc")
_READ_BYTES = 64 * 1024


class PeerProcess:
    """A process by descriptors, which unlike a pid never mean another process later.

    A context manager that closes them. Raises: Lost when the process is gone.
    """

    def __init__(self, peer: Peer) -> None:
        self.pid = peer.pid
        self.uid = peer.uid
        try:
            self._proc = os.open(_PROC / str(peer.pid), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as fault:
            raise Lost(f"process {peer.pid} is gone") from fault
        try:
            self._pidfd = os.pidfd_open(peer.pid)
        except OSError as fault:
            os.close(self._proc)
            raise Lost(f"process {peer.pid} is gone") from fault

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The descriptors are given back; a second call does nothing."""
        if self._proc >= 0:
            os.close(self._proc)
            os.close(self._pidfd)
            self._proc = -1

    def require_pod(self, pod_uid: str) -> None:
        """The process is in a cgroup of this pod. Raises: UnsafePath when not, Lost when it is gone."""
        if not is_cgroup_of(self._read("cgroup"), pod_uid):
            raise UnsafePath(
                f"process {self.pid} serves a socket of pod {pod_uid} without belonging to it",
                reason="ForeignPeer",
            )

    @contextmanager
    def network_namespace(self) -> Iterator[int]:
        """A descriptor of the process's network namespace. Raises: Lost."""
        try:
            descriptor = os.open("ns/net", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)
        except OSError as fault:
            raise Lost(f"process {self.pid} is gone") from fault
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def read_resolver(self) -> str | None:
        """The resolv.conf that the process's container sees; None when it cannot be had without links."""
        try:
            root = os.open("root", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._proc)
        except OSError as fault:
            raise Lost(f"process {self.pid} is gone") from fault
        with Directory(root) as files:
            try:
                return files.read_bytes("etc/resolv.conf", _READ_BYTES).decode(errors="replace")
            except (Absent, Invalid, HostFault):
                return None

    async def has_ended(self, within_seconds: float) -> bool:
        """True once the process has ended, False when it still runs after this time."""
        with anyio.move_on_after(within_seconds):
            await anyio.wait_readable(self._pidfd)
            return True
        return False

    def _read(self, name: str) -> str:
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)
            try:
                return os.read(descriptor, _READ_BYTES).decode(errors="replace")
            finally:
                os.close(descriptor)
        except OSError as fault:
            raise Lost(f"process {self.pid} is gone") from fault


def is_cgroup_of(cgroups: str, pod_uid: str) -> bool:
    """The text of /proc/<pid>/cgroup names this pod; systemd's driver writes the uid with underscores."""
    names = (f"pod{pod_uid}", f"pod{pod_uid.replace('-', '_')}")
    parts = [
        part.removesuffix(".slice")
        for line in cgroups.splitlines()
        for part in line.split(":", 2)[-1].split("/")
    ]
    return any(part == pod_uid or part.endswith(names) for part in parts)
