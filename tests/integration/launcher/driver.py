"""Plays virt-handler: starts a launcher without a container, talks to it over launcher.sock.

As a script: ``python -m tests.integration.launcher.driver vmi.yaml KERNEL INITRD`` boots the VMI, prints each
state, and copies the serial console to the terminal.
"""

import asyncio
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import typing_extensions

import virtdeck
from virtdeck.standalone.components import LAUNCHER_USER, launcher_user
from virtdeck.wire import launcher as wire
from virtdeck.wire.codec import ReplyDecoder, encode_message

UID = "3f0c7a51-6a0e-4e5f-9a63-000000000001"
SECONDS = 60.0
CACHE = Path("/var/cache/virtdeck-tests")


class Handler:
    """One connection to a launcher: its newest state, and answers by request id."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._changed = asyncio.Condition()
        self.hello: wire.Hello | None = None
        self.states: list[wire.LauncherState] = []
        self.closed = asyncio.Event()

    async def receive(self) -> None:
        """Runs until the launcher closes."""
        decoder = ReplyDecoder()
        while data := await self._reader.read(65536):
            for message in decoder.feed(data):
                await self._take(message)
        self.closed.set()

    async def _take(self, message: wire.Reply) -> None:
        match message:
            case wire.Hello():
                self.hello = message
            case wire.LauncherState():
                async with self._changed:
                    self.states.append(message)
                    self._changed.notify_all()
            case _:
                self._answers.pop(message.id).set_result(message)

    async def ask(self, kind: Any, **fields: Any) -> Any:
        """The answer to one request."""
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._writer.write(encode_message(kind(id=number, **fields)))
        async with asyncio.timeout(SECONDS):
            return await answer

    async def wait(self, holds: Callable[[wire.LauncherState], bool]) -> wire.LauncherState:
        """The first state from now on for which this holds."""
        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(lambda: bool(self.states) and holds(self.states[-1]))
            return self.states[-1]

    async def wait_phase(self, phase: str) -> wire.LauncherState:
        return await self.wait(lambda state: state.phase == phase)

    def close(self) -> None:
        self._writer.close()


@cache
def warm_cache() -> str:
    """Capabilities and byte code, made once per node as ``virtdeck up`` does."""
    launcher_user()
    folder = str(CACHE / "capabilities")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": "src", "PYTHONPYCACHEPREFIX": str(CACHE / "pyc")}
    packages = [str(Path(module.__file__ or "").parent) for module in (virtdeck, msgspec)]
    packages.append(typing_extensions.__file__)
    for arguments in (
        ["compileall", "-q", *packages],
        ["virtdeck.launcher.warm", folder, "--user", LAUNCHER_USER],
    ):
        subprocess.run([sys.executable, "-m", *arguments], env=environment, check=True)
    return folder


class Pod:
    """The folders of one launcher and its process."""

    def __init__(self, root: Path, process: subprocess.Popen[bytes]) -> None:
        self.root = root
        self.process = process

    @property
    def private(self) -> Path:
        return self.root / "run/kubevirt-private"

    def pid(self, name: str) -> int:
        """The newest process of this pod with that name."""
        wanted = str(self.root).encode()
        for pid in sorted((int(path.name) for path in Path("/proc").glob("[0-9]*")), reverse=True):
            try:
                comm = Path(f"/proc/{pid}/comm").read_text().strip()
                environment = Path(f"/proc/{pid}/environ").read_bytes()
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
            if comm.startswith(name) and (wanted in environment or wanted in command):
                return pid
        raise LookupError(name)

    async def exit_code(self) -> int:
        return await asyncio.to_thread(self.process.wait, SECONDS)


_PID_1 = ("unshare", "--pid", "--fork", "--mount-proc")
_FOLDERS = (
    "run/kubevirt-private",
    "run/libvirt",
    "run/kubevirt-ephemeral-disks",
    "run/kubevirt/secrets",
)


def start_pod(root: Path, warm: str, user: str = LAUNCHER_USER) -> Pod:
    """A launcher runs below ``root`` as an unprivileged user, PID 1 of its namespace as in a container."""
    account = pwd.getpwnam(user)
    for name in _FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    for path in (root, *root.rglob("*")):
        os.chown(path, account.pw_uid, account.pw_gid)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": "src",
        "PYTHONPYCACHEPREFIX": str(CACHE / "pyc"),
        "VIRTDECK_CAPS_CACHE": warm or "",
    }
    drop = [
        "setpriv",
        f"--reuid={account.pw_uid}",
        f"--regid={account.pw_gid}",
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
    ]
    arguments = ["--name", "demo", "--namespace", "default", "--uid", UID, "--root", str(root)]
    with (root / "launcher.log").open("ab") as log:
        process = subprocess.Popen(
            [*_PID_1, *drop, sys.executable, "-m", "virtdeck.launcher", *arguments],
            env=environment,
            stderr=log,
        )
    return Pod(root, process)


@asynccontextmanager
async def running_pod(root: Path | None = None) -> AsyncIterator[tuple[Pod, Handler]]:
    """A launcher and a connection to it; afterwards nothing of it is left."""
    root = root or Path(tempfile.mkdtemp(prefix="vdl-", dir="/tmp"))
    pod = start_pod(root, warm_cache())
    try:
        async with connected(pod) as handler:
            yield pod, handler
    except BaseException:
        print((root / "launcher.log").read_text()[-4000:])
        print((root / "run/libvirt/libvirtd.log").read_text()[-4000:])
        raise
    finally:
        stop_pod(pod)


@asynccontextmanager
async def connected(pod: Pod) -> AsyncIterator[Handler]:
    """A connection as virt-handler has it."""
    handler = Handler(*await _dial(pod.private / "launcher.sock"))
    async with asyncio.TaskGroup() as tasks:
        receiving = tasks.create_task(handler.receive())
        try:
            yield handler
        finally:
            receiving.cancel()
            handler.close()


async def _dial(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for _ in range(int(SECONDS / 0.005)):
        try:
            return await asyncio.open_unix_connection(path)
        except (FileNotFoundError, ConnectionRefusedError):
            await asyncio.sleep(0.005)
    raise TimeoutError(f"nobody listens on {path}")


def stop_pod(pod: Pod) -> None:
    """PID 1 of the pod's namespace is killed, and every process goes with it."""
    with suppress(LookupError):
        os.kill(pod.pid("python"), signal.SIGKILL)
    pod.process.wait()
    shutil.rmtree(pod.root, ignore_errors=True)  # a mount inside is its owner's to remove


def vmi(spec: dict[str, Any] | None = None, **domain: Any) -> dict[str, Any]:
    """A VMI that boots the test kernel, with more in its spec and domain."""
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {"name": "demo", "namespace": "default", "uid": UID},
        "spec": {
            "domain": {
                "devices": {},
                "memory": {"guest": "128Mi"},
                "firmware": {
                    "kernelBoot": {
                        "container": {
                            "image": "k",
                            "kernelPath": "/boot/vmlinuz",
                            "initrdPath": "/boot/initrd",
                        },
                        "kernelArgs": "console=ttyS0 panic=-1",
                    }
                },
                **domain,
            },
            **(spec or {}),
        },
    }


def sync_fields(kernel: Path, initrd: Path, **more: Any) -> dict[str, Any]:
    """What virt-handler knows of this machine: no KVM."""
    return {
        "vmi": vmi(),
        "host": wire.HostFacts(accelerator="tcg"),
        "kernel": str(kernel),
        "initrd": str(initrd),
        **more,
    }


async def _show(path: str, kernel: str, initrd: str) -> None:
    import yaml

    spec = yaml.safe_load(Path(path).read_text())  # noqa: ASYNC240 - before anything runs
    spec["metadata"] = {"namespace": "default", "uid": UID, **spec["metadata"]}
    async with running_pod() as (pod, handler):
        print(await handler.ask(wire.Sync, **sync_fields(Path(kernel), Path(initrd), vmi=spec)))
        print(handler.states[-1])
        reader, _ = await asyncio.open_unix_connection(pod.private / "serial0-replay.sock")
        while data := await reader.read(4096):
            sys.stdout.buffer.write(data)
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_show(*sys.argv[1:4]))
