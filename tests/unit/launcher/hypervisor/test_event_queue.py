"""A flood of events costs neither memory nor the one that matters."""

import pytest

from virtdeck.launcher.hypervisor import xdr
from virtdeck.launcher.hypervisor.domain import EVENT_QUEUE_LENGTH, Hypervisor
from virtdeck.launcher.hypervisor.events import LifecycleEvent
from virtdeck.launcher.hypervisor.protocol import Lifecycle, Procedure, StoppedDetail

pytestmark = pytest.mark.anyio
HEAD = xdr.uint(3) + xdr.string("d") + bytes(16) + xdr.uint(7)


async def test_the_end_is_heard_after_a_flood() -> None:
    hypervisor = Hypervisor()
    for _ in range(EVENT_QUEUE_LENGTH * 3):
        hypervisor._queue_event(Procedure.EVENT_REBOOT, HEAD)
    hypervisor._queue_event(
        Procedure.EVENT_LIFECYCLE, HEAD + xdr.uint(Lifecycle.STOPPED) + xdr.uint(StoppedDetail.DESTROYED)
    )
    assert hypervisor.events.qsize() == EVENT_QUEUE_LENGTH
    heard = [hypervisor.events.get_nowait() for _ in range(EVENT_QUEUE_LENGTH)]
    assert heard[-1] == LifecycleEvent(Lifecycle.STOPPED, StoppedDetail.DESTROYED)


async def test_an_event_that_is_cut_short_is_dropped() -> None:
    hypervisor = Hypervisor()
    hypervisor._queue_event(Procedure.EVENT_LIFECYCLE, HEAD)
    assert hypervisor.events.empty()
