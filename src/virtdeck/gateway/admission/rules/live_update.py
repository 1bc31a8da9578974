"""What must hold so that processors and memory can be added to a running guest (V258, V259)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.amounts import bytes_or_none
from virtdeck.gateway.admission.rules.cpu import MOST_VCPUS
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import forbidden, invalid, required

_MAX_GUEST = "domain.memory.maxGuest"
_STEP, _LEAST = 2**21, 2**30


def memory_can_grow(subject: Subject) -> Iterator[Cause]:
    """V258: only asked when the author gave a maximum."""
    memory, field = subject.memory, subject.at(_MAX_GUEST)
    if memory.max_guest is None:
        return
    guest, most = bytes_or_none(memory.guest), bytes_or_none(memory.max_guest)
    if (
        subject.cpu.realtime is not None
        or subject.cpu.numa is not None
        or subject.domain.launch_security is not None
    ):
        yield forbidden(field, "cannot be used with realtime, numa or launchSecurity")
    if subject.architecture != "amd64":
        yield forbidden(field, f"cannot be used on {subject.architecture}")
    if guest is None:
        yield required(subject.at("domain.memory.guest"), "must be given with maxGuest")
        return
    if most is not None and guest > most:
        yield invalid(field, f"must not be less than guest, {memory.guest}")
    if guest < _LEAST:
        yield invalid(subject.at("domain.memory.guest"), "must be at least 1Gi with maxGuest")
    for name, amount in (("guest", guest), ("maxGuest", most)):
        if amount is not None and amount % _STEP:
            yield invalid(subject.at(f"domain.memory.{name}"), "must be a multiple of 2Mi with maxGuest")


def processors_can_grow(subject: Subject) -> Iterator[Cause]:
    """V259"""
    cpu = subject.cpu
    most = (cpu.max_sockets or 0) * (cpu.cores or 1) * (cpu.threads or 1)
    if most > MOST_VCPUS:
        yield invalid(
            subject.at("domain.cpu.maxSockets"), f"allows {most} processors; at most {MOST_VCPUS} work"
        )


RULES: tuple[Rule, ...] = (memory_can_grow, processors_can_grow)
