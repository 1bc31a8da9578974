"""VirtualMachineBackupTracker: what a series of incremental backups goes on from."""

from typing import Annotated

from virtdeck.crds.backup.checkpoint import BackupCheckpoint
from virtdeck.crds.core.references import TypedLocalObjectReference
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc, rule

_SOURCE = rule(
    "has(self.apiGroup) && self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine'",
    "must be a VirtualMachine of kubevirt.io",
)


class VirtualMachineBackupTrackerSpec(Model, frozen=True, kw_only=True):
    """Whose backups are followed; it cannot be changed once the tracker exists."""

    source: Annotated[
        TypedLocalObjectReference,
        _SOURCE,
        rule("self.name != ''", "must have a name"),
        doc("The VirtualMachine (apiGroup kubevirt.io) of the same namespace."),
    ]


class VirtualMachineBackupTrackerStatus(Model, frozen=True, kw_only=True):
    """How far the series is."""

    checkpoint_redefinition_required: Annotated[
        bool | None, doc("The guest started anew, and its disks must be told of the checkpoint again.")
    ] = None
    latest_checkpoint: Annotated[
        BackupCheckpoint | None, doc("The moment of the last backup that ended well.")
    ] = None


class VirtualMachineBackupTracker(Model, frozen=True, kw_only=True):
    """A series of incremental backups of one virtual machine, and the moment that the next goes on from."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachineBackupTrackerSpec,
        rule("self == oldSelf", "cannot be changed; make another tracker"),
        doc("Whose backups are followed."),
    ]
    status: Annotated[VirtualMachineBackupTrackerStatus | None, doc("How far the series is.")] = None
