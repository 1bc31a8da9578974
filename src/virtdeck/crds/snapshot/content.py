"""VirtualMachineSnapshotContent: what a snapshot saved."""

from typing import Annotated

from virtdeck.crds.core.claims import PersistentVolumeClaimSpec
from virtdeck.crds.kubevirt.vm import VirtualMachineSpec
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStatus
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc, whole
from virtdeck.crds.scalars import NullableTime
from virtdeck.crds.snapshot.parts import Error


class SavedVirtualMachine(Model, frozen=True, kw_only=True):
    """A virtual machine as it was."""

    metadata: Annotated[ObjectMeta | None, doc("Its name, labels and annotations.")] = None
    spec: Annotated[
        VirtualMachineSpec | None, doc("Its definition; of a running machine the one that it runs by.")
    ] = None
    status: Annotated[VirtualMachineStatus | None, doc("What was known about it.")] = None


class SourceSpec(Model, frozen=True, kw_only=True):
    """The definition that was saved."""

    virtual_machine: Annotated[SavedVirtualMachine | None, doc("The virtual machine as it was.")] = None


class SavedClaim(Model, frozen=True, kw_only=True):
    """A claim as it was."""

    metadata: Annotated[ObjectMeta | None, doc("Its name, labels and annotations.")] = None
    spec: Annotated[PersistentVolumeClaimSpec | None, doc("The storage that it asked for.")] = None


class VolumeBackup(Model, frozen=True, kw_only=True):
    """What was saved of one volume."""

    persistent_volume_claim: Annotated[SavedClaim, doc("Its claim, from which a restore makes a new one.")]
    volume_name: Annotated[str, doc("Name of the volume in the machine's template.")]
    volume_snapshot_name: Annotated[str | None, doc("VolumeSnapshot that holds its contents.")] = None


class VolumeSnapshotStatus(Model, frozen=True, kw_only=True):
    """How far one VolumeSnapshot is."""

    creation_time: Annotated[NullableTime | None, doc("When its storage was snapshotted.")] = None
    error: Annotated[Error | None, doc("The last thing that went wrong.")] = None
    ready_to_use: Annotated[bool | None, doc("It can be restored from.")] = None
    volume_snapshot_name: Annotated[str, doc("Its name.")]


class VirtualMachineSnapshotContentSpec(Model, frozen=True, kw_only=True):
    """What was saved."""

    source: Annotated[SourceSpec, doc("The definition that was saved.")]
    virtual_machine_snapshot_name: Annotated[str | None, doc("Snapshot that this belongs to.")] = None
    volume_backups: Annotated[
        tuple[VolumeBackup, ...] | None,
        whole(),
        doc("What was saved of each volume; volumes left out are absent."),
    ] = None


class VirtualMachineSnapshotContentStatus(Model, frozen=True, kw_only=True):
    """How far the saving is."""

    creation_time: Annotated[NullableTime | None, doc("The moment that the saved state is from.")] = None
    error: Annotated[Error | None, doc("The last thing that went wrong.")] = None
    ready_to_use: Annotated[bool | None, doc("Every volume is saved.")] = None
    volume_snapshot_status: Annotated[
        tuple[VolumeSnapshotStatus, ...] | None, whole(), doc("How far each VolumeSnapshot is.")
    ] = None


class VirtualMachineSnapshotContent(Model, frozen=True, kw_only=True):
    """What a snapshot saved; made by virtdeck, not by people."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineSnapshotContentSpec, doc("What was saved.")]
    status: Annotated[VirtualMachineSnapshotContentStatus | None, doc("How far the saving is.")] = None
