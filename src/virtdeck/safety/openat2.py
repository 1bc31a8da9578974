"""The openat2 system call, which Python 3.11 has no name for."""

import ctypes
import errno
import os

from virtdeck.basis.errors import Absent, HostFault, Invalid

_SYS_OPENAT2 = 437  # the same number on every architecture
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_NO_SYMLINKS = 0x04
_RESOLVE_BENEATH = 0x08
_CONFINED = _RESOLVE_BENEATH | _RESOLVE_NO_SYMLINKS | _RESOLVE_NO_MAGICLINKS
# A rename elsewhere during the walk makes RESOLVE_BENEATH answer EAGAIN; an attacker may rename for ever.
_ATTEMPTS = 64


class UnsafePath(Invalid):
    """The path leads through a link, out of its folder, or to something that is not of the wanted type."""


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def openat2_beneath(directory_fd: int, path: str, flags: int, mode: int = 0) -> int:
    """A close-on-exec descriptor of ``path``, which lies below the directory and was reached without links.

    Raises: UnsafePath; Absent; FileExistsError with O_EXCL; HostFault for the rest.
    Source: openat2(2)
    """
    if "\0" in path:
        raise UnsafePath("a path holds a NUL character")
    how = _OpenHow(flags | os.O_CLOEXEC, mode, _CONFINED)
    for _ in range(_ATTEMPTS):
        fd = _libc.syscall(
            ctypes.c_long(_SYS_OPENAT2),
            ctypes.c_int(directory_fd),
            ctypes.c_char_p(os.fsencode(path)),
            ctypes.byref(how),
            ctypes.c_size_t(ctypes.sizeof(how)),
        )
        if fd >= 0:
            return int(fd)
        code = ctypes.get_errno()
        if code not in {errno.EAGAIN, errno.EINTR}:
            raise _fault(code, path)
    raise UnsafePath(f"{path!r} keeps being renamed while it is opened")


def _fault(code: int, path: str) -> Exception:
    match code:
        case errno.ELOOP | errno.EXDEV:
            return UnsafePath(f"{path!r} leads through a link or out of its folder")
        case errno.ENOTDIR | errno.EISDIR | errno.ENXIO | errno.ENAMETOOLONG:
            return UnsafePath(f"{path!r} is not what it should be: {os.strerror(code)}")
        case errno.ENOENT:
            return Absent(f"{path!r} does not exist")
        case errno.EEXIST:
            return FileExistsError(code, os.strerror(code), path)
        case _:
            return HostFault(f"{path!r} cannot be opened: {os.strerror(code)}")
