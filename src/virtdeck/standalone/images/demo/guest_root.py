"""Puts together what a demo guest has on its disk, and the RAM disks that come before it."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.images.demo.cpio import initrd
from virtdeck.standalone.images.demo.debs import extract
from virtdeck.standalone.images.demo.kernel_modules import (
    KernelModule,
    alias_lines,
    closure,
    dependency_lines,
    read_modules,
)
from virtdeck.standalone.images.demo.system_files import ETC, SHADOW
from virtdeck.standalone.images.demo.unpacked_kernel import unpacked_kernel

GUEST = Path(__file__).parent / "guest"
GUEST_PACKAGES = (
    "busybox-static",
    "libc6",
    "libcrypt1",
    "perl-base",
    "dropbear-bin",
    "libtomcrypt1",
    "libtommath1",
    "libgmp10",
    "zlib1g",
    "sudo",
    "libpam0g",
    "libpam-modules",
    "libaudit1",
    "libcap-ng0",
    "libselinux1",
    "libpcre2-8-0",
    "qemu-guest-agent",
    "libglib2.0-0",
    "libudev1",
    "liburing2",
    "libnuma1",
    "libmount1",
    "libblkid1",
    "libffi8",
)
_UNUSED = (
    "usr/share/",
    "usr/include/",
    "usr/lib/x86_64-linux-gnu/gconv/",
    "usr/lib/systemd/",
    "etc/",
    "var/",
)
_USEFUL = re.compile(
    r"/kernel/(?:arch|block|crypto|lib|net/(?:9p|core|packet)|fs/(?:9p|ext4|fat|fscache|fuse|isofs|jbd2|mbcache|netfs|nls)"
    r"|fs/mbcache|drivers/(?:acpi|mfd|platform/x86|ata|block|cdrom|char|firmware|hid|input|misc|nvme|rtc|scsi|usb|virtio|watchdog"
    r"|net/(?:virtio_net|net_failover|mii|mdio|phy|ptp)|net/ethernet/(?:intel/e1000|realtek/8139)|ptp|pps))"
)
_SCRIPTS = {
    "start.sh": "etc/init.d/start",
    "late.sh": "etc/init.d/late",
    "agent.sh": "etc/init.d/agent",
    "sshd.sh": "etc/init.d/sshd",
    "announce.sh": "usr/lib/virtdeck/announce",
    "seed.pl": "usr/lib/virtdeck/seed",
    "udhcpc.sh": "etc/udhcpc.sh",
    "power.sh": "usr/sbin/poweroff",
}


@dataclass(frozen=True)
class Kernel:
    """A kernel as its package has it: the image, and modules by name."""

    image: Path
    release: str
    folder: Path
    modules: Mapping[str, KernelModule]
    wishes: Mapping[str, list[str]]


def unpack_kernel(package: Path, into: Path) -> Kernel:
    """The kernel of the package. Raises: HostFault."""
    extract(package, into, lambda name: name.startswith("boot/vmlinuz") or _is_useful(name))
    image = next((into / "boot").glob("vmlinuz-*"), None)
    if image is None:
        raise HostFault(f"{package.name} holds no kernel")
    folder = next((into / "usr/lib/modules").iterdir())
    wishes = json.loads((GUEST / "modules.json").read_text())
    return Kernel(image, folder.name, folder, read_modules(folder), wishes)


def _is_useful(path: str) -> bool:
    """A module that a wish in modules.json may lead to; the other nine tenths need not be unpacked."""
    return path.endswith(".ko") and _USEFUL.search(path) is not None


def kernel_initrd(kernel: Kernel, busybox: Path, scratch: Path) -> bytes:
    """The RAM disk of the demo-kernel image: all of its user space."""
    _base_initrd(scratch, busybox, "kernel-init.sh")
    _copy("udhcpc.sh", scratch / "etc/udhcpc.sh")
    _copy("kernel-rc.sh", scratch / "etc/rc")
    _copy("kernel-console.sh", scratch / "etc/console")
    _copy("kernel-inittab", scratch / "etc/inittab", mode=0o644)
    _write(scratch / "etc/acpi/PWRF/00000080", "#!/bin/sh\nexec /bin/poweroff -f\n", 0o755)
    _install_modules(closure(kernel.wishes["kernel"], dict(kernel.modules)), scratch, "order")
    return initrd(scratch)


def disk_initrd(kernel: Kernel, busybox: Path, scratch: Path) -> bytes:
    """The RAM disk of the demo disk: finds the root file system."""
    _base_initrd(scratch, busybox, "initrd-init.sh")
    first = closure(kernel.wishes["first"], dict(kernel.modules))
    both = closure([*kernel.wishes["first"], *kernel.wishes["fallback"]], dict(kernel.modules))
    _install_modules(first, scratch, "first")
    _install_modules([module for module in both if module not in first], scratch, "fallback")
    return initrd(scratch)


def guest_root(kernel: Kernel, packages: Mapping[str, Path], boot_initrd: bytes, root: Path) -> None:
    """``root`` holds the demo disk's files."""
    _skeleton(root)
    for name in GUEST_PACKAGES:
        extract(packages[name], root, lambda path: not path.startswith(_UNUSED))
    for source, target in _SCRIPTS.items():
        _copy(source, root / target)
    for name in ("reboot", "halt", "shutdown"):
        _link(root / "usr/sbin" / name, "poweroff")
    _install_busybox(root)
    for name in ("Yaml.pm", "Cloud.pm"):
        _copy(name, root / "usr/lib/virtdeck" / name, mode=0o644)
    _copy("inittab", root / "etc/inittab", mode=0o644)
    _write_etc(root)
    _install_module_tree(kernel, root)
    (root / "boot").mkdir(exist_ok=True)
    (root / "boot/vmlinuz").write_bytes(unpacked_kernel(kernel.image.read_bytes()))
    (root / "boot/initrd").write_bytes(boot_initrd)


def _skeleton(root: Path) -> None:
    for name in (
        "usr/bin",
        "usr/sbin",
        "usr/lib",
        "usr/lib64",
        "proc",
        "sys",
        "dev",
        "run",
        "mnt",
        "var/log",
    ):
        (root / name).mkdir(parents=True)
    for name in ("var/lib/virtdeck-seed", "home", "etc/dropbear", "etc/sudoers.d", "usr/lib/virtdeck"):
        (root / name).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        _link(root / name, f"usr/{name}")
    _link(root / "var/run", "../run")
    (root / "root").mkdir(mode=0o700)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    _link(root / "var/tmp", "../tmp")
    (root / "home/demo").mkdir()
    os.chown(root / "home/demo", 1000, 1000)


def _write_etc(root: Path) -> None:
    for name, text in ETC.items():
        mode = 0o755 if text.startswith("#!") else 0o440 if name == "sudoers" else 0o644
        _write(root / "etc" / name, text, mode)
    _write(root / "etc/shadow", SHADOW, 0o600)


def _install_module_tree(kernel: Kernel, root: Path) -> None:
    wanted = [*kernel.wishes["first"], *kernel.wishes["fallback"], *kernel.wishes["root"]]
    chosen = closure(wanted, dict(kernel.modules))
    folder = root / "usr/lib/modules" / kernel.release
    for module in chosen:
        target = folder / module.path.relative_to(kernel.folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(module.path.read_bytes())
    (folder / "modules.dep").write_text(dependency_lines(chosen, kernel.folder))
    (folder / "modules.alias").write_text(alias_lines(chosen))


def _base_initrd(scratch: Path, busybox: Path, init: str) -> None:
    for name in ("bin", "dev", "proc", "sys", "modules", "root"):
        (scratch / name).mkdir(parents=True)
    (scratch / "bin/busybox").write_bytes(busybox.read_bytes())
    (scratch / "bin/busybox").chmod(0o755)
    _link(scratch / "bin/sh", "busybox")
    _copy(init, scratch / "init")


def _install_modules(chosen: list[KernelModule], scratch: Path, order: str) -> None:
    for module in chosen:
        (scratch / "modules" / module.path.name).write_bytes(module.path.read_bytes())
    (scratch / "modules" / order).write_text("".join(f"{module.path.name}\n" for module in chosen))


def _install_busybox(root: Path) -> None:
    """Every applet that no package brings is a link to busybox, where busybox itself would put it."""
    busybox = root / "usr/bin/busybox"
    listed = subprocess.run([busybox, "--list-full"], capture_output=True, text=True, check=True, timeout=10)
    for line in listed.stdout.split():
        target = root / (line if line.startswith("usr/") else f"usr/{line}")
        if not target.exists() and not target.is_symlink() and target.parent.is_dir():
            _link(target, "/usr/bin/busybox")


def _copy(name: str, target: Path, mode: int = 0o755) -> None:
    _write(target, (GUEST / name).read_text(), mode)


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(mode)


def _link(path: Path, to: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)
