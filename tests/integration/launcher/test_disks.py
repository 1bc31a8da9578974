"""What a guest sees on its disks, and what it does to them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.launcher.driver import running_pod, sync_fields, vmi
from tests.integration.launcher.guest_kernel import kernel_and_initrd, launcher_user
from tests.integration.launcher.test_guest_life import read_until, serial

from virtdeck.wire import launcher as wire

pytestmark = [pytest.mark.anyio, pytest.mark.root, pytest.mark.guest]

Boot = tuple[Path, Path]
MIB = 1 << 20
SPEC = {
    "volumes": [
        {"name": "image", "containerDisk": {"image": "i"}},
        {"name": "empty", "emptyDisk": {"capacity": "8Mi"}},
        {"name": "seed", "cloudInitNoCloud": {"userData": "#!/bin/sh\necho from-user-data"}},
    ]
}
DEVICES = {"disks": [{"name": name, "disk": {"bus": "virtio"}} for name in ("image", "empty", "seed")]}


@pytest.fixture(scope="session")
def boot() -> Boot:
    launcher_user()
    return kernel_and_initrd()


@pytest.fixture
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = Path(f"/var/tmp/vdl-image-{os.getpid()}")
    path.write_bytes(b"marker-in-image".ljust(MIB, b"\0"))
    path.chmod(0o644)
    yield path
    path.unlink()


@pytest.fixture
def full_disk() -> Iterator[Path]:
    """The root of a pod that has 3 MB for its disks."""
    root = Path(f"/tmp/vdl-{os.getpid()}")
    disks = root / "run/kubevirt-ephemeral-disks"
    disks.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m,mode=777", "tmpfs", str(disks)], check=True)
    yield root
    subprocess.run(["umount", "-l", str(disks)], check=True)
    shutil.rmtree(root, ignore_errors=True)


def facts(path: Path) -> dict[str, wire.ImageFacts]:
    return {"image": wire.ImageFacts(path=str(path), format="raw", virtual_size=MIB)}


async def test_a_guest_reads_image_and_seed_and_writes_beside_the_image(boot: Boot, image: Path) -> None:
    async with running_pod() as (pod, handler):
        fields = sync_fields(*boot, vmi=vmi(SPEC, devices=DEVICES), images=facts(image))
        done = await handler.ask(wire.Sync, **fields)
        assert isinstance(done, wire.Done), done
        state = await handler.wait(lambda state: state.domain is not None)
        assert state.domain is not None
        assert state.domain.disk_targets == {"image": "vda", "empty": "vdb", "seed": "vdc"}
        async with serial(pod) as (reader, writer):
            await read_until(reader, b"# ")
            writer.write(b"head -c 15 /dev/vda; cat /sys/block/vdb/size; grep -c from-user-data /dev/vdc\n")
            shown = await read_until(reader, b"\r\n1\r\n")
            assert b"marker-in-image" in shown
            assert b"16384" in shown
            writer.write(b"echo changed | dd of=/dev/vda conv=notrunc; sync; head -c 7 /dev/vda\n")
            await read_until(reader, b"\r\nchanged")
    assert image.read_bytes().startswith(b"marker-in-image")  # noqa: ASYNC240 - the guest is gone


async def test_a_full_disk_pauses_the_guest_until_there_is_room(boot: Boot, full_disk: Path) -> None:
    async with running_pod(full_disk) as (pod, handler):
        spec = {"volumes": [SPEC["volumes"][1]]}
        devices = {"disks": [DEVICES["disks"][1]]}
        await handler.ask(wire.Sync, **sync_fields(*boot, vmi=vmi(spec, devices=devices)))
        async with serial(pod) as (reader, writer):
            await read_until(reader, b"# ")
            writer.write(b"dd if=/dev/urandom of=/dev/vda bs=1M count=8; sync; echo all-$((6*7))\n")
            paused = await handler.wait_phase("Paused")
            assert paused.pause_reason == "PausedIOError"
            grow = ["mount", "-o", "remount,size=64m", str(pod.root / "run/kubevirt-ephemeral-disks")]
            subprocess.run(grow, check=True)  # noqa: ASYNC221
            assert isinstance(await handler.ask(wire.Unpause), wire.Done)
            await read_until(reader, b"all-42")
            await handler.wait_phase("Running")
