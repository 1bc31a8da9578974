"""The demo images boot, read their seed and end in order, under emulation."""

import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from virtdeck.standalone.images.demo.images import DEMO, DEMO_KERNEL, build_demo
from virtdeck.standalone.images.store import ImageStore

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.timeout(400)]
# Far above what a quiet machine needs; a busy one must not fail the test.
PATIENCE = 180.0
USER_DATA = """\
#cloud-config
hostname: seeded
password: secret
chpasswd: { expire: False }
packages: [nginx]
write_files:
- path: /etc/note
  content: written by the seed
runcmd:
- [ sh, -c, "echo runcmd ran on $(hostname): $(cat /etc/note) > /dev/ttyS0" ]
"""


class Guest:
    """A QEMU whose serial console the test reads and types on."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.seen = b""

    def wait(self, text: str) -> None:
        """The console has shown the text. Raises: AssertionError."""
        deadline = time.monotonic() + PATIENCE
        assert self.process.stdout is not None
        while text.encode() not in self.seen:
            ready, _, _ = select.select([self.process.stdout], [], [], 1.0)
            if ready:
                piece = os.read(self.process.stdout.fileno(), 65536)
                assert piece, f"the guest ended before it said {text!r}: {self.seen[-500:]!r}"
                self.seen += piece
            assert time.monotonic() < deadline, f"no {text!r} on the console: {self.seen[-500:]!r}"

    def type(self, text: str) -> None:
        """The keys arrive; what was shown before does not count for the next wait."""
        assert self.process.stdin is not None
        self.seen = b""
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def guest(*arguments: str) -> Iterator[Guest]:
    command = ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-m", "128", "-display", "none"]
    command += ["-no-reboot", "-serial", "stdio", "-monitor", "none", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Guest(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ImageStore:
    store = ImageStore(tmp_path_factory.mktemp("images"))
    build_demo(store, lambda _: None)
    return store


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    folder = tmp_path / "seed"
    folder.mkdir()
    (folder / "user-data").write_text(USER_DATA)
    (folder / "meta-data").write_text("instance-id: one\nlocal-hostname: other\n")
    image = tmp_path / "seed.iso"
    command = [
        "xorriso",
        "-as",
        "mkisofs",
        "-quiet",
        "-V",
        "cidata",
        "-J",
        "-r",
        "-o",
        str(image),
        str(folder),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return image


def test_the_kernel_image_boots_to_a_shell(store: ImageStore) -> None:
    boot = Path(store.resolve(DEMO_KERNEL).path, "boot")
    kernel = ["-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd"), "-append", "console=ttyS0"]
    with guest(*kernel, "-nic", "none") as running:
        running.wait("Press Enter")
        running.type("")
        running.wait("# ")
        running.type("poweroff")
        assert running.process.wait(timeout=PATIENCE) == 0


@pytest.mark.parametrize("bus", ["virtio", "sata"])
def test_the_disk_image_reads_its_seed_and_powers_off(store: ImageStore, seed: Path, bus: str) -> None:
    disk = Path(store.resolve(DEMO).path, "disk/disk.qcow2")
    device = {"virtio": "virtio-blk-pci", "sata": "ide-hd"}[bus]
    disks = [
        "-drive",
        f"file={disk},if=none,id=d,format=qcow2,snapshot=on",
        "-device",
        f"{device},drive=d,bootindex=1",
    ]
    disks += [
        "-drive",
        f"file={seed},if=none,id=s,format=raw,readonly=on",
        "-device",
        "ide-cd,drive=s,bus=ide.2",
    ]
    with guest(*disks, "-nic", "user,model=virtio-net-pci,restrict=on") as running:
        running.wait("packages is not supported")
        running.wait("seeded login:")
        running.wait("runcmd ran on seeded: written by the seed")
        running.type("demo")
        running.wait("Password:")
        running.type("secret")
        running.wait("demo@seeded")
        running.type("sudo ls -l /etc/dropbear; ip -4 addr show eth0")
        running.wait("inet 10.0.2.")
        running.type("sudo poweroff")
        running.wait("going down (poweroff)")
        assert running.process.wait(timeout=PATIENCE) == 0
