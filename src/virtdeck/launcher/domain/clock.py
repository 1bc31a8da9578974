"""What time the guest reads and what ticks for it. Source: spec.domain.clock."""

from virtdeck.crds.kubevirt.clock import HypervTimer, KVMTimer
from virtdeck.crds.kubevirt.clock import Timer as TimerSpec
from virtdeck.launcher.domain.elements.machine import Clock, Timer
from virtdeck.launcher.domain.request import Request, yes_no


def clock(request: Request) -> Clock:
    """UTC, moved by an offset that is not kept over a restart, or a zone's local time."""
    said = request.domain.clock
    if said is None:
        return Clock(offset="utc")
    timers = _timers(said.timer, request.emulated) if said.timer else ()
    if said.timezone is not None:
        return Clock(offset="timezone", timezone=said.timezone, timer=timers)
    offset = said.utc.offset_seconds if said.utc else None
    if offset is None:
        return Clock(offset="utc", adjustment="reset", timer=timers)
    return Clock(offset="variable", adjustment=str(offset), timer=timers)


def _timers(said: TimerSpec, emulated: bool) -> tuple[Timer, ...]:
    rtc, pit, hpet = said.rtc, said.pit, said.hpet
    wanted = (
        rtc
        and Timer(
            name="rtc", track=rtc.track, tickpolicy=rtc.tick_policy, present=yes_no(rtc.present is not False)
        ),
        pit and Timer(name="pit", tickpolicy=pit.tick_policy, present=yes_no(pit.present is not False)),
        hpet and Timer(name="hpet", tickpolicy=hpet.tick_policy, present=yes_no(hpet.present is not False)),
    )
    # The clocks of hypervisors have no meaning without KVM.
    paravirtual = (
        () if emulated else (_paravirtual("kvmclock", said.kvm), _paravirtual("hypervclock", said.hyperv))
    )
    return tuple(timer for timer in (*wanted, *paravirtual) if timer)


def _paravirtual(name: str, said: KVMTimer | HypervTimer | None) -> Timer | None:
    return Timer(name=name, present=yes_no(said.present is not False)) if said else None
