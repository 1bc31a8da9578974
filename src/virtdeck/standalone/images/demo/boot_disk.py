"""A disk that a BIOS boots: GRUB before the first partition, one ext4 file system in it."""

import os
import struct
import subprocess
from pathlib import Path

from virtdeck.basis.errors import HostFault

SECTOR = 512
PARTITION_START = 2048  # sectors; the room before it holds the boot loader
DISK_BYTES = 1 << 30  # sparse: a guest can write this much, the image holds only what is in use
LABEL = "virtdeck-demo"
# Fixed, so that the same packages give the same image.
_UUID = "76697274-6465-636b-8000-64656d6f3031"
_EPOCH = "1700000000"
# What GRUB 2.06 cannot read is left out.
_FEATURES = "^metadata_csum_seed,^orphan_file,^resize_inode"
_TIMEOUT_SECONDS = 120


def make_disk(root: Path, grub: Path, kernel_arguments: str, target: Path) -> None:
    """``target`` is a qcow2 disk with everything in ``root``; it boots /boot/vmlinuz with /boot/initrd.

    grub: where grub-common and grub-pc-bin are unpacked. Raises: HostFault.
    """
    raw = target.with_suffix(".raw")
    core = _grub_core(grub, kernel_arguments, target.with_suffix(".core"))
    boot = (grub / "usr/lib/grub/i386-pc/boot.img").read_bytes()
    try:
        with raw.open("wb") as disk:
            disk.truncate(DISK_BYTES)
            disk.write(master_boot_record(boot, DISK_BYTES // SECTOR))
            disk.write(core)
        _make_file_system(root, raw)
        compressed = (
            "-c",
            "-o",
            "compression_type=zstd",
        )  # unpacked by the host, which costs a guest nothing
        _run("qemu-img", "convert", "-f", "raw", "-O", "qcow2", *compressed, str(raw), str(target))
    finally:
        raw.unlink(missing_ok=True)


def master_boot_record(boot_code: bytes, sectors: int) -> bytes:
    """The first sector: GRUB's boot code and one active Linux partition up to the end of the disk.

    Source: grub-core/boot/i386/pc/boot.S; the code loads sector 1 by default.
    """
    code = bytearray(boot_code[:440])
    code[0x66:0x68] = b"\x90\x90"  # trust the drive number from the BIOS, as grub-setup does for hard disks
    entry = struct.pack("<B3sB3sII", 0x80, b"\xfe\xff\xff", 0x83, b"\xfe\xff\xff", *_extent(sectors))
    return bytes(code) + b"vdek\0\0" + entry + b"\0" * 48 + b"\x55\xaa"


def _extent(sectors: int) -> tuple[int, int]:
    return PARTITION_START, sectors - PARTITION_START


def _grub_core(grub: Path, kernel_arguments: str, scratch: Path) -> bytes:
    config = scratch.with_suffix(".cfg")
    config.write_text(
        f"linux (hd0,msdos1)/boot/vmlinuz {kernel_arguments}\ninitrd (hd0,msdos1)/boot/initrd\nboot\n"
    )
    libraries = f"{grub}/usr/lib/x86_64-linux-gnu:{grub}/lib/x86_64-linux-gnu"
    command = [str(grub / "usr/bin/grub-mkimage"), "-O", "i386-pc", "-d", str(grub / "usr/lib/grub/i386-pc")]
    command += ["-p", "(hd0,msdos1)/boot/grub", "-c", str(config), "-o", str(scratch)]
    _run(*command, "biosdisk", "part_msdos", "ext2", "linux", env={"LD_LIBRARY_PATH": libraries})
    core = scratch.read_bytes()
    scratch.unlink()
    config.unlink()
    if len(core) > (PARTITION_START - 1) * SECTOR:
        raise HostFault("GRUB's core does not fit before the first partition")
    return core


def _make_file_system(root: Path, disk: Path) -> None:
    offset = PARTITION_START * SECTOR
    extended = f"offset={offset},hash_seed={_UUID},lazy_itable_init=0,lazy_journal_init=0"
    command = ["mke2fs", "-q", "-F", "-t", "ext4", "-L", LABEL, "-U", _UUID, "-O", _FEATURES]
    command += ["-E", extended, "-J", "size=4", "-N", "16384", "-m", "1", "-d", str(root), str(disk)]
    _run(*command, f"{(DISK_BYTES - offset) // 1024}k", env={"E2FSPROGS_FAKE_TIME": _EPOCH})


def _run(*command: str, env: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(
            command,
            env=os.environ | (env or {}),
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise HostFault(f"{command[0]} cannot be run: {fault}") from fault
    if done.returncode:
        raise HostFault(f"{command[0]} failed: {done.stderr.strip()[-300:]}")
