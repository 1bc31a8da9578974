"""The guest's clock and timers."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class ClockOffsetUTC(Model, frozen=True, kw_only=True):
    """A clock that runs on UTC."""

    offset_seconds: Annotated[
        Int32 | None,
        doc("How far it is from UTC, in seconds; what the guest changes is kept until it stops when absent."),
    ] = None


class HPETTimer(Model, frozen=True, kw_only=True):
    """High precision event timer."""

    present: Annotated[bool | None, doc("Whether the guest has it; true when it is named.")] = None
    tick_policy: Annotated[
        str | None, doc("What becomes of missed ticks: delay, catchup, merge or discard.")
    ] = None


class HypervTimer(Model, frozen=True, kw_only=True):
    """Reference time of Hyper-V, for Windows."""

    present: Annotated[bool | None, doc("Whether the guest has it; true when it is named.")] = None


class KVMTimer(Model, frozen=True, kw_only=True):
    """KVM's own clock."""

    present: Annotated[bool | None, doc("Whether the guest has it; true when it is named.")] = None


class PITTimer(Model, frozen=True, kw_only=True):
    """Programmable interval timer."""

    present: Annotated[bool | None, doc("Whether the guest has it; true when it is named.")] = None
    tick_policy: Annotated[
        str | None, doc("What becomes of missed ticks: delay, catchup, merge or discard.")
    ] = None


class RTCTimer(Model, frozen=True, kw_only=True):
    """Real time clock."""

    present: Annotated[bool | None, doc("Whether the guest has it; true when it is named.")] = None
    tick_policy: Annotated[
        str | None, doc("What becomes of missed ticks: delay, catchup, merge or discard.")
    ] = None
    track: Annotated[str | None, doc("What it follows: guest or wall.")] = None


class Timer(Model, frozen=True, kw_only=True):
    """Timers that the guest has."""

    hpet: Annotated[HPETTimer | None, doc("High precision event timer.")] = None
    hyperv: Annotated[HypervTimer | None, doc("Reference time of Hyper-V, for Windows.")] = None
    kvm: Annotated[KVMTimer | None, doc("KVM's own clock.")] = None
    pit: Annotated[PITTimer | None, doc("Programmable interval timer.")] = None
    rtc: Annotated[RTCTimer | None, doc("Real time clock.")] = None


class Clock(Model, frozen=True, kw_only=True):
    """The guest's clock; UTC when nothing is said."""

    timer: Annotated[
        Timer | None, doc("Timers that the guest has; those that suit most guests when absent.")
    ] = None
    timezone: Annotated[
        str | None, doc("Time zone in which the clock runs, as Europe/Berlin. Excludes utc.")
    ] = None
    utc: Annotated[
        ClockOffsetUTC | None, doc("The clock runs on UTC, which is the default. Excludes timezone.")
    ] = None
