"""Containers by conmon and runc: started, found again, ended, removed."""

import json
import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import msgspec

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.runner.cgroups import remove_cgroup
from virtdeck.standalone.runner.container_state import Absent, Container, Ended, Running
from virtdeck.standalone.runner.processes import ProcessId, is_alive, signal_process

_START_SECONDS = 30.0
_DELETE_SECONDS = 30.0
# Nothing of our own: runc would take our NOTIFY_SOCKET for the container's.
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


class _Marker(msgspec.Struct, frozen=True, kw_only=True):
    """Written before a container is started: from then on its absence means that it ended."""

    started_at: float


class _RuncState(msgspec.Struct, frozen=True, kw_only=True):
    """The part of runc's own state.json that is read. Source: libcontainer's BaseState"""

    init_process_pid: int
    init_process_start: int


class Containers:
    """The containers of one instance; ``folder`` has one folder for each pod's uid.

    All state is runc's and conmon's own files, so that a new process sees what an old one saw.
    """

    def __init__(self, runc: str, conmon: str, run_dir: Path, folder: Path, cgroup: str) -> None:
        self._cgroup = cgroup
        self._runc = runc
        self._conmon = conmon
        self._root = run_dir / "runc"
        self._folder = folder

    def bundle(self, uid: str) -> Path:
        """Where the pod's config.json is to be."""
        return self._folder / uid / "bundle"

    def observe(self, uid: str) -> Container:
        """What can be seen of the pod's container now."""
        marker = self._read_marker(uid)
        if marker is None:
            return Absent()
        process = self._process(uid)
        if process is None:
            return self._ended(uid, marker)
        conmon = self._conmon_process(uid)
        if is_alive(process):
            if (self._root / uid / "exec.fifo").exists():
                return Absent()  # made, but never told to begin
            return Running(process, conmon, marker.started_at)
        if conmon is not None and not (self._folder / uid / "exits" / uid).exists():
            return Running(process, conmon, marker.started_at)  # conmon is about to say how it ended
        return self._ended(uid, marker)

    async def start(self, uid: str, now: float, log: Path, log_max_bytes: int) -> Running:
        """The bundle's program runs. Raises: HostFault; what was begun is removed by ``remove``."""
        folder = self._folder / uid
        for name in ("exits", "sockets"):
            (folder / name).mkdir(exist_ok=True)
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        await self._create(uid, log, log_max_bytes)
        _write(folder / "started.json", msgspec.json.encode(_Marker(started_at=now)))
        await self._run("start", uid, seconds=_START_SECONDS)
        process = self._process(uid)
        if process is None:
            raise HostFault("runc started a container and knows nothing of it")
        return Running(process, self._conmon_process(uid), now)

    def signal(self, running: Running, number: signal.Signals) -> None:
        """The container's first process has the signal, if it still lives."""
        signal_process(running.process, number)

    async def clear(self, uid: str) -> None:
        """No process and no cgroup of an earlier attempt is left. Raises: HostFault."""
        await self.release(uid)
        conmon = self._conmon_process(uid)
        if conmon is not None:
            signal_process(conmon, signal.SIGKILL)
        (self._folder / uid / "started.json").unlink(missing_ok=True)

    async def release(self, uid: str) -> None:
        """As ``clear``, for a container that has run: that it did, and how it ended, is still known."""
        if (self._root / uid).exists():
            await self._run("delete", "--force", uid, seconds=_DELETE_SECONDS)
        await remove_cgroup(f"{self._cgroup}/{uid}")

    async def remove(self, uid: str) -> None:
        """Nothing of the container is left. Raises: HostFault."""
        await self.clear(uid)
        await anyio.to_thread.run_sync(self._remove_folder, uid)

    def note_terminating(self, uid: str) -> bool:
        """True the first time only: a launcher is asked once to end."""
        try:
            (self._folder / uid / "terminating").touch(exist_ok=False)
        except FileExistsError:
            return False
        except FileNotFoundError:
            return True
        return True

    def uids(self) -> list[str]:
        """The pods that have, or had, a container here."""
        return [path.name for path in self._folder.iterdir()] if self._folder.is_dir() else []

    def forget_all(self) -> None:
        """After a reboot runc's state speaks of processes that are gone."""
        shutil.rmtree(self._root, ignore_errors=True)

    async def _create(self, uid: str, log: Path, log_max_bytes: int) -> None:
        """conmon has made the container and waits for it to end; its program is not running yet."""
        folder = self._folder / uid
        command = [self._conmon, "--api-version", "1", "-c", uid, "-u", uid, "-n", uid, "-r", self._runc]
        command += ["--runtime-arg", f"--root={self._root}", "-b", str(self.bundle(uid))]
        command += ["-p", str(folder / "pid"), "--conmon-pidfile", str(folder / "conmon.pid")]
        command += ["--persist-dir", str(folder), "--exit-dir", str(folder / "exits")]
        command += ["--socket-dir-path", str(folder / "sockets")]
        command += ["-l", f"k8s-file:{log}", "--log-size-max", str(log_max_bytes)]
        reader, writer = os.pipe()
        try:
            # A session of its own: what ends the runner's process group must not end the guests.
            process = await anyio.open_process(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_ENVIRONMENT | {"_OCI_SYNCPIPE": str(writer)},
                pass_fds=(writer,),
                start_new_session=True,
            )
            os.close(writer)
            writer = -1
            with anyio.fail_after(_START_SECONDS):
                report = await _read_line(reader)
                await process.wait()
        except TimeoutError as fault:
            raise HostFault(f"the container was not made within {_START_SECONDS:.0f} s") from fault
        except OSError as fault:
            raise HostFault(f"conmon cannot be run: {fault.strerror}") from fault
        finally:
            os.close(reader)
            if writer >= 0:
                os.close(writer)
        _check_report(report)

    async def _run(self, *arguments: str, seconds: float) -> None:
        command = [self._runc, f"--root={self._root}", *arguments]
        try:
            with anyio.fail_after(seconds):
                done = await anyio.run_process(command, env=_ENVIRONMENT, check=False)
        except TimeoutError as fault:
            raise HostFault(f"runc {arguments[0]} did not end within {seconds:.0f} s") from fault
        except OSError as fault:
            raise HostFault(f"runc cannot be run: {fault.strerror}") from fault
        if done.returncode:
            text = done.stderr.decode(errors="replace").strip()[-300:]
            raise HostFault(f"runc {arguments[0]} failed: {text}")

    def _process(self, uid: str) -> ProcessId | None:
        try:
            state = msgspec.json.decode((self._root / uid / "state.json").read_bytes(), type=_RuncState)
        except (OSError, msgspec.DecodeError):
            return None
        return ProcessId(state.init_process_pid, state.init_process_start)

    def _conmon_process(self, uid: str) -> ProcessId | None:
        with suppress(OSError, ValueError):
            pid = int((self._folder / uid / "conmon.pid").read_text())
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if uid.encode() in arguments:  # the number may belong to another by now
                return ProcessId.of(pid)
        return None

    def _read_marker(self, uid: str) -> _Marker | None:
        try:
            return msgspec.json.decode((self._folder / uid / "started.json").read_bytes(), type=_Marker)
        except (OSError, msgspec.DecodeError):
            return None

    def _ended(self, uid: str, marker: _Marker) -> Ended:
        folder = self._folder / uid
        code, finished = None, marker.started_at
        with suppress(OSError, ValueError):
            exit_file = folder / "exits" / uid
            code = int(exit_file.read_text())
            finished = exit_file.stat().st_mtime
        killed = (folder / "oom").exists() or (folder / "bundle/oom").exists()
        return Ended(code, marker.started_at, finished, killed)

    def _remove_folder(self, uid: str) -> None:
        shutil.rmtree(self._folder / uid, ignore_errors=True)


async def _read_line(descriptor: int) -> bytes:
    """What conmon says before it goes to the background: one line of JSON, or nothing when it died."""
    os.set_blocking(descriptor, False)
    data = b""
    while b"\n" not in data:
        await anyio.wait_readable(descriptor)
        piece = os.read(descriptor, 65536)
        if not piece:
            break
        data += piece
    return data


def _check_report(line: bytes) -> None:
    try:
        report: dict[str, Any] = json.loads(line)
    except ValueError as fault:
        raise HostFault("conmon died before the container was made") from fault
    if int(report.get("data", -1)) <= 0:
        message = str(report.get("message", "")).strip()[-300:]
        raise HostFault(f"the container cannot be made: {message or 'conmon gave no reason'}")


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_suffix(".new")
    temporary.write_bytes(data)
    temporary.rename(path)
