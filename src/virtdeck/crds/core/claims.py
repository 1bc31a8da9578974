"""Persistent volume claims, as far as a VM spells them out."""

from typing import Annotated

from virtdeck.crds.core.references import TypedLocalObjectReference, TypedObjectReference
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Quantity
from virtdeck.crds.selectors import LabelSelector


class VolumeResourceRequirements(Model, frozen=True, kw_only=True):
    """How much storage."""

    limits: Annotated[dict[str, Quantity] | None, doc("The most.")] = None
    requests: Annotated[dict[str, Quantity] | None, doc("The least, as storage: 10Gi.")] = None


class PersistentVolumeClaimSpec(Model, frozen=True, kw_only=True):
    """The storage that is asked for."""

    access_modes: Annotated[tuple[str, ...] | None, doc("Who may use it at once, as ReadWriteOnce.")] = None
    data_source: Annotated[TypedLocalObjectReference | None, doc("What it is filled from.")] = None
    data_source_ref: Annotated[
        TypedObjectReference | None, doc("What it is filled from, in any namespace.")
    ] = None
    resources: Annotated[VolumeResourceRequirements | None, doc("How much.")] = None
    selector: Annotated[LabelSelector | None, doc("Which volumes suit.")] = None
    storage_class_name: Annotated[str | None, doc("Class of storage; the default class when absent.")] = None
    volume_attributes_class_name: Annotated[
        str | None, doc("Class of attributes that may be changed later.")
    ] = None
    volume_mode: Annotated[
        str | None,
        one_of("Block", "Filesystem", "FromStorageProfile"),
        doc("A file system, or a bare block device."),
    ] = None
    volume_name: Annotated[str | None, doc("The very volume.")] = None


class PersistentVolumeClaimVolumeSource(Model, frozen=True, kw_only=True):
    """A claim in the same namespace."""

    claim_name: Annotated[str, doc("Name of the claim.")]
    read_only: Annotated[bool | None, doc("Whether it must not be written to.")] = None
