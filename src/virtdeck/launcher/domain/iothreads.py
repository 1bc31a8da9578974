"""Threads that serve disks beside QEMU's main loop. Source: ioThreadsPolicy, dedicatedIOThread."""

from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.launcher.domain.elements.machine import Iothread
from virtdeck.launcher.domain.processor import boot_vcpus
from virtdeck.launcher.domain.request import Request

THREADS_PER_CPU = 2  # KubeVirt's bound for the policy auto


def iothreads(request: Request) -> Iothread | None:
    """How many threads there are; none when nobody asks."""
    count = _shared_count(request) + len(_dedicated(request))
    return Iothread(value=str(count)) if count else None


def thread_of_disk(request: Request, disk: Disk) -> int | None:
    """The thread, from 1, that serves this disk: dedicated ones come first, others share the rest in turn."""
    dedicated = _dedicated(request)
    if disk.name in dedicated:
        return dedicated.index(disk.name) + 1
    shared = _shared_count(request)
    if not shared:
        return None
    others = [item.name for item in request.devices.disks or () if item.name not in dedicated]
    position = others.index(disk.name) if disk.name in others else len(others)
    return len(dedicated) + position % shared + 1


def _dedicated(request: Request) -> list[str]:
    return [disk.name for disk in request.devices.disks or () if disk.dedicated_io_thread]


def _shared_count(request: Request) -> int:
    disks = len(request.devices.disks or ()) - len(_dedicated(request))
    match request.domain.io_threads_policy:
        case "shared":
            return 1
        case "auto":
            return max(1, min(disks, THREADS_PER_CPU * boot_vcpus(request) - len(_dedicated(request))))
        case "supplementalPool":
            pool = request.domain.io_threads
            return (pool.supplemental_pool_thread_count if pool else None) or 1
    return 1 if _dedicated(request) and disks else 0
