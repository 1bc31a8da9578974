"""Takes rights away from this process: what follows can read and write one folder, and nothing else."""

import ctypes
import os
import resource
from pathlib import Path

from virtdeck.basis.errors import HostFault

_CLONE_NEWNS = 0x00020000
_CLONE_NEWNET = 0x40000000
_CLONE_NEWIPC = 0x08000000
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAPBSET_DROP = 24
_LAST_CAPABILITY = 63
_CAPABILITY_VERSION_3 = 0x20080522


def confine(folder: Path, memory_bytes: int, cpu_seconds: int, file_bytes: int) -> None:
    """This process sees ``folder`` as its root, has no network and no capability, and bounded resources.

    Modules that are needed afterwards must have been imported before. Raises: HostFault.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.unshare(_CLONE_NEWNS | _CLONE_NEWNET | _CLONE_NEWIPC), "unshare")
    os.chroot(folder)
    os.chdir("/")
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _check(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # unknown numbers are refused, which is fine
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _check(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def _check(result: int, what: str) -> None:
    if result:
        raise HostFault(f"the unpacker cannot be confined ({what}): {os.strerror(ctypes.get_errno())}")
