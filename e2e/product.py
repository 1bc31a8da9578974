"""The product as its users meet it: ./virtdeck, kubectl, and what is left on the host."""

import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

CHECKOUT = Path(__file__).parents[1]
T = TypeVar("T")


@dataclass
class Product:
    """One running instance."""

    state: Path
    listen: str
    printed: str = ""
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def command(
        self, *arguments: str, timeout: float = 300, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """``./virtdeck ARGUMENTS --state …``."""
        done = subprocess.run(
            [CHECKOUT / "virtdeck", *arguments, "--state", str(self.state)],
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            env=self.environment,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"virtdeck {' '.join(arguments)}: {done.stdout}\n{done.stderr}")
        return done

    def up(self, *arguments: str) -> str:
        done = self.command("up", "--listen", self.listen, *arguments, timeout=600)
        self.printed = done.stdout
        return done.stdout

    def login_link(self) -> str:
        return self.command("login").stdout.strip()

    @property
    def url(self) -> str:
        return f"http://{self.listen}"

    @property
    def kubeconfig(self) -> Path:
        return self.state / "admin.kubeconfig"

    def kubectl(self, *arguments: str, stdin: str | None = None, check: bool = True) -> str:
        """What kubectl prints; with ``check`` false, stdout and stderr together."""
        done = subprocess.run(
            ["kubectl", "--kubeconfig", str(self.kubeconfig), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(arguments)}: {done.stdout}\n{done.stderr}")
        return done.stdout if check else done.stdout + done.stderr

    def get(self, kind: str, name: str, namespace: str = "default") -> dict[str, Any] | None:
        """The object, None when there is none."""
        done = subprocess.run(
            [
                "kubectl",
                "--kubeconfig",
                str(self.kubeconfig),
                "-n",
                namespace,
                "get",
                kind,
                name,
                "-o",
                "json",
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if done.returncode != 0:
            if "NotFound" in done.stderr or "not found" in done.stderr:
                return None
            raise AssertionError(done.stderr)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def apply(self, manifest: str, namespace: str = "default") -> None:
        self.kubectl("-n", namespace, "apply", "-f", "-", stdin=manifest)

    def wait_for_phase(
        self, name: str, phase: str, namespace: str = "default", seconds: float = 60
    ) -> dict[str, Any]:
        """The VMI, once it is in the phase."""
        vmi: dict[str, Any] = until(
            lambda: self.get("vmi", name, namespace),
            lambda vmi: bool(vmi) and vmi["status"].get("phase") == phase,
            seconds,
        )
        return vmi

    def wait_gone(self, kind: str, name: str, namespace: str = "default", seconds: float = 60) -> None:
        until(lambda: self.get(kind, name, namespace), lambda found: found is None, seconds)

    def components(self) -> dict[str, int]:
        """Process numbers by component, from ``virtdeck status``."""
        text = self.command("status", check=False).stdout
        return {
            name: int(pid) for name, pid in re.findall(r"^(\S+)\s+running\s+pid (\d+)$", text, re.MULTILINE)
        }

    def processes_of(self, program: str) -> list[int]:
        """Processes in this instance's containers whose program has this name."""
        return [pid for pid in all_processes() if program_of(pid) == program and self.owns(pid)]

    def pid_in_pod(self, vmi_name: str, program: str) -> int:
        """The one process of that kind in the VMI's pod; ``launcher`` is the launcher's own."""
        [pod_uid] = (self.get("vmi", vmi_name) or {})["status"]["activePods"]
        wanted = "python" if program == "launcher" else program
        [pid] = [
            pid
            for pid in self.processes_of(wanted)
            if pod_uid in Path(f"/proc/{pid}/cgroup").read_text()
            and (program != "launcher" or b"virtdeck.launcher" in _cmdline(pid))
        ]
        return pid

    def owns(self, pid: int) -> bool:
        """The process runs in a container of this instance, or watches over one."""
        identity = json.loads((self.state / "instance.json").read_text())["id"]
        try:
            in_container = f"virtdeck-{identity}" in Path(f"/proc/{pid}/cgroup").read_text()
        except OSError:
            return False
        return in_container or (program_of(pid) == "conmon" and str(self.state).encode() in _cmdline(pid))


def until(read: Callable[[], T], true: Callable[[Any], bool], seconds: float, pause: float = 0.2) -> Any:
    """What ``read`` gave when it was as wanted. Raises: AssertionError with the last value."""
    deadline = time.monotonic() + seconds
    while True:
        found = read()
        if true(found):
            return found
        if time.monotonic() > deadline:
            raise AssertionError(
                f"not reached in {seconds} s; last seen: {json.dumps(found, default=str)[:4000]}"
            )
        time.sleep(pause)


def all_processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def program_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def free_address() -> str:
    """An address on loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def host_traces(state: Path) -> dict[str, list[str]]:
    """What one instance has on the host outside its state folder, by kind; all empty when nothing is left."""
    identity = json.loads((state / "instance.json").read_text())["id"]
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    links = json.loads(subprocess.run(["ip", "-j", "link"], capture_output=True, check=True).stdout)
    namespaces = Path("/run/netns").iterdir() if Path("/run/netns").exists() else ()
    return {
        "processes": [
            f"{pid} {program_of(pid)}"
            for pid in all_processes()
            if str(state).encode() in _cmdline(pid) and pid != os.getpid()
        ],
        "mounts": [mount for mount in mounts if mount.startswith(str(state))],
        "namespaces": [entry.name for entry in namespaces if identity in entry.name],
        "links": [link["ifname"] for link in links if link.get("master", "") == f"vd-{identity}"],
        "cgroups": [str(path) for path in Path("/sys/fs/cgroup").glob("*/**/") if identity in path.name],
        "pods": [path.name for path in (state / "kubelet" / "pods").iterdir()],
    }


def _cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
