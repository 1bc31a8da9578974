"""Disks made by qemu-img itself: the sound ones are taken, and each trick is refused before QEMU sees it."""

import struct
import subprocess
from pathlib import Path

import pytest

from virtdeck.safety.disk_images import DiskFacts, DiskFormat, UnsafeDiskImage, inspect_disk


def qemu_img(*arguments: str) -> None:
    subprocess.run(["qemu-img", *arguments], check=True, capture_output=True, timeout=60)


def inspect(path: Path) -> DiskFacts:
    with path.open("rb") as file:
        return inspect_disk(file.fileno())


@pytest.mark.parametrize(
    "options",
    [
        "compat=0.10",
        "compat=1.1",
        "cluster_size=512",
        "cluster_size=2M",
        "extended_l2=on",
        "compression_type=zstd",
    ],
)
def test_sound_qcow2_disks_are_taken(tmp_path: Path, options: str) -> None:
    disk = tmp_path / "d.qcow2"
    qemu_img("create", "-f", "qcow2", "-o", options, str(disk), "1G")
    facts = inspect(disk)
    assert (facts.format, facts.virtual_size) == (DiskFormat.QCOW2, 1 << 30)


def test_a_raw_disk_is_taken(tmp_path: Path) -> None:
    disk = tmp_path / "d.raw"
    qemu_img("create", "-f", "raw", str(disk), "10M")
    assert inspect(disk).format is DiskFormat.RAW


@pytest.mark.parametrize("kind", ["vmdk", "vhdx", "vdi", "vpc", "qcow", "qed", "parallels"])
def test_other_formats_are_refused(tmp_path: Path, kind: str) -> None:
    disk = tmp_path / f"d.{kind}"
    qemu_img("create", "-f", kind, str(disk), "10M")
    with pytest.raises(UnsafeDiskImage):
        inspect(disk)


def test_an_encrypted_luks_disk_is_refused(tmp_path: Path) -> None:
    # Made by hand: qemu-img measures how fast it may be cracked, and gives up where the clock is coarse.
    disk = tmp_path / "d.luks"
    disk.write_bytes(b"LUKS\xba\xbe\x00\x01" + bytes(1 << 20))
    with pytest.raises(UnsafeDiskImage):
        inspect(disk)


def test_a_flat_vmdk_that_points_elsewhere_is_refused(tmp_path: Path) -> None:
    disk = tmp_path / "d.vmdk"
    qemu_img("create", "-f", "vmdk", "-o", "subformat=monolithicFlat", str(disk), "1M")
    with pytest.raises(UnsafeDiskImage, match="VMDK"):
        inspect(disk)


@pytest.mark.parametrize(
    "backing", ["/etc/passwd", 'json:{"driver":"raw","file":{"filename":"/etc/passwd"}}']
)
def test_a_backing_file_is_refused(tmp_path: Path, backing: str) -> None:
    disk = tmp_path / "d.img"  # the name says nothing: the header does
    qemu_img("create", "-u", "-f", "qcow2", "-F", "raw", "-b", backing, str(disk), "1M")
    with pytest.raises(UnsafeDiskImage, match="backing file"):
        inspect(disk)


def test_an_external_data_file_is_refused_even_without_its_feature_bit(tmp_path: Path) -> None:
    disk, data = tmp_path / "d.qcow2", tmp_path / "data"
    qemu_img("create", "-f", "qcow2", "-o", f"data_file={data}", str(disk), "1M")
    with pytest.raises(UnsafeDiskImage, match="another file"):
        inspect(disk)
    header = bytearray(disk.read_bytes())
    struct.pack_into(">Q", header, 72, 0)
    disk.write_bytes(header)
    with pytest.raises(UnsafeDiskImage, match="external data file"):
        inspect(disk)


def test_a_disk_of_sixty_tebibytes_is_refused(tmp_path: Path) -> None:
    disk = tmp_path / "d.qcow2"
    qemu_img("create", "-f", "qcow2", str(disk), "60T")
    with pytest.raises(UnsafeDiskImage, match="are allowed"):
        inspect(disk)


def test_an_encrypted_qcow2_is_refused(tmp_path: Path) -> None:
    disk = tmp_path / "d.qcow2"
    qemu_img("create", "-f", "qcow2", str(disk), "1M")
    with disk.open("r+b") as file:
        file.seek(32)  # crypt_method: 2 is LUKS
        file.write((2).to_bytes(4, "big"))
    with pytest.raises(UnsafeDiskImage, match="encrypted"):
        inspect(disk)
