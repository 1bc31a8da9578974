"""The memory that a guest sees, and what its pod asks of the node."""

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Quantity


class Hugepages(Model, frozen=True, kw_only=True):
    """TBD"""

    page_size: str | None = None


class ReservedOverhead(Model, frozen=True, kw_only=True):
    """TBD"""

    added_overhead: Quantity | None = None
    mem_lock: str | None = None


class Memory(Model, frozen=True, kw_only=True):
    """TBD"""

    guest: Quantity | None = None
    hugepages: Hugepages | None = None
    max_guest: Quantity | None = None
    reserved_overhead: ReservedOverhead | None = None


class MemoryStatus(Model, frozen=True, kw_only=True):
    """TBD"""

    guest_at_boot: Quantity | None = None
    guest_current: Quantity | None = None
    guest_requested: Quantity | None = None
    memory_overhead: Quantity | None = None


class ResourceRequirements(Model, frozen=True, kw_only=True):
    """TBD"""

    limits: dict[str, Quantity] | None = None
    overcommit_guest_overhead: bool | None = None
    requests: dict[str, Quantity] | None = None
