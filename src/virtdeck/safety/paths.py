"""Folders that others may write to, used by descriptors alone: no link followed, nothing outside reached."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from virtdeck.basis.errors import Absent, HostFault
from virtdeck.safety.openat2 import UnsafePath, openat2_beneath

__all__ = ["Directory", "UnsafePath", "open_trusted"]

_MAX_DEPTH = 32
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Directory:
    """An open directory; every path given to it is relative, and is walked without links and without leaving.

    A context manager that closes the descriptor. ``name`` is one component, ``path`` may be several.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The descriptor is given back; a second call does nothing."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def directory(self, path: str) -> "Directory":
        """The directory at ``path``. Raises: UnsafePath, Absent."""
        return Directory(openat2_beneath(self.fd, path, _DIRECTORY))

    def make_directory(
        self, name: str, mode: int = 0o700, owner: tuple[int, int] | None = None
    ) -> "Directory":
        """The directory ``name``, made with this mode and owner unless it was there already."""
        one_component(name)
        try:
            os.mkdir(name, 0o700, dir_fd=self.fd)
        except FileExistsError:
            return self.directory(name)
        made = self.directory(name)
        if owner is not None:
            os.fchown(made.fd, *owner)
        os.fchmod(made.fd, mode)
        return made

    def handle(self, path: str) -> int:
        """An O_PATH descriptor of what is at ``path``, never of a link. Raises: UnsafePath, Absent."""
        fd = openat2_beneath(self.fd, path, os.O_PATH | os.O_NOFOLLOW)
        if stat.S_ISLNK(os.fstat(fd).st_mode):
            os.close(fd)
            raise UnsafePath(f"{path!r} is a symbolic link")
        return fd

    def open_file(self, path: str, flags: int = os.O_RDONLY) -> int:
        """A descriptor of the regular file at ``path``; pipes and devices are refused before they are opened.

        Raises: UnsafePath, Absent.
        """
        handle = self.handle(path)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UnsafePath(f"{path!r} is not a regular file")
            # The handle pins the inode that was checked, so a swap in between changes nothing.
            return os.open(f"/proc/self/fd/{handle}", flags & ~os.O_NOFOLLOW | os.O_CLOEXEC)
        finally:
            os.close(handle)

    def create_file(self, path: str, mode: int = 0o600) -> int:
        """A read-write descriptor of a file that did not exist before. Raises: FileExistsError."""
        return openat2_beneath(self.fd, path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def read_bytes(self, path: str, limit: int = 1 << 20) -> bytes:
        """The regular file's content. Raises: UnsafePath (also when it is longer than ``limit``), Absent."""
        with os.fdopen(self.open_file(path), "rb") as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise UnsafePath(f"{path!r} is longer than {limit} bytes")
        return data

    def write_bytes(
        self, name: str, data: bytes, mode: int = 0o600, owner: tuple[int, int] | None = None
    ) -> None:
        """``name`` holds ``data``: a reader sees the old content or the new, also after a crash."""
        one_component(name)
        with self._replacing(name) as fd:
            with os.fdopen(os.dup(fd), "wb") as file:
                file.write(data)
            if owner is not None:
                os.fchown(fd, *owner)
            os.fchmod(fd, mode)
            os.fsync(fd)

    @contextmanager
    def _replacing(self, name: str) -> Iterator[int]:
        temporary = f".{secrets.token_hex(8)}.tmp"
        fd = self.create_file(temporary)
        try:
            yield fd
            os.rename(temporary, name, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=self.fd)
            raise
        finally:
            os.close(fd)

    def stat(self, path: str) -> os.stat_result:
        """What is at ``path``. Raises: UnsafePath, Absent."""
        fd = self.handle(path)
        try:
            return os.fstat(fd)
        finally:
            os.close(fd)

    def exists(self, path: str) -> bool:
        """Something that is not a link stands at ``path``. Raises: UnsafePath."""
        try:
            self.stat(path)
        except Absent:
            return False
        return True

    def names(self) -> list[str]:
        """The names in this directory, sorted."""
        return sorted(os.listdir(self.fd))  # noqa: PTH208 - pathlib knows no descriptors

    def remove_file(self, name: str) -> None:
        """Nothing called ``name`` is there; a link is not followed. Raises: UnsafePath (a directory)."""
        one_component(name)
        try:
            os.unlink(name, dir_fd=self.fd)
        except FileNotFoundError:
            return
        except IsADirectoryError as fault:
            raise UnsafePath(f"{name!r} is a directory") from fault

    def remove_tree(self, name: str) -> None:
        """Nothing called ``name`` is there, whatever it held; links are removed, not followed."""
        one_component(name)
        pending = [name]
        while pending:
            pending.extend(self._remove(pending.pop(), self.fd, 0))

    def _remove(self, name: str, top_fd: int, depth: int) -> list[str]:
        """Remove ``name``; what is nested too deep is moved to the top and named in the answer."""
        if depth == _MAX_DEPTH:  # a guest can nest deeper than a process may open files
            moved = f".{secrets.token_hex(8)}.removed"
            os.rename(name, moved, src_dir_fd=self.fd, dst_dir_fd=top_fd)
            return [moved]
        try:
            child = self.directory(name)
        except Absent:
            return []
        except UnsafePath:
            self.remove_file(name)
            return []
        with child:
            moved_up = [found for entry in child.names() for found in child._remove(entry, top_fd, depth + 1)]
        with suppress(FileNotFoundError):
            os.rmdir(name, dir_fd=self.fd)
        return moved_up


def open_trusted(path: str | os.PathLike[str]) -> Directory:
    """The directory at an absolute path that only root can change: where a confined walk begins.

    Raises: Absent, HostFault.
    """
    try:
        return Directory(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except FileNotFoundError as fault:
        raise Absent(f"{os.fspath(path)} does not exist") from fault
    except OSError as fault:
        raise HostFault(f"{os.fspath(path)} cannot be opened: {fault.strerror}") from fault


def one_component(name: str) -> None:
    """The name is a single path component. Raises: UnsafePath."""
    if not name or name in {".", ".."} or "/" in name or "\0" in name or len(os.fsencode(name)) > 255:
        raise UnsafePath(f"{name[:300]!r} is not a file name")
