"""VirtualMachineClone: a copy of a virtual machine under a new name."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core.references import TypedLocalObjectReference
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc, whole
from virtdeck.crds.scalars import Time

_FILTER = (
    'a leading "!" leaves out, and wins; a trailing "*" stands for any rest. All are copied when absent.'
)


class VirtualMachineCloneTemplateFilters(Model, frozen=True, kw_only=True):
    """Which of the template's labels and annotations are copied."""

    annotation_filters: Annotated[
        tuple[str, ...] | None, doc(f"Annotations of the template that are copied: {_FILTER}")
    ] = None
    label_filters: Annotated[
        tuple[str, ...] | None, doc(f"Labels of the template that are copied: {_FILTER}")
    ] = None


class VirtualMachineCloneSpec(Model, frozen=True, kw_only=True):
    """What is copied, and what is different about the copy."""

    annotation_filters: Annotated[
        tuple[str, ...] | None, doc(f"Annotations of the machine that are copied: {_FILTER}")
    ] = None
    label_filters: Annotated[
        tuple[str, ...] | None, doc(f"Labels of the machine that are copied: {_FILTER}")
    ] = None
    new_mac_addresses: Annotated[
        dict[str, str] | None,
        doc("MAC addresses of the copy by interface, as 02:00:00:12:34:56; others get new ones."),
    ] = None
    new_sm_bios_serial: Annotated[
        str | None, doc("Serial number of the copy's firmware; a new one when absent.")
    ] = field(default=None, name="newSMBiosSerial")
    patches: Annotated[
        tuple[str, ...] | None,
        doc(
            "JSON patch operations on the copy, one text each, as"
            ' {"op": "replace", "path": "/spec/…", "value": …}; applied last.'
        ),
    ] = None
    source: Annotated[
        TypedLocalObjectReference,
        doc(
            "What is copied: a VirtualMachine (apiGroup kubevirt.io) or a VirtualMachineSnapshot (apiGroup"
            " snapshot.kubevirt.io) of the same namespace."
        ),
    ]
    target: Annotated[
        TypedLocalObjectReference | None,
        doc(
            "The VirtualMachine (apiGroup kubevirt.io) that is made; clone-<source>-<5 letters> when absent."
        ),
    ] = None
    template: Annotated[
        VirtualMachineCloneTemplateFilters | None,
        doc("Which of the template's labels and annotations are copied."),
    ] = None
    volume_name_policy: Annotated[
        str | None,
        doc("Names of the copy's claims: RandomizeNames (the default) or PrefixTargetName."),
    ] = None


class VirtualMachineCloneStatus(Model, frozen=True, kw_only=True):
    """How far the copy is."""

    conditions: Annotated[tuple[Condition, ...] | None, whole(), doc("Ready and Progressing.")] = None
    creation_time: Annotated[Time | None, doc("When the copy was made.")] = None
    phase: Annotated[
        str | None,
        doc("SnapshotInProgress, CreatingTargetVM, RestoreInProgress, Succeeded, Failed or Unknown."),
    ] = None
    restore_name: Annotated[str | None, doc("Restore that makes the copy, until it is made.")] = None
    snapshot_name: Annotated[str | None, doc("Snapshot that the copy comes from, until it is made.")] = None
    target_name: Annotated[str | None, doc("Name of the copy.")] = None


class VirtualMachineClone(Model, frozen=True, kw_only=True):
    """A copy of a virtual machine, or of a snapshot of one, under a new name."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineCloneSpec, doc("What is copied, and what is different about the copy.")]
    status: Annotated[VirtualMachineCloneStatus | None, doc("How far the copy is.")] = None
