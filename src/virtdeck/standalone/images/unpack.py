"""The confined child that unpacks a pulled image: ``python -m virtdeck.standalone.images.unpack FOLDER``.

FOLDER/image is what skopeo wrote (``dir:`` layout), FOLDER/tree becomes the image's files.
The last line of stdout is a JSON object: what was done, or why not.
"""

import encodings.idna  # noqa: F401 - loaded before the root changes
import gzip
import json
import os
import stat
import sys
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, cast

from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.safety.disk_images import inspect_disk
from virtdeck.safety.openat2 import openat2_beneath
from virtdeck.safety.paths import Directory, UnsafePath, open_trusted
from virtdeck.standalone.images.confinement import confine
from virtdeck.standalone.images.layers import Limits, Unpacking, apply_layer

_MEMORY_BYTES = 1 << 30
_CPU_SECONDS = 3600
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


def main() -> int:
    """0 when /tree holds the image's files and each of its disks is safe to use."""
    folder, limits = Path(sys.argv[1]), Limits(total_bytes=int(sys.argv[2]))
    try:
        confine(folder, _MEMORY_BYTES, _CPU_SECONDS, limits.total_bytes)
        unpacking = unpack(limits)
    except VirtdeckError as fault:
        print(json.dumps({"reason": fault.reason, "message": fault.message}))  # noqa: T201 - to the parent
        return 1
    except (MemoryError, OSError) as fault:
        print(json.dumps({"reason": "HostFault", "message": str(fault)}))  # noqa: T201
        return 1
    done = asdict(unpacking) | {"skipped": unpacking.skipped[:20], "skipped_count": len(unpacking.skipped)}
    print(json.dumps(done))  # noqa: T201
    return 0


def unpack(limits: Limits) -> Unpacking:
    """/tree holds what the layers in /image give. Raises: Invalid, UnsafePath, UnsafeDiskImage."""
    unpacking = Unpacking(limits)
    with open_trusted("/image") as image, open_trusted("/tree") as tree:
        with os.fdopen(_open_regular(image, "manifest.json"), "rb") as file:
            manifest = file.read(4 << 20)
        for digest in layer_digests(manifest):
            with _open_layer(image, digest) as stream:
                apply_layer(stream, tree, unpacking)
        _check_disks(tree)
    return unpacking


def layer_digests(manifest: bytes) -> list[str]:
    """The layers' digests, lowest first. Raises: Invalid."""
    try:
        parsed: Any = json.loads(manifest)
        layers = [str(layer["digest"]) for layer in parsed["layers"]]
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise Invalid("the image's manifest cannot be read", reason="BrokenImage") from fault
    for digest in layers:
        algorithm, _, hexadecimal = digest.partition(":")
        if algorithm != "sha256" or len(hexadecimal) != 64 or not hexadecimal.isalnum():
            raise Invalid(f"the manifest names a layer {digest[:80]!r}", reason="BrokenImage")
    return layers


def _open_layer(image: Directory, digest: str) -> IO[bytes]:
    file = os.fdopen(_open_regular(image, digest.partition(":")[2]), "rb")
    magic = file.read(4)
    file.seek(0)
    if magic.startswith(_GZIP):
        return cast(IO[bytes], _Gunzip(file))
    if magic == _ZSTD:
        raise Invalid("a layer is compressed with zstd", reason="CompressedWithZstd")
    return file


def _open_regular(folder: Directory, name: str) -> int:
    """As Directory.open_file, which needs a /proc; in here only we have made files, all of them regular."""
    fd = openat2_beneath(folder.fd, name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UnsafePath(f"/{name} in the image is not a regular file", reason="UnsafeDiskPath")
    return fd


class _Gunzip(gzip.GzipFile):
    """A gzip stream whose faults are OSErrors, as a file's are."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(fileobj=file, mode="rb")

    def read(self, size: int | None = -1) -> bytes:
        try:
            return super().read(size)
        except zlib.error as fault:
            raise OSError(f"damaged gzip stream: {fault}") from fault


def _check_disks(tree: Directory) -> None:
    """Every file in /disk is a disk that names no other file."""
    if not tree.exists("disk"):
        return
    with tree.directory("disk") as disks:
        for name in disks.names():
            fd = _open_regular(disks, name)
            try:
                inspect_disk(fd)
            finally:
                os.close(fd)


if __name__ == "__main__":
    sys.exit(main())
