"""Claims of persistent storage."""

from virtdeck.crds.core.claims import PersistentVolumeClaimSpec
from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.meta import Condition
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Quantity


class PersistentVolumeClaimStatus(Model, frozen=True, kw_only=True):
    """phase: Pending, Bound or Lost."""

    phase: str | None = None
    access_modes: tuple[str, ...] | None = None
    capacity: dict[str, Quantity] | None = None
    conditions: tuple[Condition, ...] | None = None


class PersistentVolumeClaim(Plain, frozen=True, kw_only=True):
    """Storage that somebody asked for."""

    spec: PersistentVolumeClaimSpec | None = None
    status: PersistentVolumeClaimStatus | None = None
