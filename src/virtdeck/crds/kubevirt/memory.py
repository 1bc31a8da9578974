"""The memory that a guest sees, and what its pod asks of the node."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Quantity


class Hugepages(Model, frozen=True, kw_only=True):
    """Memory in large pages, which the node must have set aside."""

    page_size: Annotated[str | None, doc("Size of a page, as 2Mi or 1Gi.")] = None


class ReservedOverhead(Model, frozen=True, kw_only=True):
    """Memory that is reserved beside the guest's own."""

    added_overhead: Annotated[Quantity | None, doc("Amount that is added to what virtdeck reckons.")] = None
    mem_lock: Annotated[
        str | None, doc("Required locks all of the guest's memory; NotRequired does not.")
    ] = None


class Memory(Model, frozen=True, kw_only=True):
    """The memory that the guest sees."""

    guest: Annotated[Quantity | None, doc("Amount, as 512Mi or 4Gi.")] = None
    hugepages: Annotated[Hugepages | None, doc("Memory in large pages.")] = None
    max_guest: Annotated[Quantity | None, doc("How much memory the guest may grow to while it runs.")] = None
    reserved_overhead: Annotated[
        ReservedOverhead | None, doc("Memory that is reserved beside the guest's own.")
    ] = None


class MemoryStatus(Model, frozen=True, kw_only=True):
    """The guest's memory, as it is."""

    guest_at_boot: Annotated[Quantity | None, doc("What it started with.")] = None
    guest_current: Annotated[Quantity | None, doc("What it has now.")] = None
    guest_requested: Annotated[Quantity | None, doc("What it was asked to have.")] = None
    memory_overhead: Annotated[Quantity | None, doc("What the launcher needs beside the guest.")] = None


class ResourceRequirements(Model, frozen=True, kw_only=True):
    """What the pod asks of the node."""

    limits: Annotated[dict[str, Quantity] | None, doc('The most it may use, as cpu: "2".')] = None
    overcommit_guest_overhead: Annotated[
        bool | None,
        doc("The launcher's own memory is left out of the request; the node may run out of memory."),
    ] = None
    requests: Annotated[dict[str, Quantity] | None, doc("What the node keeps for it, as memory: 1Gi.")] = None
