"""Work inside a pod's network namespace, on a thread that ends with the work."""

import ctypes
import os
import threading
from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread

from virtdeck.basis.errors import HostFault

_CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)

_T = TypeVar("_T")


async def run_in_namespace(namespace: int, work: Callable[[], _T]) -> _T:
    """``work`` was done by a thread whose network namespace is the one behind the descriptor.

    The thread is new and never used again, so no other work can ever find itself in the pod's namespace.
    Sysctls below /proc/sys/net, sockets and child processes of ``work`` belong to that namespace.
    Cancel: the work is finished first.
    """
    return await anyio.to_thread.run_sync(_run_on_own_thread, namespace, work)


def _run_on_own_thread(namespace: int, work: Callable[[], _T]) -> _T:
    outcome: list[_T] = []
    faults: list[BaseException] = []

    def body() -> None:
        try:
            _enter(namespace)
            outcome.append(work())
        except BaseException as fault:
            faults.append(fault)  # for the thread that waits

    thread = threading.Thread(target=body, name="pod-network")
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return outcome[0]


def _enter(namespace: int) -> None:
    if _libc.setns(namespace, _CLONE_NEWNET) != 0:
        raise HostFault(f"the pod's network namespace cannot be entered: {os.strerror(ctypes.get_errno())}")
