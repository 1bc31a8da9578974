"""The phases of a domain and what leads from one to the next."""

from datetime import datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from virtdeck.basis.clock import rfc3339
from virtdeck.launcher.hypervisor.protocol import DomainState, PausedReason, StoppedDetail
from virtdeck.wire.launcher import DomainPhase, EndReason, PauseReason


class Life(Struct, frozen=True, kw_only=True):
    """A domain's phase, since when, and why. panicked: the guest's kernel said so before it ended."""

    phase: DomainPhase = "NoDomain"
    since: str = ""
    end_reason: EndReason | None = None
    pause_reason: PauseReason | None = None
    message: str = ""
    reboots: int = 0
    panicked: bool = False
    shutdown_asked: bool = False

    @property
    def ended(self) -> bool:
        return self.phase == "Ended"

    @property
    def has_guest(self) -> bool:
        """There is a domain that can be acted upon."""
        return self.phase in ("Running", "Paused", "ShuttingDown")


# What QEMU does on its own for a moment and nobody should hear of.
_PASSING: Final = frozenset((PausedReason.STARTING_UP,))
_PAUSES: Final[dict[int, tuple[PauseReason, str]]] = {
    PausedReason.USER: ("PausedByUser", ""),
    PausedReason.MIGRATION: ("PausedByMigrationMonitor", ""),
    PausedReason.IO_ERROR: ("PausedIOError", "a disk failed; the guest waits until it can be written again"),
    PausedReason.WATCHDOG: ("PausedByUser", "the watchdog device paused the guest"),
}
_ENDS: Final[dict[int, tuple[EndReason, str]]] = {
    StoppedDetail.SHUTDOWN: ("Shutdown", "the guest powered off"),
    StoppedDetail.DESTROYED: ("Destroyed", "the guest was powered off by force"),
    StoppedDetail.CRASHED: ("Crashed", "the guest crashed"),
    StoppedDetail.MIGRATED: ("Shutdown", "the guest runs on another node"),
    StoppedDetail.SAVED: ("Shutdown", "the guest was saved"),
    StoppedDetail.FAILED: ("Crashed", "QEMU ended unexpectedly"),
    StoppedDetail.FROM_SNAPSHOT: ("Shutdown", "the guest was reverted to a snapshot"),
}


def begun(life: Life, now: datetime) -> Life:
    """The domain is being made."""
    return _to(life, "Starting", now)


def started(life: Life, paused: bool, now: datetime) -> Life:
    """The domain is there, unless it has ended already. paused: as the VMI wished."""
    if life.ended:
        return life
    if not paused:
        return _to(life, "Running", now)
    return replace(_to(life, "Paused", now), pause_reason="StartedPaused")


def seen(life: Life, state: int, reason: int, now: datetime) -> Life:
    """libvirt's state, read again after any event, decides; an ended domain stays ended."""
    if not life.has_guest:
        return life
    match state:
        case DomainState.RUNNING | DomainState.BLOCKED | DomainState.PMSUSPENDED:
            phase: DomainPhase = "ShuttingDown" if life.shutdown_asked else "Running"
            return life if life.phase == phase else _to(life, phase, now)
        case DomainState.PAUSED if reason not in _PASSING:
            return _paused(life, reason, now)
        case DomainState.SHUTDOWN:
            return life if life.phase == "ShuttingDown" else _to(life, "ShuttingDown", now)
    return life


def _paused(life: Life, reason: int, now: datetime) -> Life:
    why, message = _PAUSES.get(reason, ("PausedByUser", ""))
    if life.phase == "Paused" and life.pause_reason in (why, "StartedPaused"):
        return life
    return replace(_to(life, "Paused", now), pause_reason=why, message=message)


def shutdown_asked(life: Life, now: datetime) -> Life:
    """Somebody wants the guest to power off."""
    if not life.has_guest:
        return life
    return replace(
        _to(life, "ShuttingDown", now), shutdown_asked=True, since=_since(life, "ShuttingDown", now)
    )


def stopped(life: Life, detail: int, now: datetime, words: str = "") -> Life:
    """The domain is gone. detail: StoppedDetail. words: what is known of the cause beyond it."""
    reason, message = _ENDS.get(detail, ("Crashed", "the guest ended for a reason that libvirt does not say"))
    if life.panicked and reason == "Crashed":
        reason, message = "Panicked", "the guest's kernel panicked"
    return ended(life, reason, f"{message}: {words}" if words else message, now)


def ended(life: Life, reason: EndReason, message: str, now: datetime) -> Life:
    """It is over, once: a later reason does not replace the first."""
    if life.ended:
        return life
    return replace(_to(life, "Ended", now), end_reason=reason, message=message)


def panicked(life: Life) -> Life:
    """The guest's kernel reported its panic."""
    return replace(life, panicked=True)


def rebooted(life: Life) -> Life:
    """The guest was reset."""
    return replace(life, reboots=life.reboots + 1) if life.has_guest else life


def _to(life: Life, phase: DomainPhase, now: datetime) -> Life:
    return replace(life, phase=phase, since=rfc3339(now), pause_reason=None, message="")


def _since(life: Life, phase: DomainPhase, now: datetime) -> str:
    return life.since if life.phase == phase else rfc3339(now)
