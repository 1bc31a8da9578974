"""The real libvirt and QEMU start what the golden files describe, under emulation."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.integration.launcher.driver import running_pod
from tests.integration.launcher.guest_kernel import launcher_user

from virtdeck.wire import launcher as wire

pytestmark = [pytest.mark.anyio, pytest.mark.root, pytest.mark.guest]

GOLDEN = Path(__file__).parents[2] / "golden/launcher"
IMAGE_BYTES = 1 << 20


@pytest.fixture
def image() -> Iterator[Path]:
    launcher_user()
    path = Path(f"/var/tmp/vdl-image-{os.getpid()}")
    path.write_bytes(bytes(IMAGE_BYTES))
    path.chmod(0o666)
    yield path
    path.unlink()


def read_vmi(name: str) -> dict[str, Any]:
    """The VMI without what this test does not prepare: network, TPM, and addresses on buses of its own."""
    plain: dict[str, Any] = next(yaml.safe_load_all((GOLDEN / f"{name}.yaml").read_text(encoding="utf-8")))
    plain["metadata"] = {**plain["metadata"], "name": "demo", "namespace": "default"}
    spec = plain["spec"]
    spec["startStrategy"] = "Paused"
    spec["domain"]["memory"] = {"guest": "256Mi"}
    devices = spec["domain"]["devices"]
    for field in ("interfaces", "tpm", "networkInterfaceMultiqueue"):
        devices.pop(field, None)
    for disk in devices.get("disks", ()):
        disk.get("disk", {}).pop("pciAddress", None)
    return plain


@pytest.mark.parametrize(
    "name", ["vm-cirros", "vmi-alpine-efi", "vmi-secureboot", "vmi-windows", "everything"]
)
async def test_the_domain_starts(name: str, image: Path) -> None:
    plain = read_vmi(name)
    volumes = [
        volume["name"]
        for volume in plain["spec"].get("volumes", ())
        if {"containerDisk", "persistentVolumeClaim", "ephemeral"} & set(volume)
    ]
    facts = {
        volume: wire.ImageFacts(path=str(image), format="raw", virtual_size=IMAGE_BYTES) for volume in volumes
    }
    async with running_pod() as (_, handler):
        done = await handler.ask(wire.Sync, vmi=plain, host=wire.HostFacts(accelerator="tcg"), images=facts)
        assert isinstance(done, wire.Done), done
        assert (await handler.wait_phase("Paused")).pause_reason == "StartedPaused"
        assert isinstance(await handler.ask(wire.Unpause), wire.Done)
        await handler.wait_phase("Running")
