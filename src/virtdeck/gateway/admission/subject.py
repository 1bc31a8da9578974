"""What the rules of a VMI look at: one spec, wherever it stands, and who sends it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.cpu import CPU
from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.memory import Memory, ResourceRequirements
from virtdeck.crds.kubevirt.network import Interface, Network
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.crds.meta import ObjectMeta
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.auth.user import User


@dataclass(frozen=True)
class Subject:
    """A VMI spec under examination, defaults filled in.

    is_template: it is what a VMI will be made of (of a VirtualMachine, a pool), not a VMI.
    """

    spec: VirtualMachineInstanceSpec
    metadata: ObjectMeta
    cluster: ClusterConfig
    user: User
    is_template: bool = False

    @property
    def path(self) -> str:
        return "spec.template.spec" if self.is_template else "spec"

    def at(self, field: str) -> str:
        """The whole path of a field of the spec."""
        return f"{self.path}.{field}"

    @property
    def metadata_path(self) -> str:
        return f"{self.path.removesuffix('spec')}metadata"

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return self.cluster.gate(name)

    @property
    def domain(self) -> DomainSpec:
        return self.spec.domain

    @property
    def devices(self) -> Devices:
        return self.spec.domain.devices

    @property
    def architecture(self) -> str:
        return self.spec.architecture or self.cluster.architecture

    @cached_property
    def cpu(self) -> CPU:
        return self.domain.cpu or CPU()

    @cached_property
    def memory(self) -> Memory:
        return self.domain.memory or Memory()

    @cached_property
    def resources(self) -> ResourceRequirements:
        return self.domain.resources or ResourceRequirements()

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
    def volumes(self) -> dict[str, Volume]:
        """By name."""
        return {volume.name: volume for volume in self.spec.volumes or ()}

    def each_disk(self) -> Iterator[tuple[str, Disk]]:
        """Every disk with its path."""
        for index, disk in enumerate(self.disks):
            yield self.at(f"domain.devices.disks[{index}]"), disk

    def each_interface(self) -> Iterator[tuple[str, Interface]]:
        """Every interface with its path."""
        for index, interface in enumerate(self.interfaces):
            yield self.at(f"domain.devices.interfaces[{index}]"), interface

    def each_network(self) -> Iterator[tuple[str, Network]]:
        """Every network with its path."""
        for index, network in enumerate(self.networks):
            yield self.at(f"networks[{index}]"), network

    def each_volume(self) -> Iterator[tuple[str, Volume]]:
        """Every volume with its path."""
        for index, volume in enumerate(self.spec.volumes or ()):
            yield self.at(f"volumes[{index}]"), volume


Rule = Callable[[Subject], Iterator[Cause]]
