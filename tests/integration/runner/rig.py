"""An API server and a pod runner as real processes, and a small launcher whose end the tests command."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from virtdeck.standalone.components import launcher_user, settings_of_all, write_kubeconfigs
from virtdeck.standalone.instance import Instance, choose_instance
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder, open_state

SOURCE = Path(__file__).parents[3] / "src"
# Says what it sees, then waits for SIGTERM, which it obeys unless its arguments say otherwise.
LAUNCHER = """
import json, os, signal, sys, time
def status(key):
    return next(line.split()[1] for line in open('/proc/self/status') if line.startswith(key))
seen = {
    'uid': os.getuid(), 'gid': os.getgid(), 'args': sys.argv[1:], 'hostname': os.uname().nodename,
    'effective': status('CapEff'), 'bounding': status('CapBnd'), 'no_new_privs': status('NoNewPrivs'),
    'seccomp': status('Seccomp:'), 'pid': os.getpid(), 'descriptors': sorted(os.listdir('/proc/self/fd')),
    'root': sorted(os.listdir('/')), 'mounts': [line.split()[4] for line in open('/proc/self/mountinfo')],
    'files': {p: open(p).read() for p in ('/etc/passwd', '/etc/hosts', '/etc/resolv.conf')},
    'volumes': {p: sorted(os.listdir(p)) for p in ('/run/private', '/run/image', '/run/secret')
                if os.path.isdir(p)},
}
print(json.dumps(seen), flush=True)
if '--exit' in sys.argv:
    sys.exit(int(sys.argv[sys.argv.index('--exit') + 1]))
if '--exec' in sys.argv:
    code = sys.argv[sys.argv.index('--exec') + 1]
    try:
        print('result', eval(code, {'os': os, 'open': open}), flush=True)
    except BaseException as fault:
        print('result', type(fault).__name__, fault, flush=True)
signal.signal(signal.SIGTERM, signal.SIG_IGN if '--stubborn' in sys.argv else lambda *_: sys.exit(0))
while True:
    signal.pause()
"""


@dataclass
class Rig:
    """One instance under test."""

    state: StateFolder
    instance: Instance
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str) -> None:
        """The process serves, by its own word."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            address = str(self.state.path("run", f"{name}.notify"))
            Path(address).unlink(missing_ok=True)
            notices.bind(address)
            notices.settimeout(30)
            self._spawn(name, address)
            while b"READY=1" not in notices.recv(1024):
                pass

    def _spawn(self, name: str, notify: str) -> None:
        module = {"apiserver": "virtdeck.standalone.apiserver", "runner": "virtdeck.standalone.runner"}[name]
        with self.state.log(name).open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", module, "--config", str(self.state.config(name))],
                stdout=log,
                stderr=log,
                env=os.environ | {"PYTHONPATH": str(SOURCE), "NOTIFY_SOCKET": notify},
                start_new_session=True,
            )

    def stop(self, name: str, number: signal.Signals = signal.SIGTERM) -> None:
        process = self.processes.pop(name)
        process.send_signal(number)
        process.wait(timeout=20)

    @property
    def runner_dir(self) -> Path:
        return self.state.path("runner")

    def host_traces(self) -> dict[str, list[str]]:
        """What of the instance can be seen on the host."""
        return traces(self.instance.id, self.state)

    def network_traces(self) -> list[str]:
        """Namespaces, bridge, nftables table and cgroups of the instance."""
        ident = self.instance.id
        found = [str(path) for path in Path("/run/netns").glob(f"vd-{ident}*")]
        found += [str(path) for path in Path("/sys/class/net").glob(f"vd-{ident}")]
        found += [str(path) for path in Path("/sys/fs/cgroup").glob(f"*/virtdeck-{ident}")]
        tables = subprocess.run(
            ["nft", "list", "tables"], capture_output=True, text=True, check=True, timeout=10
        )
        return found + [line for line in tables.stdout.splitlines() if ident in line]


def traces(instance: str, state: StateFolder) -> dict[str, list[str]]:
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    processes = [
        path.parent.name
        for path in Path("/proc").glob("[0-9]*/cgroup")
        if f"virtdeck-{instance}" in _text(path)
    ]
    conmons = [path.parent.name for path in Path("/proc").glob("[0-9]*/cmdline") if _is_conmon(path, state)]
    return {
        "mounts": [point for point in mounts if point.startswith(f"{state.root}/")],
        "cgroups": [
            str(path) for path in Path("/sys/fs/cgroup").glob(f"*/virtdeck-{instance}/*") if path.is_dir()
        ],
        "processes": processes + conmons,
        "pods": sorted(path.name for path in state.path("kubelet/pods").glob("*")),
        "runner": sorted(path.name for path in state.path("runner/pods").glob("*")),
        "logs": sorted(path.name for path in state.path("log/pods").glob("*")),
    }


def _is_conmon(path: Path, state: StateFolder) -> bool:
    text = _text(path)
    return "conmon" in text and str(state.root) in text


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def make_rig(root: Path) -> Rig:
    """An instance whose launchers are the small program above; nothing is started yet."""
    source = root / "source"
    (source / "virtdeck/launcher").mkdir(parents=True)
    (source / "virtdeck/launcher/__main__.py").write_text(LAUNCHER)
    state = open_state(root / "state")
    instance = choose_instance(state, None)
    ensure_pki(state, instance.node_name, "127.0.0.1")
    write_kubeconfigs(state, instance)
    settings = settings_of_all(state, instance, launcher_user())
    settings["runner"]["source_dir"] = str(source)
    for name in ("apiserver", "runner"):
        state.config(name).write_text(json.dumps(settings[name]))
    return Rig(state, instance)


def clean(rig: Rig) -> None:
    """What a failed test may have left on the host is gone."""
    prefix = f"vd-{rig.instance.id}"
    for pid in rig.host_traces()["processes"]:
        subprocess.run(["kill", "-9", pid], check=False, timeout=10)
    for name in [path.name for path in Path("/run/netns").glob(f"{prefix}-*")]:
        subprocess.run(["ip", "netns", "del", name], check=False, timeout=10, capture_output=True)
    for point in sorted(rig.host_traces()["mounts"], reverse=True):
        subprocess.run(["umount", "-l", point], check=False, timeout=10)
    subprocess.run(["ip", "link", "del", prefix], check=False, timeout=10, capture_output=True)
    subprocess.run(
        ["nft", "delete", "table", "inet", f"virtdeck-{rig.instance.id}"],
        check=False,
        timeout=10,
        capture_output=True,
    )
    shutil.rmtree(f"/run/virtdeck-{rig.instance.id}", ignore_errors=True)
    time.sleep(0.1)
    for folder in Path("/sys/fs/cgroup").glob(f"*/virtdeck-{rig.instance.id}"):
        for path in [*folder.glob("*/"), folder]:
            path.rmdir()


def kill_launchers(rig: Rig) -> None:
    """Every container's first process is killed, and nothing else."""
    for pid in rig.host_traces()["processes"]:
        if "virtdeck.launcher" in _text(Path(f"/proc/{pid}/cmdline")):
            os.kill(int(pid), signal.SIGKILL)


def kill_conmons(rig: Rig) -> None:
    """Every conmon of the instance is killed, and nothing else."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if _is_conmon(path, rig.state):
            os.kill(int(path.parent.name), signal.SIGKILL)


def pod(name: str, *args: str, **changes: Any) -> dict[str, Any]:
    """A pod as virt-controller makes them."""
    container = {
        "name": "compute",
        "image": "virtdeck/launcher:0.1.0",
        "args": list(args),
        "securityContext": {"runAsUser": 64055, "runAsGroup": 108, "capabilities": {"drop": ["ALL"]}},
        "resources": {"requests": {"memory": "64Mi", "cpu": "10m"}},
        "volumeMounts": [{"name": "private", "mountPath": "/run/private"}],
    } | changes.pop("container", {})
    spec = {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 10,
        "automountServiceAccountToken": False,
        "containers": [container],
        "volumes": [{"name": "private", "emptyDir": {}}],
    } | changes
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}
