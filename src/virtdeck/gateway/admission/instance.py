"""What the rules for changing a VirtualMachineInstance look at."""

from dataclasses import dataclass
from functools import cached_property

from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.auth.user import User

HANDLER = "kubevirt-handler"


@dataclass(frozen=True)
class Change:
    """A VMI that is being changed, as it would be and as it is."""

    vmi: VirtualMachineInstance
    old: VirtualMachineInstance
    user: User
    cluster: ClusterConfig

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return self.cluster.gate(name)

    @cached_property
    def may_write_spec(self) -> bool:
        """True for components that decide; virt-handler reports: a node broken into rewrites no machine."""
        is_handler = self.cluster.is_component(self.user, HANDLER)
        return self.cluster.is_component(self.user) and not is_handler

    @cached_property
    def spec_changes(self) -> bool:
        return self.vmi.spec != self.old.spec

    @cached_property
    def replugs(self) -> bool:
        """Volumes or disks change, by somebody who may."""
        before, after = self.old.spec, self.vmi.spec
        changed = self.spec_changes and (
            before.volumes != after.volumes
            or before.domain.devices.disks != after.domain.devices.disks
            or before.domain.devices.filesystems != after.domain.devices.filesystems
        )
        return changed and self.may_write_spec

    @cached_property
    def permanent(self) -> frozenset[str]:
        """Names of the volumes that the guest was started with."""
        statuses = self.vmi.status.volume_status or ()
        return frozenset(status.name for status in statuses if status.hotplug_volume is None)

    @cached_property
    def migrated(self) -> frozenset[str]:
        """Names of the volumes whose storage is being replaced."""
        return frozenset(found.volume_name for found in self.vmi.status.migrated_volumes or ())

    @cached_property
    def volumes(self) -> tuple[dict[str, Volume], dict[str, Volume]]:
        """By name, before and after."""
        before, after = self.old.spec.volumes or (), self.vmi.spec.volumes or ()
        return {volume.name: volume for volume in before}, {volume.name: volume for volume in after}

    @cached_property
    def disks(self) -> tuple[dict[str, Disk], dict[str, Disk]]:
        """By name, before and after."""
        before, after = (spec.domain.devices.disks or () for spec in (self.old.spec, self.vmi.spec))
        return {disk.name: disk for disk in before}, {disk.name: disk for disk in after}
