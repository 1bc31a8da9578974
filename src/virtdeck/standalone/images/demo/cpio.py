"""Writes an initial RAM disk: a cpio archive in the "newc" format, gzipped."""

import gzip
import stat
from pathlib import Path

_FIELDS = 13
_NO_FIELDS = (0,) * 4


def initrd(root: Path) -> bytes:
    """Everything below ``root`` as an archive that the kernel unpacks; equal trees give equal bytes.

    Source: Documentation/driver-api/early-userspace/buffer-format.rst
    """
    entries = [_entry(path, str(path.relative_to(root))) for path in sorted(root.rglob("*"))]
    archive = b"".join(entries) + _header("TRAILER!!!", 0, 0) + b""
    return gzip.compress(archive, compresslevel=6, mtime=0)


def _entry(path: Path, name: str) -> bytes:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        content = str(path.readlink()).encode()
    elif stat.S_ISREG(mode):
        content = path.read_bytes()
    else:
        content = b""
    return _header(name, mode, len(content)) + _padded(content)


def _header(name: str, mode: int, size: int) -> bytes:
    links = 2 if stat.S_ISDIR(mode) else 1
    encoded = name.encode() + b"\0"
    # inode, mode, uid, gid, links, mtime, size, four device numbers, length of the name, checksum
    fields = (0, mode, 0, 0, links, 0, size, *_NO_FIELDS, len(encoded), 0)
    return _padded(b"070701" + b"".join(b"%08X" % field for field in fields) + encoded)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)
