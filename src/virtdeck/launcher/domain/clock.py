"""What time the guest reads and what ticks for it. Source: spec.domain.clock."""

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
        # KVM's own clock has no meaning without KVM.
        said.kvm and not emulated and Timer(name="kvmclock", present=yes_no(said.kvm.present is not False)),
        hpet and Timer(name="hpet", tickpolicy=hpet.tick_policy, present=yes_no(hpet.present is not False)),
        said.hyperv and Timer(name="hypervclock", present=yes_no(said.hyperv.present is not False)),
    )
    return tuple(timer for timer in wanted if timer)
