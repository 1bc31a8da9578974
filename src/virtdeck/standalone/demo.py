"""What an instance prepares for its guests before the first one: demo images and libvirt's warm cache."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from virtdeck.basis.errors import HostFault
from virtdeck.standalone.components import LAUNCHER_USER
from virtdeck.standalone.images.store import ImageStore
from virtdeck.standalone.state import StateFolder, write_file

DEMO_IMAGES = ("virtdeck/demo:latest", "virtdeck/demo-kernel:latest")
_WARM_SECONDS = 60


def image_store(state: StateFolder) -> ImageStore:
    """The instance's image store."""
    return ImageStore(state.path("images"))


def build_missing_demo_images(state: StateFolder, say: Callable[[str], None]) -> None:
    """Both demo images are in the store; if they cannot be built, it is said and ``up`` goes on."""
    store = image_store(state)
    if all(store.find(name) for name in DEMO_IMAGES):
        return
    # The builder is needed once in an instance's life.
    from virtdeck.standalone.images.demo.images import build_demo

    say("Building the demo images from Debian packages (once)")
    try:
        build_demo(store, say, missing_only=True)
    except HostFault as fault:
        say(f"The demo images could not be built: {fault}")
        say("Everything else works; try again with ./virtdeck image build-demo")


def warm_capabilities(state: StateFolder) -> None:
    """libvirt's view of this QEMU is cached for all launchers, which saves each one 0.4 s."""
    folder, stamp = state.path("capabilities"), state.path("capabilities.stamp")
    wanted = capabilities_stamp()
    if folder.is_dir() and stamp.exists() and stamp.read_text() == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    _ask_libvirt(folder)
    write_file(stamp, wanted, mode=0o644)


def _ask_libvirt(target: Path) -> None:
    command = [sys.executable, "-m", "virtdeck.launcher.warm", str(target), "--user", LAUNCHER_USER]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_WARM_SECONDS, check=False)
    except subprocess.TimeoutExpired as fault:
        raise HostFault(f"QEMU did not tell what it can do within {_WARM_SECONDS} s") from fault
    if done.returncode != 0:
        raise HostFault(f"QEMU could not be asked what it can do: {done.stderr.strip()[-500:]}")


def capabilities_stamp() -> str:
    """What the cache is valid for: this boot, this QEMU, this libvirt."""
    parts = [Path("/proc/sys/kernel/random/boot_id").read_text().strip()]
    for program in ("/usr/bin/qemu-system-x86_64", "/usr/sbin/libvirtd"):
        status = Path(program).stat()
        parts.append(f"{program} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(parts) + "\n"
