"""Builds the two demo images into folders."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from virtdeck.standalone.images.demo.boot_disk import make_disk
from virtdeck.standalone.images.demo.debs import extract, fetch_packages, kernel_package
from virtdeck.standalone.images.demo.guest_root import (
    GUEST_PACKAGES,
    disk_initrd,
    guest_root,
    kernel_initrd,
    unpack_kernel,
)

Progress = Callable[[str], None]

# The cloud kernel is unpacked fastest, which kernel boot shows; it has no AHCI driver, and SATA is the bus
# that a disk gets when its manifest names none, so the disk image has the general kernel.
KERNEL_FLAVOUR = "cloud-amd64"
DISK_FLAVOUR = "amd64"
_BOOT_TOOLS = ("grub-common", "grub-pc-bin", "libdevmapper1.02.1")
# The last console is the one that init talks to. A panic restarts the guest after ten visible seconds.
DISK_ARGUMENTS = "console=tty0 console=ttyS0,115200 quiet nokaslr panic=10 random.trust_cpu=on"


def build_kernel_image(cache: Path, tree: Path, say: Progress) -> None:
    """``tree`` holds /boot/vmlinuz and /boot/initrd. Raises: HostFault."""
    name = kernel_package(KERNEL_FLAVOUR)
    say(f"fetching {name} and busybox-static")
    packages = fetch_packages([name, "busybox-static"], cache)
    with tempfile.TemporaryDirectory(dir=tree.parent) as scratch:
        say("packing the kernel image's RAM disk")
        kernel = unpack_kernel(packages[name], Path(scratch, "kernel"))
        busybox = _busybox(packages["busybox-static"], Path(scratch, "busybox"))
        boot = tree / "boot"
        boot.mkdir(parents=True)
        (boot / "vmlinuz").write_bytes(kernel.image.read_bytes())
        (boot / "initrd").write_bytes(kernel_initrd(kernel, busybox, Path(scratch, "initrd")))


def build_disk_image(cache: Path, tree: Path, say: Progress) -> None:
    """``tree`` holds /disk/disk.qcow2. Raises: HostFault."""
    name = kernel_package(DISK_FLAVOUR)
    say(f"fetching {name} and {len(GUEST_PACKAGES) + len(_BOOT_TOOLS)} small packages")
    packages = fetch_packages([name, *GUEST_PACKAGES, *_BOOT_TOOLS], cache)
    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        scratch = Path(folder)
        say("unpacking the kernel")
        kernel = unpack_kernel(packages[name], scratch / "kernel")
        busybox = _busybox(packages["busybox-static"], scratch / "busybox")
        say("putting the guest's files together")
        initrd = disk_initrd(kernel, busybox, scratch / "initrd")
        guest_root(kernel, packages, initrd, scratch / "root")
        for tool in _BOOT_TOOLS:
            extract(packages[tool], scratch / "grub", lambda path: not path.startswith("usr/share/"))
        say("writing the disk")
        (tree / "disk").mkdir(parents=True)
        make_disk(scratch / "root", scratch / "grub", DISK_ARGUMENTS, tree / "disk/disk.qcow2")


def _busybox(package: Path, into: Path) -> Path:
    extract(package, into, lambda path: path == "usr/bin/busybox")
    return into / "usr/bin/busybox"
