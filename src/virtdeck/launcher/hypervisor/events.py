"""libvirt's unasked messages as values."""

from msgspec import Struct

from virtdeck.launcher.hypervisor.protocol import Procedure
from virtdeck.launcher.hypervisor.xdr import Reader


class LifecycleEvent(Struct, frozen=True):
    """The domain may be in another state now. event: Lifecycle. detail: depends on the event."""

    event: int
    detail: int


class RebootEvent(Struct, frozen=True):
    """The guest was reset, by itself or by request."""


class WatchdogEvent(Struct, frozen=True):
    """The watchdog device ran out. action: virDomainEventWatchdogAction."""

    action: int


class IoErrorEvent(Struct, frozen=True):
    """A disk failed. alias: libvirt's device alias."""

    alias: str
    reason: str


class AgentEvent(Struct, frozen=True):
    """The guest opened or closed the agent's channel."""

    connected: bool


Event = LifecycleEvent | RebootEvent | WatchdogEvent | IoErrorEvent | AgentEvent

_AGENT_CONNECTED = 1


def decode_event(procedure: int, payload: bytes) -> Event | None:
    """The event, or None for one that nobody asked for. Raises: Bug when it is cut short."""
    reader = Reader(payload)
    reader.signed()  # callback id
    skip_domain(reader)
    match procedure:
        case Procedure.EVENT_LIFECYCLE:
            return LifecycleEvent(reader.signed(), reader.signed())
        case Procedure.EVENT_REBOOT:
            return RebootEvent()
        case Procedure.EVENT_WATCHDOG:
            return WatchdogEvent(reader.signed())
        case Procedure.EVENT_IO_ERROR_REASON:
            reader.string()  # path of the source
            alias = reader.string()
            reader.signed()  # action
            return IoErrorEvent(alias, reader.string())
        case Procedure.EVENT_AGENT_LIFECYCLE:
            return AgentEvent(connected=reader.signed() == _AGENT_CONNECTED)
    return None


def skip_domain(reader: Reader) -> None:
    """The reader stands behind a remote_nonnull_domain."""
    reader.string()
    reader.opaque(16)
    reader.signed()
