"""Reads the header of a disk image ourselves, before QEMU may see the file."""

import os
import struct
from dataclasses import dataclass
from enum import StrEnum

from virtdeck.basis.errors import Invalid

HEAD_BYTES = 64 * 1024  # a qcow2 header with all its extensions is far below this
SECTOR = 512
MAX_VIRTUAL_SIZE = 16 << 40  # ext4's largest file; a 60 TiB qcow2 of 1 MB is an attack, not a disk


class UnsafeDiskImage(Invalid):
    """The image is of a format we do not take, is broken, or points at other files."""


class DiskFormat(StrEnum):
    """What QEMU is told; nothing is ever probed by QEMU itself."""

    RAW = "raw"
    QCOW2 = "qcow2"


@dataclass(frozen=True)
class DiskFacts:
    """What the header says. Units: bytes."""

    format: DiskFormat
    virtual_size: int
    file_size: int
    cluster_size: int = 0
    snapshots: int = 0


# Formats that can name other files, or that QEMU's drivers parse with too little care.
_REFUSED_MAGICS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"KDMV", "VMDK"),
    (0, b"COWD", "VMDK"),
    (0, b"# Disk DescriptorFile", "VMDK"),
    (0, b"vhdxfile", "VHDX"),
    (0, b"conectix", "VHD"),
    (0, b"QED\0", "QED"),
    (0, b"WithoutFreeSpace", "Parallels"),
    (0, b"WithouFreSpacExt", "Parallels"),
    (0, b"OOOM", "UML COW"),
    (0, b"LUKS\xba\xbe", "LUKS (encrypted)"),
    (0, b"Bochs Virtual HD Image", "Bochs"),
    (0, b"#!/bin/sh\n#V2.0 Format\nmodprobe cloop", "cloop"),
    (64, b"\x7f\x10\xda\xbe", "VDI"),
    (0, b"\x1f\x8b", "gzip (unpack it first)"),
    (0, b"\xfd7zXZ\0", "xz (unpack it first)"),
    (0, b"\x28\xb5\x2f\xfd", "zstd (unpack it first)"),
    (0, b"BZh", "bzip2 (unpack it first)"),
    (0, b"PK\x03\x04", "zip (unpack it first)"),
    (257, b"ustar", "tar (unpack it first)"),
)

_TEXT = bytes(range(0x20, 0x7F)) + b"\t\r\n"

_HEADER = struct.Struct(">4sIQIIQIIQQIIQ")  # version 2, 72 bytes
_HEADER_V3 = struct.Struct(">QQQII")  # 32 bytes more
_EXTENSION = struct.Struct(">II")
_DATA_FILE_EXTENSION = 0x44415441
_BACKING_FORMAT_EXTENSION = 0xE2792ACA
_LUKS_EXTENSION = 0x0537BE77

_FEATURE_CORRUPT = 1 << 1
_FEATURE_DATA_FILE = 1 << 2
_KNOWN_FEATURES = 0b11111  # dirty, corrupt, data file, compression type, extended L2


def inspect_disk(fd: int, max_virtual_size: int = MAX_VIRTUAL_SIZE) -> DiskFacts:
    """What the open regular file is; its offset is left alone. Raises: UnsafeDiskImage."""
    return parse_disk(os.pread(fd, HEAD_BYTES, 0), os.fstat(fd).st_size, max_virtual_size)


def parse_disk(head: bytes, file_size: int, max_virtual_size: int = MAX_VIRTUAL_SIZE) -> DiskFacts:
    """What an image that begins with ``head`` is; it names no other file and is not encrypted.

    Raises: UnsafeDiskImage, whose text says which rule was broken.
    """
    if file_size == 0:
        raise UnsafeDiskImage("the disk image is empty")
    if head[:4] == b"QFI\xfb":
        facts = _parse_qcow2(head, file_size)
    else:
        _refuse_foreign(head)
        facts = DiskFacts(DiskFormat.RAW, _whole_sectors(file_size), file_size)
    if not 0 < facts.virtual_size <= max_virtual_size:
        raise UnsafeDiskImage(
            f"the disk claims {facts.virtual_size} bytes; up to {max_virtual_size} bytes are allowed"
        )
    return facts


def _whole_sectors(size: int) -> int:
    return (size + SECTOR - 1) // SECTOR * SECTOR


def _refuse_foreign(head: bytes) -> None:
    for offset, magic, name in _REFUSED_MAGICS:
        if head[offset : offset + len(magic)] == magic:
            raise UnsafeDiskImage(
                f"the disk image is in {name} format; only qcow2 and raw are taken"
                " (convert it with: qemu-img convert -O qcow2)"
            )
    start = head[:SECTOR]
    if b"\n" in start and not start.translate(None, _TEXT):
        raise UnsafeDiskImage(
            "the disk image is a text file: a download's error page, perhaps; only qcow2 and raw are taken"
        )


@dataclass(frozen=True)
class _Qcow2:
    """The fields of a qcow2 header, in the file's order. Source: QEMU's docs/interop/qcow2.txt"""

    magic: bytes
    version: int
    backing_file_offset: int
    backing_file_size: int
    cluster_bits: int
    size: int
    crypt_method: int
    l1_size: int
    l1_table_offset: int
    refcount_table_offset: int
    refcount_table_clusters: int
    nb_snapshots: int
    snapshots_offset: int


def _parse_qcow2(head: bytes, file_size: int) -> DiskFacts:
    if len(head) < _HEADER.size:
        raise UnsafeDiskImage("the qcow2 header is cut off")
    header = _Qcow2(*_HEADER.unpack_from(head))
    if header.version not in {2, 3}:
        raise UnsafeDiskImage(f"qcow version {header.version} is not taken; only qcow2 (versions 2 and 3)")
    if not 9 <= header.cluster_bits <= 21:
        raise UnsafeDiskImage(f"the qcow2 image has clusters of 2^{header.cluster_bits} bytes")
    if header.backing_file_offset or header.backing_file_size:
        raise UnsafeDiskImage("the qcow2 image has a backing file; flatten it with qemu-img convert")
    if header.crypt_method:
        raise UnsafeDiskImage("the qcow2 image is encrypted")
    if header.nb_snapshots > 65536:
        raise UnsafeDiskImage(f"the qcow2 image claims {header.nb_snapshots} snapshots")
    _check_tables(header, file_size)
    cluster_size = 1 << header.cluster_bits
    header_length = _check_features(head) if header.version == 3 else _HEADER.size
    _check_extensions(head, header_length, min(cluster_size, file_size))
    return DiskFacts(DiskFormat.QCOW2, header.size, file_size, cluster_size, header.nb_snapshots)


def _check_tables(header: _Qcow2, file_size: int) -> None:
    cluster = 1 << header.cluster_bits
    # One L2 table of 8-byte entries maps cluster/8 clusters; wider entries need twice as many L1 entries.
    needed = -(-header.size // (cluster * cluster // 8))
    if header.l1_size * 8 > 32 << 20 or header.l1_size < needed:
        raise UnsafeDiskImage(
            f"the qcow2 image has an L1 table of {header.l1_size} entries for {header.size} bytes"
        )
    if header.refcount_table_clusters * cluster > 8 << 20:
        raise UnsafeDiskImage("the qcow2 image has an oversized refcount table")
    _check_inside(header.l1_table_offset, header.l1_size * 8, cluster, file_size)
    _check_inside(header.refcount_table_offset, header.refcount_table_clusters * cluster, cluster, file_size)


def _check_inside(offset: int, length: int, cluster: int, file_size: int) -> None:
    if offset % cluster or (length and (offset < cluster or offset + length > file_size)):
        raise UnsafeDiskImage("the qcow2 image's tables lie outside the file; is it cut off?")


def _check_features(head: bytes) -> int:
    if len(head) < _HEADER.size + _HEADER_V3.size:
        raise UnsafeDiskImage("the qcow2 header is cut off")
    incompatible, _, _, refcount_order, header_length = _HEADER_V3.unpack_from(head, _HEADER.size)
    if incompatible & _FEATURE_DATA_FILE:
        raise UnsafeDiskImage("the qcow2 image keeps its data in another file")
    if incompatible & _FEATURE_CORRUPT:
        raise UnsafeDiskImage("the qcow2 image is marked as corrupt; repair it with qemu-img check -r")
    if incompatible & ~_KNOWN_FEATURES:
        raise UnsafeDiskImage(f"the qcow2 image needs unknown features {incompatible:#x}")
    if refcount_order > 6 or header_length < _HEADER.size + _HEADER_V3.size or header_length % 8:
        raise UnsafeDiskImage("the qcow2 header is inconsistent")
    return int(header_length)


def _check_extensions(head: bytes, offset: int, end: int) -> None:
    """No header extension names another file or holds a key."""
    while offset + _EXTENSION.size <= end:
        if offset + _EXTENSION.size > len(head):
            raise UnsafeDiskImage("the qcow2 header has too many extensions")
        kind, length = _EXTENSION.unpack_from(head, offset)
        if kind == 0:
            return
        if kind == _DATA_FILE_EXTENSION:
            raise UnsafeDiskImage("the qcow2 image names an external data file")
        if kind == _BACKING_FORMAT_EXTENSION:
            raise UnsafeDiskImage("the qcow2 image names the format of a backing file")
        if kind == _LUKS_EXTENSION:
            raise UnsafeDiskImage("the qcow2 image is encrypted")
        if length > end - offset:
            raise UnsafeDiskImage("a qcow2 header extension leads out of the header")
        offset += _EXTENSION.size + (length + 7) // 8 * 8
