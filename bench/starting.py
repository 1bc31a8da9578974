"""create → Running of a kernel-boot VMI, beside ``virsh create`` of the same domain XML, in turn."""

import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from e2e.api import Api
from e2e.machines import kernel_boot_vmi
from e2e.product import Product

NAME = "bench-start"
COLLECTION = "/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances"


@dataclass(frozen=True)
class Pair:
    """One start each."""

    ours_seconds: float
    virsh_seconds: float


def paired_starts(product: Product, rounds: int) -> list[Pair]:
    """Pairs of one start each, after one that is not counted."""
    api = Api(product)
    pairs = []
    with Peer(product) as peer:
        for number in range(rounds + 1):
            ours = start_ours(api, product, peer if number == 0 else None)
            theirs = peer.start()
            if number:
                pairs.append(Pair(ours, theirs))
    return pairs


def start_ours(api: Api, product: Product, peer: "Peer | None") -> float:
    """Seconds from the POST to the watch event that says Running; the guest is removed again."""
    watch = api.watch(f"{COLLECTION}?fieldSelector=metadata.name%3D{NAME}")
    started = time.monotonic()
    code, answer = api.call("POST", COLLECTION, json.loads(kernel_boot_vmi(NAME)))
    if code != 201:
        raise RuntimeError(f"the API answered {code}: {answer}")
    for event in watch:
        if event["object"].get("status", {}).get("phase") == "Running":
            break
    seconds = time.monotonic() - started
    if peer is not None:
        peer.take_xml()
    product.kubectl("delete", "vmi", NAME, "--timeout=60s")
    return seconds


class Peer:
    """A private libvirtd that runs as the launchers do, with the same warm cache, but without virtdeck."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self._folder = Path(tempfile.mkdtemp(prefix="virtdeck-peer-", dir="/var/tmp"))
        self._user = pwd.getpwnam("virtdeck-vm")
        self._daemon: subprocess.Popen[bytes] | None = None
        self._serial = socket.socket(socket.AF_UNIX)
        self._xml = ""

    def __enter__(self) -> "Peer":
        for name in ("run", "cache/libvirt/qemu", "config/libvirt"):
            (self._folder / name).mkdir(parents=True)
        shutil.copytree(
            self._product.state / "capabilities", self._folder / "cache/libvirt/qemu/capabilities"
        )
        config = self._folder / "config/libvirt"
        (config / "qemu.conf").write_text(
            'stdio_handler = "file"\nnamespaces = []\ncgroup_controllers = []\n'
            'security_driver = "none"\nremember_owner = 0\n'
        )
        (config / "libvirtd.conf").write_text('host_uuid = "6a3c1f0e-3b52-4a4e-9d1f-0000000000aa"\n')
        # The launcher reads the guest's serial line; here nobody does, but QEMU must find a listener.
        self._serial.bind(str(self._folder / "serial0-guest.sock"))
        self._serial.listen(64)
        for path in [self._folder, *self._folder.rglob("*")]:
            os.chown(path, self._user.pw_uid, self._user.pw_gid)
        self._daemon = self._spawn(["/usr/sbin/libvirtd", "--config", str(config / "libvirtd.conf")])
        while not self._socket.exists():
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        if self._daemon:
            self._daemon.terminate()
            self._daemon.wait(20)
        self._serial.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _socket(self) -> Path:
        return self._folder / "run/libvirt/libvirt-sock"

    def take_xml(self) -> None:
        """The domain of the VMI that runs now becomes the peer's, with the peer's own paths and no tap."""
        [libvirtd] = self._product.processes_of("libvirtd")
        text = subprocess.run(
            [
                *("nsenter", "-t", str(libvirtd), "-m", "-n", "--"),
                *("virsh", "-c", self._uri_in_pod(libvirtd), "dumpxml", "--inactive", f"default_{NAME}"),
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        image = next((self._product.state / "images" / "trees").glob("*/boot/vmlinuz")).parent
        text = re.sub(r"<interface .*?</interface>", "", text, flags=re.DOTALL)
        text = text.replace("/run/kubevirt/kernel-boot/boot", str(image))
        self._xml = re.sub(r"/run/(kubevirt-private|libvirt)/", f"{self._folder}/", text)
        self._copy_kernel(image)

    def _copy_kernel(self, image: Path) -> None:
        # The state folder may be closed to the launchers' user.
        for name in ("vmlinuz", "initrd"):
            shutil.copy(image / name, self._folder / name)
        self._xml = self._xml.replace(str(image), str(self._folder))

    def _uri_in_pod(self, pid: int) -> str:
        listing = Path(f"/proc/{pid}/net/unix").read_text()
        [path] = {line.split()[-1] for line in listing.splitlines() if line.endswith("/libvirt-sock")}
        return f"qemu+unix:///session?socket={path}"

    def start(self) -> float:
        """Seconds that ``virsh create`` takes; the domain is destroyed again."""
        file = self._folder / "domain.xml"
        file.write_text(self._xml)
        uri = f"qemu+unix:///session?socket={self._socket}"
        started = time.monotonic()
        done = subprocess.run(
            ["virsh", "-c", uri, "create", file], capture_output=True, text=True, check=False
        )
        seconds = time.monotonic() - started
        if done.returncode:
            raise RuntimeError(f"virsh create: {done.stderr}")
        subprocess.run(["virsh", "-c", uri, "destroy", f"default_{NAME}"], stdout=sys.stderr, check=True)
        return seconds

    def _spawn(self, command: list[str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            user=self._user.pw_uid,
            group=self._user.pw_gid,
            extra_groups=[],
            env={
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME": str(self._folder),
                "XDG_RUNTIME_DIR": str(self._folder / "run"),
                "XDG_CACHE_HOME": str(self._folder / "cache"),
                "XDG_CONFIG_HOME": str(self._folder / "config"),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
