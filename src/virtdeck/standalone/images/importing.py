"""Makes an image of a disk file."""

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from virtdeck.basis.errors import Invalid
from virtdeck.safety.disk_images import inspect_disk
from virtdeck.standalone.images.layers import write_sparse
from virtdeck.standalone.images.records import ImageRecord
from virtdeck.standalone.images.references import canonical
from virtdeck.standalone.images.store import ImageStore

_CHUNK = 4 << 20
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def import_disk(store: ImageStore, file: Path, name: str, say: Callable[[str], None]) -> ImageRecord:
    """The store has an image called ``name`` whose /disk holds a copy of the qcow2 or raw file.

    Raises: UnsafeDiskImage, Invalid.
    """
    kept_as = canonical(name)
    try:
        source = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as fault:
        raise Invalid(f"{file} cannot be read: {fault.strerror}") from fault
    try:
        if not file.is_file():
            raise Invalid(f"{file} is not a file")
        facts = inspect_disk(source)
        say(f"{file}: {facts.format}, {facts.virtual_size / (1 << 30):.2f} GiB as the guest sees it")
        with store.workplace() as work:
            (work / "tree/disk").mkdir(parents=True)
            inside = file.name if _FILE_NAME.fullmatch(file.name) else f"disk.{facts.format}"
            digest = _copy(source, work / "tree/disk" / inside)
            # Looked at again: what was copied counts, not what was there a moment before.
            with (work / "tree/disk" / inside).open("rb") as copy:
                inspect_disk(copy.fileno())
            return store.add(kept_as, digest, work / "tree", str(file.resolve()), local=True)
    finally:
        os.close(source)


def _copy(source: int, target: Path) -> str:
    """The target is a copy with the source's holes; the answer is the content's digest."""
    digest = hashlib.sha256(target.name.encode() + b"\0")
    fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with suppress(OSError):  # only advice
            os.posix_fadvise(source, 0, 0, os.POSIX_FADV_SEQUENTIAL)
        offset = 0
        while chunk := os.pread(source, _CHUNK, offset):
            digest.update(chunk)
            write_sparse(fd, chunk, offset)
            offset += len(chunk)
        os.ftruncate(fd, offset)
        os.fchmod(fd, 0o444)
    finally:
        os.close(fd)
    return "sha256:" + digest.hexdigest()
