"""The cgroups of containers, in either hierarchy; runc removes its own, and this what runc could not."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import anyio

from virtdeck.basis.errors import HostFault

ROOT = Path("/sys/fs/cgroup")
_ATTEMPTS = 40
_PAUSE_SECONDS = 0.05


def cgroup_folders(name: str) -> list[Path]:
    """Where the cgroup exists: once with cgroup v2, once for each controller with v1."""
    return [path for path in (ROOT / name, *ROOT.glob(f"*/{name}")) if path.is_dir()]


async def remove_cgroup(name: str) -> None:
    """The cgroup is gone, and every process in it. Raises: HostFault when one will not die."""
    for _ in range(_ATTEMPTS):
        left = cgroup_folders(name)
        for folder in left:
            _kill(folder)
            with suppress(OSError):  # busy until its last process is reaped
                folder.rmdir()
        if not cgroup_folders(name):
            return
        await anyio.sleep(_PAUSE_SECONDS)
    raise HostFault(f"the cgroup {name} cannot be removed: a process in it does not end")


def _kill(folder: Path) -> None:
    with suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
