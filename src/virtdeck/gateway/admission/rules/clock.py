"""Clock, identity and names of the machine: ours, for what libvirt refuses fails where nobody looks."""

import re
import uuid
from collections.abc import Iterator

from virtdeck.crds.kubevirt.clock import Clock, Timer
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_MODEL = re.compile(r"[A-Za-z0-9_.+-]+", re.ASCII)
_LEAST_SPINLOCKS, _MOST_VENDOR = 4096, 12


@RULES.rule("", "spec.domain.clock", INVALID, "must have either utc or timezone, not both")
def clock_runs_on_one_time(vmi: Subject) -> Iterator[Place]:
    """Both are given."""
    clock = vmi.domain.clock
    if clock and clock.utc is not None and clock.timezone:
        yield at()


@RULES.rule("", "spec.domain.clock.timezone", INVALID, "must be the name of a time zone, as Europe/Berlin")
def zone_is_a_name(vmi: Subject) -> Iterator[Place]:
    """It could be a path."""
    clock = vmi.domain.clock
    if clock and clock.timezone and not _ZONE.fullmatch(clock.timezone):
        yield at()


@RULES.choice("", "spec.domain.clock.timer.{hpet|pit|rtc}.tickPolicy", "delay", "catchup", "merge", "discard")
def tick_policy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    timer = _timer(vmi)
    for name, device in (("hpet", timer.hpet), ("pit", timer.pit), ("rtc", timer.rtc)):
        if device is not None:
            yield at(name, value=device.tick_policy)


@RULES.choice("", "spec.domain.clock.timer.rtc.track", "guest", "wall")
def track_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    rtc = _timer(vmi).rtc
    if rtc is not None:
        yield at(value=rtc.track)


@RULES.rule(
    "", "spec.domain.firmware.uuid", INVALID, "must be a UUID, as 5d307ca9-b3ef-428c-8861-06e72d69f223"
)
def identity_is_a_uuid(vmi: Subject) -> Iterator[Place]:
    """It is another text."""
    text = vmi.domain.firmware.uuid if vmi.domain.firmware else None
    try:
        if text:
            uuid.UUID(text)
    except ValueError:
        yield at()


@RULES.rule("", "spec.domain.cpu.model", INVALID, "must be letters, digits and _ . + -")
def model_is_a_word(vmi: Subject) -> Iterator[Place]:
    """It has other characters."""
    if vmi.cpu.model and not _MODEL.fullmatch(vmi.cpu.model):
        yield at()


@RULES.rule("", "spec.domain.cpu.features[].name", INVALID, "must be letters, digits and _ . + -")
def features_are_words(vmi: Subject) -> Iterator[Place]:
    """It has other characters."""
    for index, feature in enumerate(vmi.cpu.features or ()):
        if not _MODEL.fullmatch(feature.name):
            yield at(index)


@RULES.rule(
    "", "spec.domain.features.hyperv.spinlocks.spinlocks", INVALID, f"must be {_LEAST_SPINLOCKS} or more"
)
def spinlocks_are_many(vmi: Subject) -> Iterator[Place]:
    """There are fewer retries than Hyper-V knows."""
    hyperv = vmi.domain.features.hyperv if vmi.domain.features else None
    retries = hyperv.spinlocks.spinlocks if hyperv and hyperv.spinlocks else None
    if retries is not None and retries < _LEAST_SPINLOCKS:
        yield at()


@RULES.rule(
    "",
    "spec.domain.features.hyperv.vendorid.vendorid",
    INVALID,
    f"must have at most {_MOST_VENDOR} characters",
)
def vendor_is_short(vmi: Subject) -> Iterator[Place]:
    """It is longer than the processor's field for it."""
    hyperv = vmi.domain.features.hyperv if vmi.domain.features else None
    if hyperv and hyperv.vendorid and len(hyperv.vendorid.vendorid or "") > _MOST_VENDOR:
        yield at()


def _timer(vmi: Subject) -> Timer:
    return (vmi.domain.clock or Clock()).timer or Timer()
