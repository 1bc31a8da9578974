"""From virt-handler's Sync to a domain that runs."""

from contextlib import AbstractAsyncContextManager

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.grace import grace_seconds
from virtdeck.crds.kubevirt.network import Interface
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.launcher.children import Children
from virtdeck.launcher.domain import disks, processor
from virtdeck.launcher.domain.build import domain_name, render_domain
from virtdeck.launcher.domain.firmware import system_uuid
from virtdeck.launcher.domain.memory import guest_bytes
from virtdeck.launcher.domain.request import GuestSockets, Request
from virtdeck.launcher.domain.tree import Node, parse_tree
from virtdeck.launcher.network.messages import DhcpExtras
from virtdeck.launcher.network.server import serve_dhcp
from virtdeck.launcher.settings import Settings
from virtdeck.launcher.storage.plan import Folders, StoragePlan, plan_storage
from virtdeck.launcher.storage.prepare import prepare, takes_direct_io
from virtdeck.wire.launcher import DhcpFacts, DomainFacts, Sync


class Start:
    """All that is decided before anything is done, and the doing of it. Raises: Invalid."""

    def __init__(self, sync: Sync, settings: Settings) -> None:
        self.vmi = decode(sync.vmi, VirtualMachineInstance)
        folders = Folders(
            ephemeral=settings.ephemeral,
            secrets=settings.secrets,
            files=settings.files,
            direct_io=takes_direct_io(settings.ephemeral),
        )
        self.storage: StoragePlan = plan_storage(self.vmi, sync.images, folders)
        self.request = Request(
            vmi=self.vmi,
            host=sync.host,
            disks=self.storage.disks,
            interfaces=sync.interfaces,
            sockets=GuestSockets(
                vnc=settings.socket("vnc"), serial=settings.serial_guest, agent=settings.socket("agent")
            ),
            nvram=f"{settings.libvirt}/nvram_VARS.fd",
            kernel=sync.kernel,
            initrd=sync.initrd,
        )
        self.name = domain_name(self.request)
        self.xml = render_domain(self.request)
        self.dhcp = tuple((facts, dhcp_extras(self.request, facts)) for facts in sync.dhcp)

    async def prepare(self, children: Children) -> None:
        """The disks are there. Raises: Absent, Invalid, HostFault."""
        await prepare(self.storage, children)

    def serve_dhcp(self) -> AbstractAsyncContextManager[None]:
        """The guest is told its addresses. Raises: HostFault."""
        return serve_dhcp(self.dhcp)

    def facts(self, live_xml: str) -> DomainFacts:
        """What virt-handler shows of the domain. live_xml: as libvirt completed it."""
        return domain_facts(self.request, live_xml)

    @property
    def grace_seconds(self) -> int:
        """How long the guest may take to shut down."""
        return grace_seconds(self.vmi)


def dhcp_extras(request: Request, facts: DhcpFacts) -> DhcpExtras:
    """What the VMI adds to the answers that its interface with this MAC gets."""
    names = {fact.name for fact in request.interfaces if fact.mac.lower() == facts.mac.lower()}
    found = (item for item in request.devices.interfaces or () if item.name in names and item.dhcp_options)
    options = next(found, Interface(name="")).dhcp_options
    if options is None:
        return DhcpExtras()
    return DhcpExtras(
        boot_file=options.boot_file_name,
        tftp_server=options.tftp_server_name,
        ntp_servers=options.ntp_servers or (),
        private=tuple((item.option, item.value) for item in options.private_options or ()),
    )


def domain_facts(request: Request, live_xml: str) -> DomainFacts:
    """What virt-handler shows of the domain. live_xml: as libvirt completed it."""
    return DomainFacts(
        uuid=system_uuid(request),
        machine=_machine(parse_tree(live_xml)),
        memory_bytes=guest_bytes(request) or 0,
        vcpus=processor.boot_vcpus(request),
        disk_targets=disks.targets(request),
        macs={fact.name: fact.mac for fact in request.interfaces},
    )


def _machine(domain: Node) -> str:
    for os in domain.children:
        for kind in os.children:
            if (os.tag, kind.tag) == ("os", "type"):
                return kind.attributes.get("machine", "")
    return ""
