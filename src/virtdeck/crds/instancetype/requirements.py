"""The least that a preference's guest system runs with."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count, Quantity


class CPUPreferenceRequirement(Model, frozen=True, kw_only=True):
    """Processors."""

    guest: Annotated[Count, doc("The fewest processors that the guest must see.")]


class MemoryPreferenceRequirement(Model, frozen=True, kw_only=True):
    """Memory."""

    guest: Annotated[Quantity, doc("The least memory that the guest must see, as 2Gi.")]


class PreferenceRequirements(Model, frozen=True, kw_only=True):
    """What a machine must have; one that has less is refused."""

    architecture: Annotated[str | None, doc("The architecture that the guest must have.")] = None
    cpu: Annotated[CPUPreferenceRequirement | None, doc("The fewest processors.")] = None
    memory: Annotated[MemoryPreferenceRequirement | None, doc("The least memory.")] = None
