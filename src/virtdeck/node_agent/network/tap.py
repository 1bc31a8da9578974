"""A tap device that an unprivileged launcher may open."""

import fcntl
import os
import struct

from virtdeck.basis.errors import HostFault

# Source: linux/if_tun.h
_TUNSETIFF, _TUNSETPERSIST, _TUNSETOWNER, _TUNSETGROUP = 0x400454CA, 0x400454CB, 0x400454CC, 0x400454CE
_IFF_TAP, _IFF_NO_PI, _IFF_VNET_HDR, _IFF_MULTI_QUEUE = 0x0002, 0x1000, 0x4000, 0x0100
_IFREQ = struct.Struct("16sH22x")


def add_tap(name: str, uid: int, *, multi_queue: bool = False) -> None:
    """The calling thread's namespace has the tap, owned by ``uid`` and gone only with the namespace.

    Raises: HostFault.
    """
    flags = _IFF_TAP | _IFF_NO_PI | _IFF_VNET_HDR | (_IFF_MULTI_QUEUE if multi_queue else 0)
    try:
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.ioctl(descriptor, _TUNSETIFF, _IFREQ.pack(name.encode(), flags))
            fcntl.ioctl(descriptor, _TUNSETOWNER, uid)
            fcntl.ioctl(descriptor, _TUNSETGROUP, uid)
            fcntl.ioctl(descriptor, _TUNSETPERSIST, 1)
        finally:
            os.close(descriptor)
    except OSError as fault:
        raise HostFault(f"the tap {name} cannot be made: {fault.strerror}") from fault
