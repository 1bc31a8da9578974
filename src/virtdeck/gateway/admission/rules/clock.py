"""Clock, identity and names of the machine: ours, for what libvirt refuses fails where nobody looks."""

import re
import uuid
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.clock import Clock, Timer
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid, unsupported

_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_MODEL = re.compile(r"[A-Za-z0-9_.+-]+", re.ASCII)
_TICKS, _TRACK = ("delay", "catchup", "merge", "discard"), ("guest", "wall")
_LEAST_SPINLOCKS, _MOST_VENDOR = 4096, 12


def clock_runs_on_one_time(subject: Subject) -> Iterator[Cause]:
    """UTC or a time zone, and a zone is a name, never a path."""
    clock = subject.domain.clock or Clock()
    if clock.utc is not None and clock.timezone:
        yield invalid(subject.at("domain.clock"), "must have either utc or timezone, not both")
    if clock.timezone and not _ZONE.fullmatch(clock.timezone):
        yield invalid(
            subject.at("domain.clock.timezone"), "must be the name of a time zone, as Europe/Berlin"
        )


def timers_are_known(subject: Subject) -> Iterator[Cause]:
    timer = (subject.domain.clock or Clock()).timer or Timer()
    for name, device in (("hpet", timer.hpet), ("pit", timer.pit), ("rtc", timer.rtc)):
        if device is not None and device.tick_policy and device.tick_policy not in _TICKS:
            yield unsupported(subject.at(f"domain.clock.timer.{name}.tickPolicy"), device.tick_policy, _TICKS)
    if timer.rtc is not None and timer.rtc.track and timer.rtc.track not in _TRACK:
        yield unsupported(subject.at("domain.clock.timer.rtc.track"), timer.rtc.track, _TRACK)


def identity_is_a_uuid(subject: Subject) -> Iterator[Cause]:
    text = subject.domain.firmware.uuid if subject.domain.firmware else None
    try:
        uuid.UUID(text or str(uuid.NAMESPACE_DNS))
    except ValueError:
        yield invalid(
            subject.at("domain.firmware.uuid"), "must be a UUID, as 5d307ca9-b3ef-428c-8861-06e72d69f223"
        )


def processor_names_are_words(subject: Subject) -> Iterator[Cause]:
    if subject.cpu.model and not _MODEL.fullmatch(subject.cpu.model):
        yield invalid(subject.at("domain.cpu.model"), "must be letters, digits and _ . + -")
    for index, feature in enumerate(subject.cpu.features or ()):
        if not _MODEL.fullmatch(feature.name):
            field = subject.at(f"domain.cpu.features[{index}].name")
            yield invalid(field, "must be letters, digits and _ . + -")


def enlightenments_are_in_bounds(subject: Subject) -> Iterator[Cause]:
    hyperv = subject.domain.features.hyperv if subject.domain.features else None
    if hyperv is None:
        return
    retries = hyperv.spinlocks.spinlocks if hyperv.spinlocks else None
    if retries is not None and retries < _LEAST_SPINLOCKS:
        yield invalid(
            subject.at("domain.features.hyperv.spinlocks.spinlocks"), f"must be {_LEAST_SPINLOCKS} or more"
        )
    if hyperv.vendorid and len(hyperv.vendorid.vendorid or "") > _MOST_VENDOR:
        field = subject.at("domain.features.hyperv.vendorid.vendorid")
        yield invalid(field, f"must have at most {_MOST_VENDOR} characters")


RULES: tuple[Rule, ...] = (
    clock_runs_on_one_time,
    timers_are_known,
    identity_is_a_uuid,
    processor_names_are_words,
    enlightenments_are_in_bounds,
)
