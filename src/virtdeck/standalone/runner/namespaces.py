"""Network namespaces that outlive their maker: bind-mounted, as ``ip netns`` has them."""

import ctypes
import os
import threading
from pathlib import Path

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.runner.mounts import MS_BIND, mount, mounts_below, unmount

FOLDER = Path("/run/netns")
_CLONE_NEWNET = 0x40000000

_libc = ctypes.CDLL(None, use_errno=True)


def make_network_namespace(name: str) -> Path:
    """A new network namespace stands at the path; it takes no router advertisements. Raises: HostFault."""
    FOLDER.mkdir(mode=0o755, parents=True, exist_ok=True)
    path = FOLDER / name
    path.touch(mode=0o400)
    faults: list[Exception] = []
    # A thread of its own: namespaces belong to threads, and this one ends with its task.
    maker = threading.Thread(target=_make, args=(path, faults), name="netns")
    maker.start()
    maker.join()
    if faults:
        path.unlink(missing_ok=True)
        raise HostFault(f"no network namespace can be made: {faults[0]}") from faults[0]
    return path


def remove_network_namespace(name: str) -> None:
    """The name is gone; the namespace goes with its last process. Raises: HostFault."""
    path = FOLDER / name
    for point in mounts_below(str(path)):
        unmount(point)
    path.unlink(missing_ok=True)


def network_namespaces(prefix: str) -> list[str]:
    """The names there are."""
    return sorted(path.name for path in FOLDER.glob(f"{prefix}*")) if FOLDER.is_dir() else []


def _make(path: Path, faults: list[Exception]) -> None:
    try:
        if _libc.unshare(_CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        for scope in ("all", "default"):
            accept = Path(f"/proc/sys/net/ipv6/conf/{scope}/accept_ra")
            if accept.exists():
                accept.write_text("0")
        mount("/proc/thread-self/ns/net", str(path), flags=MS_BIND)
    except (OSError, HostFault) as fault:
        faults.append(fault)
