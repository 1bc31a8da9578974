"""The guest's clock and timers."""

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32


class ClockOffsetUTC(Model, frozen=True, kw_only=True):
    """TBD"""

    offset_seconds: Int32 | None = None


class HPETTimer(Model, frozen=True, kw_only=True):
    """TBD"""

    present: bool | None = None
    tick_policy: str | None = None


class HypervTimer(Model, frozen=True, kw_only=True):
    """TBD"""

    present: bool | None = None


class KVMTimer(Model, frozen=True, kw_only=True):
    """TBD"""

    present: bool | None = None


class PITTimer(Model, frozen=True, kw_only=True):
    """TBD"""

    present: bool | None = None
    tick_policy: str | None = None


class RTCTimer(Model, frozen=True, kw_only=True):
    """TBD"""

    present: bool | None = None
    tick_policy: str | None = None
    track: str | None = None


class Timer(Model, frozen=True, kw_only=True):
    """TBD"""

    hpet: HPETTimer | None = None
    hyperv: HypervTimer | None = None
    kvm: KVMTimer | None = None
    pit: PITTimer | None = None
    rtc: RTCTimer | None = None


class Clock(Model, frozen=True, kw_only=True):
    """TBD"""

    timer: Timer | None = None
    timezone: str | None = None
    utc: ClockOffsetUTC | None = None
