"""The pieces that a demo image is put together from."""

import gzip
import lzma
import struct
from pathlib import Path

import pytest

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.images.demo.boot_disk import PARTITION_START, master_boot_record
from virtdeck.standalone.images.demo.cpio import initrd
from virtdeck.standalone.images.demo.kernel_modules import (
    alias_lines,
    closure,
    dependency_lines,
    read_modules,
)
from virtdeck.standalone.images.demo.unpacked_kernel import unpacked_kernel

KERNEL_AT = 0x1000000


def module(folder: Path, name: str, depends: str = "", softdep: str = "", alias: str = "") -> None:
    path = folder / "kernel" / f"{name}.ko"
    path.parent.mkdir(exist_ok=True)
    fields = f"\0license=GPL\0depends={depends}\0softdep={softdep}\0alias={alias}\0"
    path.write_bytes(b"\x7fELF" + fields.encode())


def test_modules_come_after_what_they_need(tmp_path: Path) -> None:
    module(tmp_path, "ext4", "jbd2,mbcache", softdep="pre: crc32c")
    module(tmp_path, "jbd2")
    module(tmp_path, "mbcache")
    module(tmp_path, "crc32c")
    module(tmp_path, "virtio-rng", alias="virtio:d00000004v*")
    modules = read_modules(tmp_path)
    assert [found.name for found in closure(["ext4"], modules)] == ["jbd2", "mbcache", "crc32c", "ext4"]
    assert closure(["built_in"], modules) == []
    del modules["jbd2"]
    with pytest.raises(HostFault, match="needs jbd2"):
        closure(["ext4"], modules)
    modules = read_modules(tmp_path)
    chosen = closure(["virtio_rng"], modules)
    assert alias_lines(chosen) == "alias virtio:d00000004v* virtio_rng\n"
    assert dependency_lines(closure(["jbd2", "ext4"], modules), tmp_path).splitlines()[-1] == (
        "kernel/ext4.ko: kernel/crc32c.ko kernel/mbcache.ko kernel/jbd2.ko"
    )


def test_equal_trees_give_equal_ram_disks(tmp_path: Path) -> None:
    for root in (tmp_path / "a", tmp_path / "b"):
        (root / "bin").mkdir(parents=True)
        (root / "bin/sh").symlink_to("busybox")
        (root / "init").write_text("#!/bin/sh\n")
        (root / "init").chmod(0o755)
    archive = initrd(tmp_path / "a")
    assert archive == initrd(tmp_path / "b")
    plain = gzip.decompress(archive)
    assert plain.count(b"070701") == 4  # bin, bin/sh, init and the trailer
    assert len(plain) % 4 == 0


def test_the_boot_record_has_one_active_linux_partition() -> None:
    record = master_boot_record(bytes(512), 4096)
    active, kind, start, count = struct.unpack_from("<B3xB3xII", record, 446)
    assert (active, kind, start, count) == (0x80, 0x83, PARTITION_START, 4096 - PARTITION_START)
    assert (len(record), record[-2:]) == (512, b"\x55\xaa")


def packed_kernel(entry: int = KERNEL_AT) -> bytes:
    """A kernel package's image in small: setup code, and an xz payload with an ELF of two segments."""
    header = struct.pack("<4sB11x8xQQ", b"\x7fELF", 2, entry, 64) + bytes(14) + struct.pack("<HH", 56, 2)
    header = header.ljust(64, b"\0")
    first = struct.pack("<IIQQQQQQ", 1, 5, 0x200, 0, KERNEL_AT, 4, 0x1000, 0x1000)
    second = struct.pack("<IIQQQQQQ", 1, 6, 0x204, 0, KERNEL_AT + 0x2000, 4, 0x5000, 0x1000)
    elf = (header + first + second).ljust(0x200, b"\0") + b"TEXTDATA"
    payload = lzma.compress(elf, check=lzma.CHECK_CRC32) + struct.pack("<I", len(elf))
    setup = bytearray(2 * 512)
    setup[0x1F1] = 1
    setup[0x202:0x206] = b"HdrS"
    struct.pack_into("<II", setup, 0x248, 16, len(payload))
    return bytes(setup) + bytes(16) + payload


def test_an_unpacked_kernel_stands_where_it_is_linked() -> None:
    image = unpacked_kernel(packed_kernel())
    (preferred,) = struct.unpack_from("<Q", image, 0x258)
    (memory,) = struct.unpack_from("<I", image, 0x260)
    code = image[1024:]
    at = KERNEL_AT - preferred
    assert code[at : at + 4] == b"TEXT"
    assert code[at + 0x2000 : at + 0x2004] == b"DATA"
    assert preferred + memory == KERNEL_AT + 0x7000
    assert image[0x234] == 1


def test_its_page_tables_map_memory_to_itself() -> None:
    code = unpacked_kernel(packed_kernel())[1024:]
    (preferred,) = struct.unpack_from("<Q", unpacked_kernel(packed_kernel()), 0x258)

    def entry(table: int, index: int) -> int:
        return int(struct.unpack_from("<Q", code, table - preferred + 8 * index)[0])

    for address in (0, KERNEL_AT, 0x7FE00000, 0xFFE00000):
        directory = entry(entry(preferred + 0x1000, 0) & ~0xFFF, address >> 30) & ~0xFFF
        assert entry(directory, address >> 21 & 511) == address | 0x83


@pytest.mark.parametrize(
    "broken", [b"\0" * 4096, packed_kernel(entry=0x2000000), packed_kernel().replace(b"\xfd7zXZ", b"other")]
)
def test_an_unknown_kernel_is_refused(broken: bytes) -> None:
    with pytest.raises(HostFault):
        unpacked_kernel(broken)
