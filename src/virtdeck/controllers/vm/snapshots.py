"""Which of a VM's volumes a snapshot can hold; pure."""

from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import VolumeSnapshotStatus
from virtdeck.crds.kubevirt.volumes import Volume


def volume_snapshot_statuses(vm: VirtualMachine) -> tuple[VolumeSnapshotStatus, ...] | None:
    """One answer a volume of the template; None without volumes."""
    found = tuple(_status(volume) for volume in vm.spec.template.spec.volumes or () if not volume.memory_dump)
    return found or None


def _status(volume: Volume) -> VolumeSnapshotStatus:
    if volume.persistent_volume_claim or volume.data_volume:
        reason = "No VolumeSnapshotClass serves this volume's storage class"
    else:
        reason = "A volume of this kind has no lasting data to snapshot"
    return VolumeSnapshotStatus(name=volume.name, enabled=False, reason=reason)
