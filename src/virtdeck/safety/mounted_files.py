"""The files of a mounted ConfigMap, Secret or the like, as a kubelet lays them, read without following links.

A kubelet keeps the files in a folder of their own, which the link ``..data`` names, and puts links to them
beside it, so that all change at once. The one link is read here, not followed.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from virtdeck.basis.errors import Invalid
from virtdeck.safety.openat2 import UnsafePath
from virtdeck.safety.paths import Directory, one_component

_CURRENT = "..data"


@dataclass(frozen=True)
class Bounds:
    """How much is taken. total: bytes of all files together."""

    files: int = 10_000  # a ConfigMap of 1 MiB can have more, each with a name and nothing else
    total: int = 8 << 20  # ConfigMaps and Secrets hold up to 1 MiB, labels and annotations less
    depth: int = 16


def read_mounted_files(mount: Directory, bounds: Bounds | None = None) -> dict[str, bytes]:
    """The content of each file by its path below the mount; one revision, also while it is being replaced.

    Raises: UnsafePath (a link, a device, too deep), Absent, Invalid (more than the bounds).
    """
    bounds = bounds or Bounds()
    found: dict[str, bytes] = {}
    room = bounds.total
    with _current(mount) as files:
        for path in _walk(files, "", bounds.depth):
            if len(found) == bounds.files:
                raise Invalid(f"it has more than {bounds.files} files")
            found[path] = _read(files, path, room, bounds.total)
            room -= len(found[path])
    return found


def _current(mount: Directory) -> Directory:
    """The folder with the files themselves: what ``..data`` names, or the mount as it is."""
    try:
        name = os.readlink(_CURRENT, dir_fd=mount.fd)
    except FileNotFoundError:
        return Directory(os.dup(mount.fd))
    one_component(name)
    return mount.directory(name)


def _walk(folder: Directory, path: str, depth: int) -> Iterator[str]:
    if depth == 0:
        raise UnsafePath(f"{path!r} is nested too deep")
    for name in folder.names():
        mode = folder.stat(name).st_mode
        if stat.S_ISDIR(mode):
            with folder.directory(name) as below:
                yield from _walk(below, f"{path}{name}/", depth - 1)
        elif stat.S_ISREG(mode):
            yield f"{path}{name}"
        else:
            raise UnsafePath(f"{path}{name} is neither a file nor a folder")


def _read(files: Directory, path: str, room: int, total: int) -> bytes:
    with os.fdopen(files.open_file(path), "rb") as file:
        data = file.read(room + 1)
    if len(data) > room:
        raise Invalid(f"its files are larger than {total} bytes")
    return data
