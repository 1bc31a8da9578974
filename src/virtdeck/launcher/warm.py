"""Makes the cache of QEMU's capabilities once per node: without it each VM would start 0.4 s later.

``python -m virtdeck.launcher.warm OUTDIR --user NAME`` as root leaves in OUTDIR what launchers copy from
``/run/kubevirt-capabilities``. Repeat it when QEMU, libvirt or the kernel was updated, and after a reboot.
libvirt keeps a cache only as long as ``/dev/kvm`` is as usable as it was: so it is made once as in a pod
without the device, and in OUTDIR/kvm as in a pod with it. As any other user, what is there is taken.
"""

import argparse
import asyncio
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from virtdeck.launcher.emulator import EMULATOR
from virtdeck.launcher.hypervisor.connection import Connection, learn_capabilities, open_connection
from virtdeck.launcher.hypervisor.daemon import KVM_CACHE, KVM_DEVICE, DaemonPaths, start_daemon

DEADLINE_SECONDS: Final = 60.0
HOST_UUID: Final = "6a3c1f0e-3b52-4a4e-9d1f-000000000001"
_OWN_MOUNTS: Final = ("unshare", "--mount", "--propagation", "private")


def main(arguments: list[str]) -> int:
    """The exit code: 0 when the cache for pods without KVM is there."""
    parser = argparse.ArgumentParser(prog="virtdeck.launcher.warm")
    parser.add_argument("target", type=Path)
    parser.add_argument("--user")
    parser.add_argument("--as-in-pod", choices=("with-kvm", "without-kvm"), help=argparse.SUPPRESS)
    parser.add_argument("--mount-at", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    target: Path = options.target.absolute()
    if options.as_in_pod:
        _show_device(options.mount_at, usable=options.as_in_pod == "with-kvm")
        return _fill(target, options.user)
    if not (options.user and Path(KVM_DEVICE).exists()):
        return _fill(target, options.user)
    code = _fill_as_in_pod("without-kvm", target, options.user)
    # Its absence costs pods with KVM 0.4 s each, and nothing else.
    _fill_as_in_pod("with-kvm", target / KVM_CACHE, options.user)
    return code


def _fill_as_in_pod(pod: str, target: Path, user: str) -> int:
    with tempfile.TemporaryDirectory(prefix="virtdeck-warm-") as mount_at:
        again = [*_OWN_MOUNTS, sys.executable, "-m", "virtdeck.launcher.warm", str(target), "--user", user]
        again += ["--as-in-pod", pod, "--mount-at", mount_at]
        return subprocess.run(again, check=False).returncode


def _show_device(mount_at: Path, usable: bool) -> None:
    """In this process's own mounts, /dev/kvm is as a pod that has it, or has it not, would find it."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "dev,mode=755", "tmpfs", str(mount_at)], check=True)
    shown = mount_at / "kvm"
    if usable:
        os.mknod(shown, stat.S_IFCHR, Path(KVM_DEVICE).stat().st_rdev)
        shown.chmod(0o666)
    else:
        shown.touch(mode=0o000)
    subprocess.run(["mount", "--bind", str(shown), KVM_DEVICE], check=True)


def _fill(target: Path, user: str | None) -> int:
    target.mkdir(parents=True, exist_ok=True)
    target.chmod(0o755)  # every launcher reads it, whatever the umask here
    with tempfile.TemporaryDirectory(prefix="virtdeck-warm-") as work:
        pid = os.fork()
        if pid == 0:
            os._exit(_read_as(user, Path(work)))
        _, status = os.waitpid(pid, 0)
        for file in Path(DaemonPaths(work).capabilities).glob("*.xml"):
            shutil.copyfile(file, target / file.name)
            (target / file.name).chmod(0o644)
    return os.waitstatus_to_exitcode(status)


def _read_as(user: str | None, work: Path) -> int:
    if user:
        account = pwd.getpwnam(user)
        os.chown(work, account.pw_uid, account.pw_gid)
        os.setgroups([])
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)
    paths = DaemonPaths(str(work))
    pid = start_daemon(paths, HOST_UUID, None)
    try:
        asyncio.run(_read_capabilities(paths))
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
    return 0


async def _read_capabilities(paths: DaemonPaths) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        connection = await _connect(paths.socket)
        await learn_capabilities(connection, EMULATOR)
        connection.close()


async def _connect(path: str) -> Connection:
    while True:
        try:
            return await open_connection(path, lambda *_: None)
        except (FileNotFoundError, ConnectionRefusedError):
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
