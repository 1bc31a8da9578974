"""What the machine has, read from the kernel."""

import os
import platform
import socket
from dataclasses import dataclass
from pathlib import Path

from virtdeck import __version__

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "s390x": "s390x"}


@dataclass(frozen=True)
class NodeFacts:
    """Units: memory in bytes."""

    cpus: int
    memory: int
    allocatable_memory: int
    max_pods: int
    address: str
    architecture: str
    kernel: str
    os_image: str
    machine_id: str
    boot_id: str

    def node_info(self) -> dict[str, str]:
        """As ``status.nodeInfo``."""
        version = f"v{__version__}+virtdeck"
        return {
            "machineID": self.machine_id,
            "systemUUID": self.machine_id,
            "bootID": self.boot_id,
            "kernelVersion": self.kernel,
            "osImage": self.os_image,
            "containerRuntimeVersion": f"virtdeck://{__version__}",
            "kubeletVersion": version,
            "kubeProxyVersion": version,
            "operatingSystem": "linux",
            "architecture": self.architecture,
        }


def read_facts(max_pods: int, reserved_memory: int) -> NodeFacts:
    """The facts of this machine, now."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return NodeFacts(
        cpus=len(os.sched_getaffinity(0)),
        memory=memory,
        allocatable_memory=max(memory - reserved_memory, memory // 2),
        max_pods=max_pods,
        address=_address(),
        architecture=_ARCHITECTURES.get(platform.machine(), platform.machine()),
        kernel=platform.release(),
        os_image=_os_image(),
        machine_id=_text("/etc/machine-id"),
        boot_id=_text("/proc/sys/kernel/random/boot_id"),
    )


def _address() -> str:
    """The address that packets to elsewhere leave with; nothing is sent. Loopback without a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("198.51.100.1", 9))  # a documentation address: nobody's
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _os_image() -> str:
    for line in _text("/etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return "Linux"


def _text(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
