"""Makes the cache of QEMU's capabilities once per node: without it each VM would start 0.4 s later.

``python -m virtdeck.launcher.warm OUTDIR`` (as the launcher's user, or as root with ``--user NAME``) leaves
in OUTDIR what launchers copy from ``/run/kubevirt-capabilities``. Repeat it when QEMU or libvirt was updated.
"""

import asyncio
import os
import pwd
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Final

from virtdeck.launcher.hypervisor.connection import Connection, open_connection
from virtdeck.launcher.hypervisor.daemon import DaemonPaths, start_daemon
from virtdeck.launcher.hypervisor.protocol import Procedure

DEADLINE_SECONDS: Final = 60.0
HOST_UUID: Final = "6a3c1f0e-3b52-4a4e-9d1f-000000000001"


def main(arguments: list[str]) -> int:
    """The cache is in the folder."""
    target = Path(arguments[0]).absolute()
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="virtdeck-warm-") as work:
        if "--user" in arguments:
            user = pwd.getpwnam(arguments[arguments.index("--user") + 1])
            for path in (work, target):
                os.chown(path, user.pw_uid, user.pw_gid)
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
        paths = DaemonPaths(work)
        pid = start_daemon(paths, HOST_UUID, None)
        try:
            asyncio.run(_read_capabilities(paths))
        finally:
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
        for file in Path(paths.capabilities).iterdir():
            shutil.copyfile(file, target / file.name)
    return 0


async def _read_capabilities(paths: DaemonPaths) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        connection = await _connect(paths.socket)
        await connection.call(Procedure.CONNECT_GET_CAPABILITIES)
        connection.close()


async def _connect(path: str) -> Connection:
    while True:
        try:
            return await open_connection(path, lambda *_: None)
        except (FileNotFoundError, ConnectionRefusedError):
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
