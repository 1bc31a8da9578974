"""Which disk images are taken, and the rule that each other one breaks."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.safety.disk_images import DiskFormat, UnsafeDiskImage, parse_disk

GIB = 1 << 30
CLUSTER = 1 << 16
FILE_SIZE = 4 * CLUSTER


def qcow2(extensions: bytes = b"\0" * 8, **changes: int) -> bytes:
    """A sound version 3 header of a 1 GiB disk, with the named fields changed."""
    fields = {
        "version": 3,
        "backing_offset": 0,
        "backing_size": 0,
        "cluster_bits": 16,
        "size": GIB,
        "crypt": 0,
        "l1_size": 2,
        "l1_offset": 3 * CLUSTER,
        "refcount_offset": CLUSTER,
        "refcount_clusters": 1,
        "snapshots": 0,
        "snapshots_offset": 0,
        "incompatible": 0,
        "compatible": 0,
        "autoclear": 0,
        "refcount_order": 4,
        "header_length": 104,
    } | changes
    return struct.pack(">4sIQIIQIIQQIIQQQQII", b"QFI\xfb", *fields.values()) + extensions


def extension(kind: int, data: bytes) -> bytes:
    return struct.pack(">II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def test_a_sound_qcow2_is_taken() -> None:
    facts = parse_disk(qcow2(extension(0x6803F857, b"names") + b"\0" * 8), FILE_SIZE)
    assert (facts.format, facts.virtual_size, facts.cluster_size) == (DiskFormat.QCOW2, GIB, CLUSTER)


def test_a_version_2_qcow2_is_taken() -> None:
    assert parse_disk(qcow2(version=2)[:72] + b"\0" * 100, FILE_SIZE).format is DiskFormat.QCOW2


def test_anything_without_a_known_header_is_raw_in_whole_sectors() -> None:
    facts = parse_disk(b"\x33\xc0" + b"\0" * 600, 1000)
    assert (facts.format, facts.virtual_size) == (DiskFormat.RAW, 1024)


@pytest.mark.parametrize(
    ("head", "rule"),
    [
        (b"<!doctype html>\n<title>404 Not Found</title>\n", "text file"),
        (b"ubuntu\r\n" * 100, "text file"),
        (qcow2(backing_offset=200, backing_size=11), "backing file"),
        (qcow2(backing_offset=0, backing_size=11), "backing file"),
        (qcow2(incompatible=0b100), "another file"),
        (qcow2(extension(0x44415441, b"/etc/shadow")), "external data file"),
        (qcow2(extension(0x6803F857, b"x" * 48) + extension(0x44415441, b"json:{}")), "external data file"),
        (qcow2(extension(0xE2792ACA, b"raw")), "backing file"),
        (qcow2(extension(0x0537BE77, b"\0" * 16)), "encrypted"),
        (qcow2(crypt=1), "encrypted"),
        (qcow2(crypt=2), "encrypted"),
        (qcow2(version=1), "version 1"),
        (qcow2(version=4), "version 4"),
        (qcow2(incompatible=0b10), "corrupt"),
        (qcow2(incompatible=1 << 20), "unknown features"),
        (qcow2(cluster_bits=31), "clusters of"),
        (qcow2(cluster_bits=0), "clusters of"),
        (qcow2(size=60 << 40, l1_size=122_880, cluster_bits=16, l1_offset=CLUSTER), "bytes are allowed"),
        (qcow2(size=(8 << 60) - 1, l1_size=4 << 20), "L1 table"),
        (qcow2(size=0), "claims 0 bytes"),
        (qcow2(l1_size=1), "L1 table"),
        (qcow2(l1_offset=CLUSTER * 9), "outside the file"),
        (qcow2(l1_offset=100), "outside the file"),
        (qcow2(refcount_clusters=1000), "refcount"),
        (qcow2(refcount_order=9), "inconsistent"),
        (qcow2(header_length=8), "inconsistent"),
        (qcow2(snapshots=1 << 20), "snapshots"),
        (qcow2()[:90], "cut off"),
        (qcow2()[:40], "cut off"),
        (qcow2(extension(0x6803F857, b"x")[:4] + struct.pack(">I", 1 << 31)), "out of the header"),
        (qcow2(extension(1, b"")), "too many extensions"),
        (b"KDMV" + b"\0" * 100, "VMDK"),
        (b"# Disk DescriptorFile\nversion=1", "VMDK"),
        (b"vhdxfile", "VHDX"),
        (b"\0" * 64 + b"\x7f\x10\xda\xbe", "VDI"),
        (b"conectix", "VHD"),
        (b"QED\0", "QED"),
        (b"LUKS\xba\xbe\0\2", "LUKS"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\0" * 257 + b"ustar", "tar"),
    ],
)
def test_an_unsafe_image_is_refused_by_name(head: bytes, rule: str) -> None:
    with pytest.raises(UnsafeDiskImage, match=rule):
        parse_disk(head, 32 * CLUSTER if "allowed" in rule else FILE_SIZE)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(UnsafeDiskImage, match="empty"):
        parse_disk(b"", 0)


@given(st.binary(max_size=400), st.integers(0, 1 << 50))
def test_any_bytes_give_facts_or_a_refusal(tail: bytes, size: int) -> None:
    for head in (tail, b"QFI\xfb\0\0\0\3" + tail):
        try:
            facts = parse_disk(head, size)
        except UnsafeDiskImage:
            continue
        assert facts.virtual_size > 0
