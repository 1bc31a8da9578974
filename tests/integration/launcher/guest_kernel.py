"""A kernel and an initrd with a shell on ttyS0, from Debian's packages alone."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from virtdeck.standalone import components

INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in $(cat /modules/order); do insmod /modules/$module.ko; done
echo guest ready > /dev/ttyS0
case "$getty" in ?*) setsid sh -c "exec sh </dev/$getty >/dev/$getty 2>&1" & esac
exec setsid sh -c 'exec sh </dev/ttyS0 >/dev/ttyS0 2>&1'
"""
CACHE = Path("/var/cache/virtdeck-tests/kernel")
MODULES = (
    "virtio_ring",
    "virtio",
    "virtio_pci_modern_dev",
    "virtio_pci_legacy_dev",
    "virtio_pci",
    "virtio_blk",
)


def kernel_and_initrd() -> tuple[Path, Path]:
    """Paths of both, readable by everybody; made once per machine."""
    kernel, initrd = CACHE / "vmlinuz", CACHE / "initrd"
    if not all(path.exists() for path in (kernel, *map(_module, MODULES))):
        CACHE.mkdir(parents=True, exist_ok=True)
        _fetch_kernel(kernel)
    initrd.write_bytes(_initrd())
    for path in (CACHE, kernel, initrd):
        path.chmod(0o755)
    return kernel, initrd


def _module(name: str) -> Path:
    return CACHE / f"{name}.ko"


def _fetch_kernel(target: Path) -> None:
    shown = subprocess.run(
        ["apt-cache", "depends", "linux-image-cloud-amd64"], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[-1] for line in shown.splitlines() if "Depends:" in line]
    if not names:
        pytest.skip("needs Debian's linux-image-cloud-amd64")
    subprocess.run(["apt-get", "-q", "download", names[0]], cwd=CACHE, check=True, capture_output=True)
    archive, tree = next(CACHE.glob("linux-image-*.deb")), CACHE / "tree"
    subprocess.run(["dpkg", "-x", str(archive), str(tree)], check=True)
    next((tree / "boot").glob("vmlinuz-*")).rename(target)
    for name in MODULES:
        next(tree.rglob(f"{name}.ko")).rename(_module(name))
    shutil.rmtree(tree)
    archive.unlink()


def _initrd() -> bytes:
    """A cpio archive in the kernel's format "newc"."""
    busybox = Path("/bin/busybox").read_bytes()
    entries = [
        _entry("bin", 0o040755, b""),
        _entry("dev", 0o040755, b""),
        _entry("bin/busybox", 0o100755, busybox),
        _entry("init", 0o100755, INIT.encode()),
        _entry("modules", 0o040755, b""),
        _entry("modules/order", 0o100644, " ".join(MODULES).encode()),
        *(_entry(f"modules/{name}.ko", 0o100644, _module(name).read_bytes()) for name in MODULES),
        _entry("TRAILER!!!", 0, b""),
    ]
    return b"".join(entries)


def _entry(name: str, mode: int, data: bytes) -> bytes:
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08x" % field for field in fields)
    return _padded(head + name.encode() + b"\0") + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def launcher_user() -> str:
    """The user that launchers run as; the test needs root to become it."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    components.launcher_user()
    return components.LAUNCHER_USER
