"""What a VMI says and nothing acts on: let through, and told."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import WARNING, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

WARNINGS: Rules[Subject] = Rules("VMI")

_INTERFACE = "spec.domain.devices.interfaces[]"


@WARNINGS.rule(
    "", f"{_INTERFACE}.ports", WARNING, "has no effect: without masquerade every port reaches the guest"
)
def ports_are_for_masquerade(vmi: Subject) -> Iterator[Place]:
    """The binding is no masquerade."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.ports and interface.masquerade is None:
            yield at(index)


@WARNINGS.rule(
    "",
    "spec.domain.ioThreads.supplementalPoolThreadCount",
    WARNING,
    "has no effect without ioThreadsPolicy: supplementalPool",
)
def counted_threads_are_for_a_pool(vmi: Subject) -> Iterator[Place]:
    """ioThreadsPolicy is another, or absent."""
    threads = vmi.domain.io_threads
    counted = threads is not None and threads.supplemental_pool_thread_count
    if counted and vmi.domain.io_threads_policy != "supplementalPool":
        yield at()


@WARNINGS.rule(
    "",
    "spec.domain.{cpu.maxSockets|memory.maxGuest}",
    WARNING,
    "has no effect while the KubeVirt object's vmRolloutStrategy is not LiveUpdate",
)
def maxima_are_for_live_update(vmi: Subject) -> Iterator[Place]:
    """Changes do not reach running guests."""
    if not vmi.cluster.live_update and vmi.cpu.max_sockets:
        yield at("cpu.maxSockets")
    if not vmi.cluster.live_update and vmi.memory.max_guest is not None:
        yield at("memory.maxGuest")
