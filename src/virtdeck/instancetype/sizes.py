"""What an instance type gives to a template, and what the template may not say beside it.

Templates are plain JSON here: what nobody here knows stays as it is.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.codec import to_dict
from virtdeck.crds.instancetype.instancetype import MemoryInstancetype, VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.plain import Plain, part
from virtdeck.crds.quantity import format_bytes, parse_bytes
from virtdeck.crds.scalars import Quantity
from virtdeck.instancetype.paths import put, reach
from virtdeck.instancetype.topology import divide, why_indivisible

Size = VirtualMachineInstancetypeSpec
Preference = VirtualMachinePreferenceSpec

# What every instance type says: the template must be silent.
_ALWAYS_GIVEN = (
    "domain.cpu.sockets",
    "domain.cpu.cores",
    "domain.cpu.threads",
    "domain.resources.requests.cpu",
    "domain.resources.limits.cpu",
    "domain.memory.guest",
    "domain.resources.requests.memory",
    "domain.resources.limits.memory",
)
# What an instance type may say: field of its spec, field of the template's spec.
_GIVEN = (
    ("cpu.model", "domain.cpu.model"),
    ("cpu.dedicatedCPUPlacement", "domain.cpu.dedicatedCpuPlacement"),
    ("cpu.isolateEmulatorThread", "domain.cpu.isolateEmulatorThread"),
    ("cpu.numa", "domain.cpu.numa"),
    ("cpu.realtime", "domain.cpu.realtime"),
    ("cpu.maxSockets", "domain.cpu.maxSockets"),
    ("memory.hugepages", "domain.memory.hugepages"),
    ("memory.maxGuest", "domain.memory.maxGuest"),
    ("gpus", "domain.devices.gpus"),
    ("hostDevices", "domain.devices.hostDevices"),
    ("ioThreads.supplementalPoolThreadCount", "domain.ioThreads.supplementalPoolThreadCount"),
    ("ioThreadsPolicy", "domain.ioThreadsPolicy"),
    ("launchSecurity", "domain.launchSecurity"),
    ("nodeSelector", "nodeSelector"),
    ("schedulerName", "schedulerName"),
)
_GIVES = "is given by the instance type {name}; remove it here, or do without the instance type"


def conflicts(template: Plain, size: Size, preference: Preference | None, name: str) -> Iterator[Cause]:
    """Every field of the template that the instance type gives already; paths begin at ``spec.template``."""
    spec, given = template.get("spec") or {}, to_dict(size)
    says = _GIVES.format(name=name)
    for field in _ALWAYS_GIVEN:
        if _is_said(reach(spec, field)):
            yield Cause(f"spec.template.spec.{field}", says)
    for source, field in _GIVEN:
        # maxSockets has no conflict in KubeVirt: the instance type's counts.
        if (
            field != "domain.cpu.maxSockets"
            and _is_said(reach(given, source))
            and _is_said(reach(spec, field))
        ):
            yield Cause(f"spec.template.spec.{field}", says)
    said = (template.get("metadata") or {}).get("annotations") or {}
    for key, value in (size.annotations or {}).items():
        if said.get(key, value) != value:
            field = f"spec.template.metadata.annotations[{key}]"
            yield Cause(field, f"must be {value!r} as the instance type {name} says, or absent")
    for why in (why_indivisible(size.cpu.guest, preference), _why_unreadable(size.memory.guest)):
        if why:
            yield Cause("spec.instancetype", f"the instance type {name} {why}")


def apply_size(template: Plain, size: Size, preference: Preference | None) -> None:
    """The template has what the instance type gives; call it when there are no ``conflicts``."""
    spec, given = template["spec"], to_dict(size)
    for source, field in _GIVEN:
        value = reach(given, source)
        if value is not None:
            put(spec, field, value)
    for level, count in asdict(divide(size.cpu.guest, preference)).items():
        put(spec, f"domain.cpu.{level}", count)
    put(spec, "domain.memory.guest", size.memory.guest)
    if size.memory.overcommit_percent:
        put(spec, "domain.resources.requests.memory", requested_memory(size.memory))
    if size.annotations:
        part(part(template, "metadata"), "annotations").update(size.annotations)


def requested_memory(memory: MemoryInstancetype) -> str:
    """What the pod asks of the node when memory is overcommitted."""
    left = 100 - (memory.overcommit_percent or 0)
    return format_bytes(parse_bytes(memory.guest) * left // 100)


def _why_unreadable(amount: Quantity) -> str | None:
    """What is wrong with an amount of memory that admission never saw."""
    try:
        parse_bytes(amount)
    except Invalid as fault:
        return f"gives memory that cannot be read: {fault.message}"
    return None


def _is_said(value: Any) -> bool:
    """As in Go, false, zero and empty texts and lists count as nothing said; an empty object is something."""
    return value is not None and (isinstance(value, dict) or bool(value))
