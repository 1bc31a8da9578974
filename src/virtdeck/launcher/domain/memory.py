"""How much memory the guest has, and how it gives some back."""

from virtdeck.crds.quantity import parse_bytes
from virtdeck.launcher.domain.elements.devices import Balloon, BalloonStats
from virtdeck.launcher.domain.elements.machine import Memory
from virtdeck.launcher.domain.request import Request

STATS_PERIOD_SECONDS = 10


def guest_bytes(request: Request) -> int | None:
    """``memory.guest``, else what the resources request or limit; None when nothing says."""
    domain = request.domain
    resources = domain.resources
    said = (
        domain.memory.guest if domain.memory else None,
        (resources.requests or {}).get("memory") if resources else None,
        (resources.limits or {}).get("memory") if resources else None,
    )
    return next((parse_bytes(amount) for amount in said if amount is not None), None)


def memory(request: Request) -> Memory:
    """Source: spec.domain.memory.guest."""
    return Memory(unit="b", value=str(guest_bytes(request) or 0))


def balloon(request: Request) -> Balloon:
    """Source: spec.domain.devices.autoattachMemBalloon."""
    if request.devices.autoattach_mem_balloon is False:
        return Balloon(model="none")
    return Balloon(
        model=request.virtio_model, free_page_reporting="on", stats=BalloonStats(period=STATS_PERIOD_SECONDS)
    )
