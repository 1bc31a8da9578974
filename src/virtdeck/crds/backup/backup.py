"""VirtualMachineBackup: one backup of a running virtual machine."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.backup.checkpoint import BackupVolumeInfo
from virtdeck.crds.core.references import TypedLocalObjectReference
from virtdeck.crds.meta import ObjectMeta, StandardCondition
from virtdeck.crds.model import Model, doc, keyed_by, one_of, rule, whole
from virtdeck.crds.scalars import Duration

_SOURCE = rule(
    "has(self.apiGroup) && (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine' ||"
    " self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')",
    "must be a VirtualMachine of kubevirt.io or a VirtualMachineBackupTracker of backup.kubevirt.io",
)
_TOKEN = rule(
    "!has(self.mode) || self.mode != 'Pull' || has(self.tokenSecretRef) && self.tokenSecretRef != ''",
    "tokenSecretRef must name a secret in mode Pull",
)


class VirtualMachineBackupSpec(Model, frozen=True, kw_only=True):
    """What is backed up, and how; it cannot be changed once the backup exists."""

    force_full_backup: Annotated[
        bool | None, doc("All data is read, even where a checkpoint would allow the changes alone.")
    ] = None
    mode: Annotated[
        str | None,
        one_of("Push", "Pull"),
        doc("Push (the default) writes into the claim pvcName; Pull lets a backup program read."),
    ] = None
    pvc_name: Annotated[
        str | None,
        doc("Claim with a file system that the backup is written to; in mode Pull for scratch space."),
    ] = None
    skip_quiesce: Annotated[
        bool | None, doc("The guest's file systems are not frozen for the moment of the backup.")
    ] = None
    source: Annotated[
        TypedLocalObjectReference,
        _SOURCE,
        rule("self.name != ''", "must have a name"),
        doc(
            "A VirtualMachine (apiGroup kubevirt.io) for a full backup, or a VirtualMachineBackupTracker"
            " (apiGroup backup.kubevirt.io) for one that goes on from its latest checkpoint."
        ),
    ]
    token_secret_ref: Annotated[
        str | None, doc("Secret whose key token a backup program must show; needed in mode Pull.")
    ] = None
    ttl_duration: Annotated[
        Duration | None,
        doc("Time from its creation after which a backup in mode Pull ends, as 2h (the default)."),
    ] = None


class VirtualMachineBackupStatus(Model, frozen=True, kw_only=True):
    """How far the backup is."""

    checkpoint_name: Annotated[
        str | None, doc("Checkpoint from which the next incremental backup goes on.")
    ] = None
    conditions: Annotated[
        tuple[StandardCondition, ...] | None,
        keyed_by("type"),
        doc("Progressing, Complete, Failed and Quiesced."),
    ] = None
    endpoint_cert: Annotated[
        str | None, doc("PEM of the authority that a backup program trusts in mode Pull.")
    ] = None
    export_uid: Annotated[str | None, doc("Uid of the export that serves it in mode Pull.")] = field(
        default=None, name="exportUID"
    )
    included_volumes: Annotated[
        tuple[BackupVolumeInfo, ...] | None, whole(), doc("The volumes that it holds.")
    ] = None
    type: Annotated[str | None, doc("Full, or Incremental since the tracker's checkpoint.")] = None


class VirtualMachineBackup(Model, frozen=True, kw_only=True):
    """One backup of a running virtual machine."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachineBackupSpec,
        rule("self == oldSelf", "cannot be changed; make another backup"),
        rule("has(self.pvcName) && self.pvcName != ''", "pvcName must name a claim"),
        _TOKEN,
        doc("What is backed up, and how."),
    ]
    status: Annotated[VirtualMachineBackupStatus | None, doc("How far the backup is.")] = None
