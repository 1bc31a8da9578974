"""Persistent volume claims, as far as a VM spells them out."""

from typing import Annotated

from virtdeck.crds.core.references import TypedLocalObjectReference, TypedObjectReference
from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Quantity
from virtdeck.crds.selectors import LabelSelector


class VolumeResourceRequirements(Model, frozen=True, kw_only=True):
    """TBD"""

    limits: dict[str, Quantity] | None = None
    requests: dict[str, Quantity] | None = None


class PersistentVolumeClaimSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    access_modes: tuple[str, ...] | None = None
    data_source: TypedLocalObjectReference | None = None
    data_source_ref: TypedObjectReference | None = None
    resources: VolumeResourceRequirements | None = None
    selector: LabelSelector | None = None
    storage_class_name: str | None = None
    volume_attributes_class_name: str | None = None
    volume_mode: Annotated[str | None, one_of("Block", "Filesystem", "FromStorageProfile")] = None
    volume_name: str | None = None


class PersistentVolumeClaimVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    claim_name: str
    read_only: bool | None = None
