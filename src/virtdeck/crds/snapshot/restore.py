"""VirtualMachineRestore: the way back to a snapshot."""

from typing import Annotated

from virtdeck.crds.core.references import TypedLocalObjectReference
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, default, doc, one_of, whole
from virtdeck.crds.scalars import Time


class VolumeRestoreOverride(Model, frozen=True, kw_only=True):
    """Another name, labels or annotations for one restored volume; at least one of them."""

    annotations: Annotated[dict[str, str] | None, doc("Annotations that its claim gets besides.")] = None
    labels: Annotated[dict[str, str] | None, doc("Labels that its claim gets besides.")] = None
    restore_name: Annotated[
        str | None, doc("Name of its claim, instead of the one by volumeRestorePolicy.")
    ] = None
    volume_name: Annotated[str | None, doc("The volume, by its name in the snapshot.")] = None


class VirtualMachineRestoreSpec(Model, frozen=True, kw_only=True):
    """What is restored to where; it cannot be changed once the restore exists."""

    patches: Annotated[
        tuple[str, ...] | None,
        doc(
            "JSON patch operations, one text each, on the machine that the restore makes, as"
            ' {"op": "replace", "path": "/spec/…", "value": …}; of use only when the target is new.'
        ),
    ] = None
    target: Annotated[
        TypedLocalObjectReference,
        doc(
            "The VirtualMachine (apiGroup kubevirt.io) that gets the saved state: the snapshot's own, powered"
            " off, or a new name, which makes a machine."
        ),
    ]
    target_readiness_policy: Annotated[
        str | None,
        one_of("StopTarget", "WaitGracePeriod", "FailImmediate", "WaitEventually"),
        default("WaitGracePeriod"),
        doc(
            "While the target runs: WaitGracePeriod (the default) waits 5 minutes for its end, FailImmediate"
            " not at all, WaitEventually for ever; StopTarget ends it."
        ),
    ] = None
    virtual_machine_snapshot_name: Annotated[str, doc("The VirtualMachineSnapshot, of the same namespace.")]
    volume_ownership_policy: Annotated[
        str | None,
        doc("Who owns the restored claims: Vm (the default; they go with the machine) or None (they stay)."),
    ] = None
    volume_restore_overrides: Annotated[
        tuple[VolumeRestoreOverride, ...] | None,
        whole(),
        doc("Other names, labels or annotations for single volumes."),
    ] = None
    volume_restore_policy: Annotated[
        str | None,
        doc(
            "Names of the restored claims: RandomizeNames (the default) gives new ones, PrefixTargetName"
            " <target>-<volume>, InPlace takes the places of the old ones, whose data is lost."
        ),
    ] = None


class VolumeRestore(Model, frozen=True, kw_only=True):
    """One restored volume."""

    data_volume_name: Annotated[str | None, doc("DataVolume around its claim.")] = None
    persistent_volume_claim: Annotated[str, doc("Name of its claim.")]
    volume_name: Annotated[str, doc("Name of the volume in the snapshot.")]
    volume_snapshot_name: Annotated[str, doc("VolumeSnapshot that its contents come from.")]


class VirtualMachineRestoreStatus(Model, frozen=True, kw_only=True):
    """How far the restore is."""

    complete: Annotated[bool | None, doc("It has ended, well or not; the conditions tell.")] = None
    conditions: Annotated[
        tuple[Condition, ...] | None, whole(), doc("Ready, Progressing and Failure, with their reasons.")
    ] = None
    deleted_data_volumes: Annotated[
        tuple[str, ...] | None, doc("DataVolumes of the target that the restored ones replaced.")
    ] = None
    restore_time: Annotated[Time | None, doc("When it ended well.")] = None
    restores: Annotated[tuple[VolumeRestore, ...] | None, doc("The restored volumes.")] = None


class VirtualMachineRestore(Model, frozen=True, kw_only=True):
    """A virtual machine gets the state of a snapshot, or is made from one."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineRestoreSpec, doc("What is restored to where.")]
    status: Annotated[VirtualMachineRestoreStatus | None, doc("How far the restore is.")] = None
