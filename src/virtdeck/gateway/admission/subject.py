"""What the rules of a VMI look at: one spec, wherever it stands, and who sends it."""

from dataclasses import dataclass
from functools import cached_property

from virtdeck.crds.kubevirt.cpu import CPU
from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.firmware import Bootloader, Firmware
from virtdeck.crds.kubevirt.memory import Memory, ResourceRequirements
from virtdeck.crds.kubevirt.network import Interface, Network
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.scalars import Quantity
from virtdeck.gateway.admission.amounts import bytes_or_none, milli_or_none, of
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.auth.user import User


@dataclass(frozen=True)
class Subject:
    """A VMI spec under examination, defaults filled in.

    is_template: it is what a VMI will be made of (of a VirtualMachine, a pool), not a VMI. is_new: the object
    is being created.
    """

    spec: VirtualMachineInstanceSpec
    metadata: ObjectMeta
    cluster: ClusterConfig
    user: User
    is_template: bool = False
    is_new: bool = True

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return self.cluster.gate(name)

    @property
    def domain(self) -> DomainSpec:
        return self.spec.domain

    @property
    def devices(self) -> Devices:
        return self.spec.domain.devices

    @cached_property
    def architecture(self) -> str:
        return self.spec.architecture or self.cluster.architecture

    @cached_property
    def cpu(self) -> CPU:
        return self.domain.cpu or CPU()

    @cached_property
    def vcpus(self) -> int:
        """Processors of the guest."""
        return (self.cpu.cores or 1) * (self.cpu.sockets or 1) * (self.cpu.threads or 1)

    @cached_property
    def memory(self) -> Memory:
        return self.domain.memory or Memory()

    @cached_property
    def firmware(self) -> Firmware:
        return self.domain.firmware or Firmware()

    @cached_property
    def loader(self) -> Bootloader:
        return self.firmware.bootloader or Bootloader()

    @cached_property
    def resources(self) -> ResourceRequirements:
        return self.domain.resources or ResourceRequirements()

    @cached_property
    def amounts(self) -> dict[str, Quantity]:
        """Every amount that was given, by its field below ``spec.domain``."""
        found = {
            "resources.requests.memory": of(self.resources.requests, "memory"),
            "resources.limits.memory": of(self.resources.limits, "memory"),
            "resources.requests.cpu": of(self.resources.requests, "cpu"),
            "resources.limits.cpu": of(self.resources.limits, "cpu"),
            "memory.guest": self.memory.guest,
            "memory.maxGuest": self.memory.max_guest,
            "memory.hugepages.pageSize": self.memory.hugepages.page_size if self.memory.hugepages else None,
        }
        return {field: amount for field, amount in found.items() if amount is not None}

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Those of ``amounts`` that are readable: bytes of memory, thousandths of processors."""
        read = {
            field: (milli_or_none if field.endswith("cpu") else bytes_or_none)(amount)
            for field, amount in self.amounts.items()
        }
        return {field: size for field, size in read.items() if size is not None}

    @property
    def disks(self) -> tuple[Disk, ...]:
        return self.devices.disks or ()

    @property
    def interfaces(self) -> tuple[Interface, ...]:
        return self.devices.interfaces or ()

    @property
    def networks(self) -> tuple[Network, ...]:
        return self.spec.networks or ()

    @cached_property
    def network_of(self) -> dict[str, Network]:
        """By name."""
        return {network.name: network for network in self.networks}

    @cached_property
    def volumes(self) -> dict[str, Volume]:
        """By name."""
        return {volume.name: volume for volume in self.spec.volumes or ()}

    @cached_property
    def filesystems(self) -> frozenset[str]:
        """Their names."""
        return frozenset(filesystem.name for filesystem in self.devices.filesystems or ())

    @cached_property
    def drives(self) -> frozenset[str]:
        """Names of the disks."""
        return frozenset(disk.name for disk in self.disks)
