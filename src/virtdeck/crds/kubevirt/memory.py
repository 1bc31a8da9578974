"""The memory that a guest sees, and what its pod asks of the node."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Quantity


class Hugepages(Model, frozen=True, kw_only=True):
    """Memory in large pages, which the node must have set aside."""

    page_size: Annotated[
        str | None,
        doc(
            "Size of a page, as 2Mi or 1Gi: one that the node offers, and memory.guest must be a multiple "
            "of it."
        ),
    ] = None


class ReservedOverhead(Model, frozen=True, kw_only=True):
    """Memory that is reserved beside the guest's own."""

    added_overhead: Annotated[
        Quantity | None,
        doc("Amount that is added to what virtdeck reckons for the launcher, as 256Mi; 0 when absent."),
    ] = None
    mem_lock: Annotated[
        str | None,
        doc(
            "Required locks all of the guest's memory into the host's, as devices of the host need it; "
            "NotRequired (the default) does not."
        ),
    ] = None


class Memory(Model, frozen=True, kw_only=True):
    """The memory that the guest sees."""

    guest: Annotated[
        Quantity | None,
        doc(
            "How much memory the guest sees, as 512Mi or 4Gi. resources.requests.memory when absent; one "
            "of the two must be there. While the guest runs it may be raised up to maxGuest."
        ),
    ] = None
    hugepages: Annotated[
        Hugepages | None,
        doc(
            "Memory in large pages: faster, but the node must have set them aside, and nothing can be "
            "overcommitted."
        ),
    ] = None
    max_guest: Annotated[
        Quantity | None,
        doc(
            "How much memory the guest may grow to while it runs; at least guest. 4 × guest when absent "
            "and live updates are on. It cannot change afterwards."
        ),
    ] = None
    reserved_overhead: Annotated[
        ReservedOverhead | None, doc("Memory for the launcher besides what virtdeck reckons.")
    ] = None


class MemoryStatus(Model, frozen=True, kw_only=True):
    """The guest's memory, as it is."""

    guest_at_boot: Annotated[Quantity | None, doc("What it started with.")] = None
    guest_current: Annotated[Quantity | None, doc("What it has now.")] = None
    guest_requested: Annotated[Quantity | None, doc("What it was asked to have.")] = None
    memory_overhead: Annotated[Quantity | None, doc("What the launcher needs beside the guest.")] = None


class ResourceRequirements(Model, frozen=True, kw_only=True):
    """What the pod asks of the node."""

    limits: Annotated[
        dict[str, Quantity] | None,
        doc(
            'The most that the launcher with its guest may use, as memory: 2Gi or cpu: "2"; without limit '
            "when absent. A guest that passes its memory limit is ended."
        ),
    ] = None
    overcommit_guest_overhead: Annotated[
        bool | None,
        doc(
            "true: the launcher's own memory is left out of the request, so more guests fit on a node, "
            "which may then run out of memory. false when absent."
        ),
    ] = None
    requests: Annotated[
        dict[str, Quantity] | None,
        doc(
            "What the node keeps for the launcher with its guest, as memory: 1Gi or cpu: 500m. Derived "
            "from memory.guest and cpu when absent. A memory request below memory.guest overcommits the "
            "node."
        ),
    ] = None
