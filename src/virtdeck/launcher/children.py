"""Child processes, and the zombies that PID 1 inherits."""

import asyncio
import os
import signal
from collections.abc import Sequence
from typing import Final

from virtdeck.basis.errors import HostFault, Unready

MESSAGE_LIMIT_BYTES: Final = 4096
_ENVIRONMENT: Final = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}


class Children:
    """Every child is waited for, known or not."""

    def __init__(self) -> None:
        self._exits: dict[int, asyncio.Future[int]] = {}

    def watch(self) -> None:
        """Children that end are reaped from now on. Needs the running loop of the main thread."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, self._reap)
        self._reap()

    def adopt(self, pid: int) -> "asyncio.Future[int]":
        """The exit code of a child that was started before the loop ran."""
        return self._exits.setdefault(pid, asyncio.get_running_loop().create_future())

    async def run(self, arguments: Sequence[str], deadline_seconds: float) -> None:
        """The program has ended well. Raises: HostFault with its last words; Unready past the deadline."""
        words = os.memfd_create("stderr", os.MFD_CLOEXEC)
        try:
            pid = _spawn(arguments, words)
            code = await self._wait(pid, deadline_seconds, arguments[0])
            if code != 0:
                text = os.pread(words, MESSAGE_LIMIT_BYTES, 0).decode(errors="replace").strip()
                raise HostFault(f"{arguments[0]} failed with {code}: {text or 'it said nothing'}")
        finally:
            os.close(words)

    async def _wait(self, pid: int, deadline_seconds: float, program: str) -> int:
        exited = self.adopt(pid)
        try:
            async with asyncio.timeout(deadline_seconds):
                return await asyncio.shield(exited)
        except TimeoutError:
            raise Unready(f"{program} was not done after {deadline_seconds:g} s") from None
        finally:
            if not exited.done():
                os.kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            exited = self._exits.pop(pid, None)
            if exited is not None and not exited.done():
                exited.set_result(os.waitstatus_to_exitcode(status))


def _spawn(arguments: Sequence[str], words: int) -> int:
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        return os.posix_spawnp(
            arguments[0],
            list(arguments),
            _ENVIRONMENT,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, nothing, 0),
                (os.POSIX_SPAWN_DUP2, nothing, 1),
                (os.POSIX_SPAWN_DUP2, words, 2),
            ],
            setsigmask=[],
        )
    finally:
        os.close(nothing)
