"""VirtualMachineSnapshot: the wish for, and the state of, one snapshot."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core.references import TypedLocalObjectReference
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc, unordered, whole
from virtdeck.crds.scalars import Duration, NullableTime
from virtdeck.crds.snapshot.parts import Error


class SnapshotVolumesLists(Model, frozen=True, kw_only=True):
    """Which of the machine's volumes the snapshot holds."""

    excluded_volumes: Annotated[
        tuple[str, ...] | None,
        unordered(),
        doc("Volumes that are left out, since their storage cannot be snapshotted."),
    ] = None
    included_volumes: Annotated[
        tuple[str, ...] | None, unordered(), doc("Volumes whose contents are saved.")
    ] = None


class SourceIndication(Model, frozen=True, kw_only=True):
    """What the machine was like when its snapshot was taken."""

    indication: Annotated[
        str, doc("One word: Online, GuestAgent, NoGuestAgent, QuiesceTimeout, Paused or PartialSnapshot.")
    ]
    message: Annotated[str, doc("What that means for whoever restores it.")]


class VirtualMachineSnapshotSpec(Model, frozen=True, kw_only=True):
    """Of what a snapshot is taken, and how; it cannot be changed once the snapshot exists."""

    deletion_policy: Annotated[
        str | None,
        doc(
            "What deleting the snapshot does to the saved data: Delete (the default) removes it, Retain keeps"
            " its VirtualMachineSnapshotContent."
        ),
    ] = None
    failure_deadline: Annotated[
        Duration | None,
        doc(
            "Time that the snapshot may take before it counts as failed, as 5m (the default); 0 sets no"
            " limit."
        ),
    ] = None
    source: Annotated[
        TypedLocalObjectReference,
        doc("The VirtualMachine (apiGroup kubevirt.io) of the same namespace; it may be running."),
    ]


class VirtualMachineSnapshotStatus(Model, frozen=True, kw_only=True):
    """How far the snapshot is."""

    conditions: Annotated[
        tuple[Condition, ...] | None, whole(), doc("Ready, Progressing and Failure, with their reasons.")
    ] = None
    creation_time: Annotated[
        NullableTime | None, doc("The moment that the saved state is from; absent until it is saved.")
    ] = None
    error: Annotated[Error | None, doc("The last thing that went wrong.")] = None
    indications: Annotated[tuple[str, ...] | None, unordered(), doc("Deprecated: use sourceIndications.")] = (
        None
    )
    phase: Annotated[str | None, doc("InProgress, Succeeded, Failed, Deleting or Unknown.")] = None
    ready_to_use: Annotated[bool | None, doc("It can be restored from.")] = None
    snapshot_volumes: Annotated[
        SnapshotVolumesLists | None, doc("Which of the machine's volumes it holds.")
    ] = None
    source_indications: Annotated[
        tuple[SourceIndication, ...] | None,
        whole(),
        doc("What the machine was like when the snapshot was taken."),
    ] = None
    source_uid: Annotated[str | None, doc("Uid of the machine that it was taken of.")] = field(
        default=None, name="sourceUID"
    )
    virtual_machine_snapshot_content_name: Annotated[
        str | None, doc("Name of the VirtualMachineSnapshotContent with the saved state.")
    ] = None


class VirtualMachineSnapshot(Model, frozen=True, kw_only=True):
    """The state of a virtual machine at one moment: its definition and the contents of its volumes."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineSnapshotSpec, doc("Of what a snapshot is taken, and how.")]
    status: Annotated[VirtualMachineSnapshotStatus | None, doc("How far the snapshot is.")] = None
