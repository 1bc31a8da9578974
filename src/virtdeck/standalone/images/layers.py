"""Applies the layers of an OCI image to a folder: regular files and folders, nothing else."""

import errno
import io
import os
import tarfile
from dataclasses import dataclass, field
from typing import IO

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.safety.paths import Directory, UnsafePath

_WHITEOUT = ".wh."
_OPAQUE = ".wh..wh..opq"
_CHUNK = 1 << 20
_HOLE = 1 << 16  # runs of zeros this long become holes
_MAX_DEPTH = 64


@dataclass(frozen=True)
class Limits:
    """How large an image may be. Units: bytes unpacked, members of all layers."""

    total_bytes: int = 256 << 30
    members: int = 500_000


@dataclass
class Unpacking:
    """What has been taken so far."""

    limits: Limits
    used_bytes: int = 0
    members: int = 0
    skipped: list[str] = field(default_factory=list)

    def count(self, size: int = 0, members: int = 0) -> None:
        """Raises: Invalid when the image is too large."""
        self.used_bytes += size
        self.members += members
        if self.used_bytes > self.limits.total_bytes:
            raise Invalid(
                f"the image unpacks to more than {self.limits.total_bytes} bytes", reason="ImageTooLarge"
            )
        if self.members > self.limits.members:
            raise Invalid(f"the image has more than {self.limits.members} files", reason="ImageTooLarge")


def apply_layer(stream: IO[bytes], root: Directory, unpacking: Unpacking) -> None:
    """The layer's files replace those of the layers below; whiteouts remove.

    Raises: Invalid, UnsafePath.
    """
    try:
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_CHUNK, errorlevel=1) as archive:
            for member in archive:
                unpacking.count(members=1)
                _apply(archive, member, root, unpacking)
                archive.members.clear()  # type: ignore[attr-defined] # tarfile remembers every member for ever
    except OSError as fault:
        reason = "ImageTooLarge" if fault.errno in {errno.EFBIG, errno.ENOSPC} else "BrokenImage"
        raise Invalid(f"a layer of the image cannot be unpacked: {fault}", reason=reason) from fault
    except (tarfile.TarError, EOFError, ValueError, UnicodeError) as fault:
        raise Invalid(f"a layer of the image cannot be read: {fault}", reason="BrokenImage") from fault


def _apply(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Directory, unpacking: Unpacking) -> None:
    parts = safe_parts(member.name)
    if not parts:
        return
    *folders, name = parts
    if name == _OPAQUE:
        _empty(root, folders)
    elif name.startswith(_WHITEOUT):
        _remove(root, folders, name.removeprefix(_WHITEOUT))
    elif member.isdir():
        with _folder(root, parts):
            pass
    elif member.isreg():
        source = archive.extractfile(member)
        with _folder(root, folders) as folder:
            folder.remove_tree(name)
            _write(folder, name, source or io.BytesIO(), unpacking)
    elif folders and folders[0] == "disk":
        raise UnsafePath(
            f"/{'/'.join(parts)[:200]} in the image is a link or a device; it must be the disk's file itself",
            reason="UnsafeDiskPath",
        )
    else:
        unpacking.skipped.append("/".join(parts))


def safe_parts(path: str) -> list[str]:
    """The path's components. Raises: UnsafePath for one that leads upwards or is absurd."""
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if ".." in parts or "\0" in path:
        raise UnsafePath(f"a file in the image is called {path[:200]!r}")
    if len(parts) > _MAX_DEPTH or any(len(os.fsencode(part)) > 255 for part in parts):
        raise UnsafePath(f"a file in the image lies too deep or has too long a name: {path[:100]!r}…")
    return parts


def _folder(root: Directory, parts: list[str]) -> Directory:
    """The folder, made where it is missing; a file in its place gives way."""
    here = Directory(os.dup(root.fd))
    for part in parts:
        try:
            below = here.make_directory(part, 0o755)
        except UnsafePath:
            here.remove_tree(part)
            below = here.make_directory(part, 0o755)
        here.close()
        here = below
    return here


def _empty(root: Directory, folders: list[str]) -> None:
    with _folder(root, folders) as folder:
        for name in folder.names():
            folder.remove_tree(name)


def _remove(root: Directory, folders: list[str], name: str) -> None:
    if name in {"", ".", ".."}:
        raise UnsafePath("the image removes a file that cannot have this name")
    try:
        with root.directory("/".join(folders) or ".") as folder:
            folder.remove_tree(name)
    except Absent:
        return


def _write(folder: Directory, name: str, source: IO[bytes], unpacking: Unpacking) -> None:
    fd = folder.create_file(name, 0o600)
    try:
        size = 0
        while chunk := source.read(_CHUNK):
            unpacking.count(size=len(chunk))
            write_sparse(fd, chunk, size)
            size += len(chunk)
        os.ftruncate(fd, size)
        os.fchmod(fd, 0o444)
    finally:
        os.close(fd)


def write_sparse(fd: int, data: bytes, offset: int) -> None:
    """``data`` stands at ``offset``; long runs of zeros are left as holes."""
    view = memoryview(data)
    for start in range(0, len(view), _HOLE):
        piece = view[start : start + _HOLE]
        if any(piece):
            os.pwrite(fd, piece, offset + start)
