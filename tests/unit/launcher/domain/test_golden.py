"""VMIs become the domains that were reviewed: tests/golden/launcher, and libvirt's schema accepts each.

VIRTDECK_REWRITE_GOLDEN=1 writes the XML anew; read the difference before you commit it.
"""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.launcher.domain.build import build_domain, render_domain
from virtdeck.launcher.domain.codec import parse
from virtdeck.launcher.domain.elements.domain import Domain
from virtdeck.launcher.domain.request import GuestSockets, Request
from virtdeck.launcher.storage.plan import Folders, plan_storage
from virtdeck.wire.launcher import HostFacts, ImageFacts, InterfaceFacts

GOLDEN = Path(__file__).parents[3] / "golden" / "launcher"
SCHEMA = Path("/usr/share/libvirt/schemas/domain.rng")
CASES = sorted(path.stem for path in GOLDEN.glob("*.yaml"))


def request_of(plain: dict[str, Any], facts: dict[str, Any]) -> Request:
    """What virt-handler would send for this VMI on a node with these facts."""
    vmi = decode(plain, VirtualMachineInstance)
    images = {
        volume.name: ImageFacts(path=f"/images/{volume.name}.img", format="raw", virtual_size=1 << 30)
        for volume in vmi.spec.volumes or ()
        if volume.container_disk or volume.persistent_volume_claim or volume.ephemeral
    }
    interfaces = tuple(
        InterfaceFacts(
            name=item.name,
            tap=f"tap{number}",
            mac=item.mac_address or f"02:00:00:00:01:{number:02x}",
            mtu=facts.get("mtu", 1500),
        )
        for number, item in enumerate(vmi.spec.domain.devices.interfaces or ())
    )
    boots_kernel = bool(vmi.spec.domain.firmware and vmi.spec.domain.firmware.kernel_boot)
    folders = Folders(
        ephemeral="/disks", secrets="/secrets", files="/files", direct_io=facts.get("directIo", False)
    )
    return Request(
        vmi=vmi,
        host=HostFacts(accelerator=facts["accelerator"]),
        disks=plan_storage(vmi, images, folders).disks,
        interfaces=interfaces,
        sockets=GuestSockets(vnc="/sockets/vnc", serial="/sockets/serial", agent="/sockets/agent"),
        nvram="/disks/nvram",
        kernel="/kernel-boot/vmlinuz" if boots_kernel else None,
        initrd="/kernel-boot/initrd" if boots_kernel else None,
        has_swtpm=facts.get("swtpm", False),
    )


def read_case(name: str) -> Request:
    plain, facts = yaml.safe_load_all((GOLDEN / f"{name}.yaml").read_text(encoding="utf-8"))
    return request_of(plain, facts)


@pytest.mark.parametrize("name", CASES)
def test_a_vmi_becomes_the_reviewed_domain(name: str) -> None:
    made = render_domain(read_case(name))
    path = GOLDEN / f"{name}.xml"
    if os.environ.get("VIRTDECK_REWRITE_GOLDEN"):
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


@pytest.mark.skipif(not SCHEMA.exists(), reason="needs libvirt's schemas")
@pytest.mark.parametrize("name", CASES)
def test_libvirts_schema_accepts_the_domain(name: str) -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMA))
    schema.assertValid(etree.fromstring(render_domain(read_case(name))))


@pytest.mark.parametrize("name", CASES)
def test_a_domain_survives_being_written_and_read(name: str) -> None:
    domain = build_domain(read_case(name))
    assert parse(render_domain(read_case(name)), "domain", Domain) == domain
